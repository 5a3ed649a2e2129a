//! Every refusal names a place and a reason, and the reason is true.
#![expect(clippy::unwrap_used, reason = "a schema of a test compiles")]
#![expect(clippy::needless_raw_string_hashes, reason = "goldens are rewritten with them")]

use expect_test::{Expect, expect};
use mtb_core::{Schema, SchemaRole, SchemaSource};
use serde_json::{Value, json};

fn compile(schema: Value) -> Schema {
    Schema::compile(&SchemaSource::value(schema), SchemaRole::Output).unwrap()
}

#[expect(clippy::needless_pass_by_value, reason = "rows are written in place")]
fn check(schema: Value, value: Value, expected: Expect) {
    let issues = compile(schema).validate(&value).unwrap_err();
    let told = |it: &mtb_core::Issue| format!("{}: {} [{} {}]", it.path, it.message, it.keyword, it.declared);
    expected.assert_eq(&(issues.iter().map(told).collect::<Vec<_>>().join("\n") + "\n"));
}

#[test]
fn equal_items_are_told_by_index() {
    let unique = || json!({"items": {"uniqueItems": true}});
    check(
        unique(),
        json!([[1, 2, 1.0]]),
        expect![[r#"
        /0/2: is equal to the item at index 0, and items must be distinct [uniqueItems /items/uniqueItems]
    "#]],
    );
    check(
        unique(),
        json!([[], [3, {"a": [1], "b": 0}, {"b": -0.0, "a": [1.0]}]]),
        expect![[r#"
        /1/2: is equal to the item at index 1, and items must be distinct [uniqueItems /items/uniqueItems]
    "#]],
    );
    for distinct in [json!([1, true, "1"]), json!([9_007_199_254_740_993_u64, 9_007_199_254_740_992.0])] {
        assert_eq!(compile(unique()).validate(&json!([distinct])), Ok(()));
    }
}

#[test]
fn what_nothing_looked_at_is_told_with_its_schema() {
    let either = json!([
        {"properties": {"card": {"type": "string"}}, "required": ["card"]},
        {"properties": {"cash": {"type": "integer"}}, "required": ["cash"]},
    ]);
    let closed =
        || json!({"type": "object", "properties": {"id": {}}, "anyOf": either, "unevaluatedProperties": false});
    check(
        closed(),
        json!({"cash": 1, "card": 2, "id": 3}),
        expect![[r#"
        /card: is declared only in a form that this object does not fit [unevaluatedProperties /unevaluatedProperties]
    "#]],
    );
    check(
        closed(),
        json!({"card": "x", "crad": 2}),
        expect![[r#"
        /crad: is not a declared property [unevaluatedProperties /unevaluatedProperties]
    "#]],
    );
    // No form fits: what one of them declares is no second mistake.
    check(
        closed(),
        json!({"card": 1, "extra": 2}),
        expect![[r#"
        /card: must be a string, not an integer (in form number 1 of 2, which comes closest) [type /anyOf/0/properties/card/type]
        /extra: is not a declared property [unevaluatedProperties /unevaluatedProperties]
    "#]],
    );
    let others = || {
        json!({"type": "object", "patternProperties": {"^x-": {}}, "if": {"properties": {"kind": {"const": 1}}},
            "then": {"properties": {"one": {}}}, "dependentSchemas": {"kind": {"properties": {"more": {}}}},
            "unevaluatedProperties": {"type": "string"}})
    };
    assert_eq!(compile(others()).validate(&json!({"x-a": 1, "kind": 1, "one": 1, "more": 1, "b": "x"})), Ok(()));
    check(
        others(),
        json!({"x-a": 1, "kind": 2, "one": 1, "more": 1, "b": 1}),
        expect![[r#"
        /b: must be a string, not an integer [type /unevaluatedProperties/type]
        /kind: must be a string, not an integer [type /unevaluatedProperties/type]
        /one: must be a string, not an integer [type /unevaluatedProperties/type]
    "#]],
    );
    check(
        json!({"allOf": [{"patternProperties": {"^x-": {}}}], "unevaluatedProperties": false}),
        json!({"x-a": 1, "y": 1}),
        expect![[r#"
            /y: is not a declared property [unevaluatedProperties /unevaluatedProperties]
        "#]],
    );
    check(
        json!({"prefixItems": [{}], "unevaluatedItems": false}),
        json!([1, 2]),
        expect![[r#"
        /1: is not allowed here [false /unevaluatedItems]
    "#]],
    );
    // Where something else is wrong with the array, that may be why.
    check(
        json!({"prefixItems": [{"type": "string"}], "unevaluatedItems": false}),
        json!([1, 2]),
        expect![[r#"
            /0: must be a string, not an integer [type /prefixItems/0/type]
        "#]],
    );
    check(
        json!({"items": {"allOf": [{"prefixItems": [{}]}], "contains": {"const": 2}, "unevaluatedItems": {"type": "string"}}}),
        json!([[1, 2, 3, "x"]]),
        expect![[r#"
            /0/2: must be a string, not an integer [type /items/unevaluatedItems/type]
        "#]],
    );
    check(
        json!({"$schema": "https://json-schema.org/draft/2019-09/schema", "items": [{}], "contains": {"const": 2},
            "unevaluatedItems": {"type": "string"}}),
        json!([1, 2, 3]),
        expect![[r#"
            /2: must be a string, not an integer [type /unevaluatedItems/type]
        "#]],
    );
}

#[test]
fn references_that_look_for_their_target_are_followed() {
    let dynamic =
        json!({"$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}}, "maxProperties": 1});
    check(
        dynamic,
        json!({"next": {"next": {"a": 1, "b": 2}}}),
        expect![[r#"
        /next/next: must have at most 1 property [maxProperties /maxProperties]
    "#]],
    );
    let recursive = json!({"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveAnchor": true,
        "properties": {"next": {"$recursiveRef": "#"}}, "maxProperties": 1});
    check(
        recursive,
        json!({"next": {"next": {"a": 1, "b": 2}}}),
        expect![[r#"
        /next/next: must have at most 1 property [maxProperties /maxProperties]
    "#]],
    );
}

#[test]
fn multiples_are_judged_and_explained_alike() {
    for (step, value, fits) in [
        (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64), false),
        (json!(u64::MAX), json!(u64::MAX - 1), false),
        (json!(u64::MAX), json!(u64::MAX), true),
        (json!(3), json!(i64::MIN), false),
        (json!(0.01), json!(19.99), true),
        (json!(0.01), json!(0.075), false),
        (json!(1e308), json!(5e-324), false),
        (json!(2), json!("3"), true),
    ] {
        for dialect in mtb_core::Dialect::ALL {
            let schema = compile(json!({"$schema": dialect.uri(), "items": {"multipleOf": step}}));
            let issues = schema.validate(&json!([value])).err().unwrap_or_default();
            let told: Vec<_> = issues.iter().map(|issue| (&*issue.path, &*issue.keyword)).collect();
            assert_eq!(told, [("/0", "multipleOf")][usize::from(fits)..], "{step} {value} {dialect}");
        }
    }
}

#[test]
fn bounds_and_constants_are_exact_beyond_doubles() {
    let (less, more) = (9_007_199_254_740_992_u64, 9_007_199_254_740_993_u64);
    for (keyword, bound, fits, refused) in [
        ("maximum", json!(less), less, more),
        ("minimum", json!(more), more, less),
        ("exclusiveMaximum", json!(more), less, more),
        ("exclusiveMinimum", json!(less), more, less),
        ("const", json!(more), more, less),
        ("enum", json!([less]), less, more),
        ("maximum", json!(u64::MAX - 1), u64::MAX - 1, u64::MAX),
    ] {
        let schema = compile(json!({"properties": {"a": {keyword: bound}}}));
        assert_eq!(schema.validate(&json!({"a": fits})), Ok(()), "{keyword} {bound}");
        let issues = schema.validate(&json!({"a": refused})).unwrap_err();
        assert_eq!((issues.len(), &*issues[0].keyword), (1, keyword), "{bound}");
    }
}

#[test]
fn content_is_checked_in_every_dialect_that_has_it() {
    for dialect in [mtb_core::Dialect::Draft7, mtb_core::Dialect::Draft201909, mtb_core::Dialect::Draft202012] {
        for (content, fits, refused, keyword) in [
            (json!({"contentEncoding": "base64"}), json!("aGk="), json!("a%"), "contentEncoding"),
            (json!({"contentMediaType": "application/json"}), json!("[1]"), json!("[1"), "contentMediaType"),
            (
                json!({"contentEncoding": "base64url", "contentMediaType": "application/json"}),
                json!("WzFd"),
                json!("WzE="),
                "contentMediaType",
            ),
            (
                json!({"contentEncoding": "base64", "contentMediaType": "application/json"}),
                json!(1),
                json!("[1]"),
                "contentEncoding",
            ),
        ] {
            let schema = compile(json!({"$schema": dialect.uri(), "items": {"properties": {"a": content}}}));
            assert_eq!(schema.validate(&json!([{"a": fits}])), Ok(()), "{dialect} {content}");
            let issues = schema.validate(&json!([{}, {"a": refused}])).unwrap_err();
            assert_eq!((&*issues[0].path, &*issues[0].keyword), ("/1/a", keyword), "{dialect} {content}");
        }
    }
    let both = json!({"contentEncoding": "base64", "contentMediaType": "application/json"});
    check(
        both.clone(),
        json!("%"),
        expect![[r#"
        : must be encoded as `base64` [contentEncoding /contentEncoding]
    "#]],
    );
    check(
        both,
        json!("WzE="),
        expect![[r#"
        : must hold a document of the media type `application/json`, encoded as `base64` [contentMediaType /contentMediaType]
    "#]],
    );
}

#[test]
fn forms_inside_forms_stay_one_sentence() {
    let form = |level: usize, inner: Value| {
        json!({"anyOf": [
            {"title": format!("Level {level}"), "properties": {"in": inner, "id": {}}, "required": ["in"]},
            {"properties": {"out": {"type": "string"}, "id": {"const": level}}, "required": ["out", "id"]},
        ]})
    };
    let nested = |levels: usize| (0..levels).fold(json!({"type": "integer"}), |inner, level| form(level, inner));
    let value = |levels: usize| (0..levels).fold(json!("x"), |inner, _| json!({"in": inner}));
    check(
        nested(1),
        value(1),
        expect![[r#"
        /in: must be an integer, not a string (in form `Level 0` of 2, which comes closest) [type /anyOf/0/properties/in/type]
    "#]],
    );
    check(
        nested(3),
        value(3),
        expect![[r#"
        /in/in/in: must be an integer, not a string (in form `Level 2` of 2, there in form `Level 1` of 2, there in form `Level 0` of 2, which come closest) [type /anyOf/0/properties/in/anyOf/0/properties/in/anyOf/0/properties/in/type]
    "#]],
    );
    check(
        nested(9),
        value(9),
        expect![[r#"
        /in/in/in/in/in/in/in/in/in: must be an integer, not a string (in form `Level 8` of 2, there in form `Level 7` of 2, there in form `Level 6` of 2 and 6 deeper, which come closest) [type /anyOf/0/properties/in/anyOf/0/properties/in/anyOf/0/properties/in/anyOf/0/properties/in/anyOf/0/properties/in/anyOf/0/properties/in/anyOf/0/properties/in/anyOf/0/properties/in/anyOf/0/properties/in/type]
    "#]],
    );
}

/// The search for a reason is bounded, and what it did not look at is no reason.
#[test]
fn a_search_that_ends_early_says_so() {
    let long = || {
        let mut items = vec![json!(1); 30_000];
        items.push(json!("x"));
        json!({"a": items})
    };
    let numbers = |name: &str| json!({"items": {"type": name}});
    check(
        json!({"properties": {"a": numbers("integer")}}),
        long(),
        expect![[r#"
        /a/19998: is where the search for the reason ended: the value is too large, or nested too deeply, to say what in it does not fit [schema /properties/a/items]
    "#]],
    );
    for within in [
        json!({"oneOf": [numbers("integer"), numbers("number")]}),
        json!({"contains": {"type": "null"}, "items": {"type": "integer"}}),
        json!({"if": numbers("integer"), "else": false}),
        json!({"not": {"not": numbers("integer")}}),
        json!({"unevaluatedItems": false, "anyOf": [numbers("integer")]}),
    ] {
        let issues = compile(json!({"properties": {"a": within}})).validate(&long()).unwrap_err();
        assert_eq!(issues.len(), 1, "{within}");
        assert!(issues[0].message.starts_with("is where the search"), "{within} {}", issues[0].message);
        assert!(issues[0].path.starts_with("/a/"), "{within} {}", issues[0].path);
    }
}

#[test]
fn too_few_and_too_many_of_a_form_are_told() {
    let contains = |more: Value| {
        let mut schema = json!({"contains": {"type": "integer"}});
        schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"properties": {"a": schema, "wrong": {"type": "string"}}})
    };
    let told = |schema: &Value, items: Value| {
        let issues = compile(schema.clone()).validate(&json!({"a": items, "wrong": 1})).unwrap_err();
        issues.iter().map(|it| format!("{}: {}", it.path, it.message)).collect::<Vec<_>>()
    };
    let wrong = "/wrong: must be a string, not an integer";
    let one = "/a: must have at least 1 item of the form in `contains`";
    let two = "/a: must have at least 2 items of the form in `contains`";
    let most = "/a: must have at most 2 items of the form in `contains`";
    let bounded = json!({"minContains": 2, "maxContains": 2});
    for (more, items, expected) in [
        (json!({}), json!([]), &[one, wrong][..]),
        (json!({}), json!(["x"]), &[one, wrong]),
        (json!({}), json!(["x", 1]), &[wrong]),
        (json!({}), json!([1, 2, 3]), &[wrong]),
        (bounded.clone(), json!([1, "x"]), &[two, wrong]),
        (bounded.clone(), json!([1, "x", 2]), &[wrong]),
        (bounded, json!([1, 2, 3]), &[most, wrong]),
        (json!({"minContains": 0}), json!(["x"]), &[wrong]),
    ] {
        assert_eq!(told(&contains(more.clone()), items.clone()), expected, "{more} {items}");
    }
}

#[test]
fn a_name_of_another_form_is_told_at_its_place() {
    let named = json!({"properties": {"a": {"propertyNames": {"pattern": "^x"}}, "wrong": {"type": "string"}}});
    check(
        named,
        json!({"a": {"xy": 1, "yx": 2}, "wrong": 1}),
        expect![[r#"
            /a/yx: has a name of a form that is not allowed [propertyNames /properties/a/propertyNames]
            /wrong: must be a string, not an integer [type /properties/wrong/type]
        "#]],
    );
}

/// What is written to a log of a schema or an issue holds no content, and tells one from another.
#[test]
fn debug_texts_tell_which_and_not_what() {
    let schema = compile(json!({"properties": {"a": {"const": "kept"}}}));
    assert_eq!(format!("{schema:?}"), format!("Schema({})", schema.identity()));
    let issues = schema.validate(&json!({"a": "told"})).unwrap_err();
    assert_eq!(format!("{issues:?}"), "[Issue(const at `/properties/a/const`)]");
    let sources = [SchemaSource::text(r#"{"a": "kept"}"#), SchemaSource::value(json!({"a": "kept"}))];
    assert_eq!(format!("{sources:?}"), "[SchemaSource::text(13 bytes), SchemaSource::value(12 bytes)]");
}

/// Whatever is written of a schema that is a value is that value.
#[test]
fn a_schema_that_is_a_value_is_written_as_it_is() {
    let value = json!({"type": ["object", "null"], "properties": {"b": {"enum": [1, "x", null]}, "a": {"examples": [[1, 2], {"x": 1, "w": 2}]}}});
    let schema = compile(value.clone());
    assert_eq!(serde_json::from_str::<Value>(schema.text()).unwrap(), value);
}
