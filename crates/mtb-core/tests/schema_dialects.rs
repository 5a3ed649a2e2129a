//! Schemas of every dialect: which keywords each has, what they mean, and what a host may widen.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::RangeInclusive;

use mtb_core::{Dialect, Issue, Schema, SchemaProblem, SchemaRole, SchemaSource, UnknownArguments};
use serde_json::{Value, json};

const DIALECTS: [&str; 5] = [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
];

fn compile(source: &SchemaSource) -> Result<Schema, Vec<SchemaProblem>> {
    Schema::compile(source, SchemaRole::Arguments)
}

/// An object with one property `a` of this schema, in the dialect of this number.
fn with(dialect: usize, property: &Value) -> SchemaSource {
    SchemaSource::value(json!({"$schema": DIALECTS[dialect], "type": "object", "properties": {"a": property}}))
}

fn places(compiled: Result<Schema, Vec<SchemaProblem>>) -> Vec<String> {
    let problems = compiled.err().unwrap_or_default();
    problems.into_iter().map(|problem| problem.pointer).collect()
}

/// Where and by which keyword a value of `a` is refused.
fn refusal(schema: &Schema, value: &Value) -> Vec<(String, String)> {
    let issues = schema.validate(&json!({"a": value})).err().unwrap_or_default();
    issues.into_iter().map(|Issue { path, keyword, .. }| (path, keyword)).collect()
}

#[test]
fn a_dialect_is_declared_in_each_of_its_spellings() {
    for (index, dialect) in Dialect::ALL.into_iter().enumerate() {
        let place = DIALECTS[index].trim_end_matches('#').split_once("://").unwrap().1;
        for spelling in
            ["http", "https"].iter().flat_map(|scheme| ["", "#"].map(|end| format!("{scheme}://{place}{end}")))
        {
            let text =
                format!(r#"{{"$schema":"{spelling}","type":"object","properties":{{"a":{{"type":"string"}}}}}}"#);
            let schema = compile(&SchemaSource::text(&text)).unwrap();
            assert_eq!((schema.dialect(), schema.text()), (dialect, &*text), "{spelling}");
            assert_eq!(refusal(&schema, &json!(1)), [("/a".into(), "type".into())], "{spelling}");
        }
    }
    assert_eq!(compile(&SchemaSource::text(r#"{"type": "object"}"#)).unwrap().dialect(), Dialect::Draft202012);
}

/// A value fits, or is refused at a place by a keyword.
type Judged = (Value, Option<(&'static str, &'static str)>);

/// A schema of `a`, the dialects in which it means the same, and values of `a`.
type Row = (Value, RangeInclusive<usize>, Vec<Judged>);

fn means(rows: Vec<Row>) {
    for (property, dialects, judged) in rows {
        for dialect in dialects {
            let schema = compile(&with(dialect, &property)).unwrap();
            for (value, expected) in &judged {
                let expected = expected.map(|(path, keyword)| (path.to_owned(), keyword.to_owned()));
                assert_eq!(
                    refusal(&schema, value),
                    expected.into_iter().collect::<Vec<_>>(),
                    "{} {property} {value}",
                    DIALECTS[dialect]
                );
            }
        }
    }
}

#[test]
fn items_and_bounds_mean_what_they_mean_in_their_dialect() {
    means(vec![
        (
            json!({"type": "array", "items": [{"type": "string"}], "additionalItems": {"type": "integer"}}),
            0..=3,
            vec![
                (json!(["x", 1]), None),
                (json!([1]), Some(("/a/0", "type"))),
                (json!(["x", "y"]), Some(("/a/1", "type"))),
            ],
        ),
        (
            json!({"type": "array", "items": [{"type": "string"}], "additionalItems": false}),
            1..=3,
            vec![(json!(["x"]), None), (json!(["x", 1]), Some(("/a/1", "false")))],
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false}),
            4..=4,
            vec![(json!(["x"]), None), (json!(["x", 1]), Some(("/a/1", "false")))],
        ),
        (
            json!({"type": "number", "minimum": 1, "exclusiveMinimum": true, "maximum": 3, "exclusiveMaximum": false}),
            0..=0,
            vec![
                (json!(2), None),
                (json!(3), None),
                (json!(1), Some(("/a", "minimum"))),
                (json!(3.5), Some(("/a", "maximum"))),
            ],
        ),
        (
            json!({"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 3}),
            1..=4,
            vec![
                (json!(2), None),
                (json!(1), Some(("/a", "exclusiveMinimum"))),
                (json!(3), Some(("/a", "exclusiveMaximum"))),
            ],
        ),
    ]);
}

#[test]
fn objects_and_references_mean_what_they_mean_in_their_dialect() {
    means(vec![
        (
            json!({"type": "object", "properties": {"b": {}, "c": {}}, "dependencies": {"b": ["c"], "c": {"required": ["b"]}}}),
            0..=2,
            vec![
                (json!({"b": 1, "c": 2}), None),
                (json!({"b": 1}), Some(("/a/c", "dependencies"))),
                (json!({"c": 1}), Some(("/a/b", "required"))),
            ],
        ),
        (
            json!({"type": "object", "properties": {"b": {}, "c": {}}, "dependentRequired": {"b": ["c"]}}),
            3..=4,
            vec![(json!({"b": 1, "c": 2}), None), (json!({"b": 1}), Some(("/a/c", "dependentRequired")))],
        ),
        (
            json!({"type": "object", "properties": {"b": {"type": "string"}}, "$ref": "#/properties/a/$defs/x",
                "$defs": {"x": {"required": ["b"]}}}),
            3..=4,
            vec![
                (json!({"b": "x"}), None),
                (json!({}), Some(("/a/b", "required"))),
                (json!({"b": 1}), Some(("/a/b", "type"))),
            ],
        ),
        (
            json!({"description": "A name.", "$ref": "#/properties/a/$defs/x", "$defs": {"x": {"type": "string"}}}),
            0..=4,
            vec![(json!("x"), None), (json!(1), Some(("/a", "type")))],
        ),
        (
            json!({"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": "integer"}}),
            2..=4,
            vec![(json!("xy"), None), (json!("x"), Some(("/a", "minLength"))), (json!(null), Some(("/a", "type")))],
        ),
    ]);
}

#[test]
fn formats_and_types_mean_what_they_mean_in_their_dialect() {
    means(vec![
        (
            json!({"type": "string", "format": "uuid"}),
            0..=4,
            vec![(json!("123e4567-e89b-12d3-a456-426614174000"), None), (json!("123e4567"), Some(("/a", "format")))],
        ),
        (
            json!({"type": "integer", "format": "int32"}),
            0..=4,
            vec![(json!(2_147_483_647), None), (json!(2_147_483_648_i64), Some(("/a", "format")))],
        ),
        (
            json!({"type": ["string", "null"], "format": "uint64"}),
            0..=4,
            vec![(json!("18446744073709551615"), None), (json!(null), None), (json!("-1"), Some(("/a", "format")))],
        ),
        (
            json!({"type": "array", "items": {"type": "number", "format": "uint8"}}),
            0..=4,
            vec![
                (json!([255]), None),
                (json!([1.5]), Some(("/a/0", "format"))),
                (json!([-1]), Some(("/a/0", "format"))),
            ],
        ),
        (json!({"type": "integer"}), 0..=4, vec![(json!(1), None), (json!(1.5), Some(("/a", "type")))]),
        (json!({"type": "integer"}), 1..=4, vec![(json!(1.0), None)]),
        (json!({"type": "integer"}), 0..=0, vec![(json!(1.0), Some(("/a", "type")))]),
    ]);
}

#[test]
fn a_keyword_of_another_dialect_is_refused() {
    for (property, dialects, place) in [
        (json!({"prefixItems": [{}]}), 0..=3, "/prefixItems"),
        (json!({"additionalItems": {}, "items": {}}), 4..=4, "/additionalItems"),
        (json!({"items": [{}]}), 4..=4, "/items"),
        (json!({"additionalItems": {}, "items": {}}), 0..=3, "/additionalItems"),
        (json!({"dependencies": {}}), 3..=4, "/dependencies"),
        (json!({"dependentRequired": {}}), 0..=2, "/dependentRequired"),
        (json!({"unevaluatedProperties": {}}), 0..=2, "/unevaluatedProperties"),
        (json!({"const": 1}), 0..=0, "/const"),
        (json!({"if": {}}), 0..=1, "/if"),
        (json!({"$id": "a"}), 0..=0, "/$id"),
        (json!({"id": "a"}), 1..=4, "/id"),
        (json!({"exclusiveMinimum": 1}), 0..=0, "/exclusiveMinimum"),
        (json!({"exclusiveMinimum": true, "minimum": 1}), 1..=4, "/exclusiveMinimum"),
        (json!({"exclusiveMinimum": true}), 0..=0, "/exclusiveMinimum"),
        (json!({"minimum": 1, "maximum": 1, "exclusiveMaximum": true}), 0..=0, "/minimum"),
        (json!({"required": []}), 0..=0, "/required"),
        (json!({"properties": {"b": true}}), 0..=0, "/properties/b"),
        (json!({"$recursiveRef": "#"}), 4..=4, "/$recursiveRef"),
        (json!({"$recursiveRef": "#/$defs/a"}), 3..=3, "/$recursiveRef"),
        (json!({"$recursiveAnchor": true}), 3..=3, "/$recursiveAnchor"),
        (json!({"maxLength": 2.0}), 0..=0, "/maxLength"),
        (json!({"minProperties": 1e19}), 0..=0, "/minProperties"),
        (json!({"maxItems": 1e30}), 0..=4, "/maxItems"),
        (json!({"items": []}), 0..=4, "/items"),
        (json!({"$ref": "#/$defs/a b"}), 0..=4, "/$ref"),
        (json!({"$dynamicRef": "#"}), 0..=3, "/$dynamicRef"),
        (json!({"$ref": "#/$defs/a", "type": "string"}), 0..=2, "/type"),
        (json!({"$ref": "#/$defs/a", "minLength": 1}), 0..=2, "/minLength"),
        (json!({"$schema": "http://json-schema.org/draft-07/schema#"}), 0..=4, "/$schema"),
    ] {
        for dialect in dialects {
            let mut schema = json!({"$schema": DIALECTS[dialect], "type": "object", "$defs": {"a": {}}});
            schema["properties"] = json!({"a": property});
            let found = places(compile(&SchemaSource::value(schema)));
            assert_eq!(found, [format!("/properties/a{place}")], "{} {property}", DIALECTS[dialect]);
        }
    }
}

#[test]
fn identifiers_are_those_of_the_dialect() {
    let by = |dialect: usize, id: &str, anchor: &Value, reference: &str| {
        let mut schema =
            json!({"$schema": DIALECTS[dialect], "type": "object", "properties": {"a": {"$ref": reference}}});
        schema[id] = json!("https://example.com/root.json");
        schema["definitions"] = json!({"x": anchor});
        SchemaSource::value(schema)
    };
    for (dialect, id, anchor, reference) in [
        (0, "id", json!({"id": "#x", "type": "string"}), "#x"),
        (2, "$id", json!({"$id": "#x", "type": "string"}), "#x"),
        (2, "$id", json!({"$id": "x.json", "type": "string"}), "https://example.com/x.json"),
        (3, "$id", json!({"$anchor": "x", "type": "string"}), "root.json#x"),
        (4, "$id", json!({"$anchor": "x", "type": "string"}), "#x"),
    ] {
        let schema = compile(&by(dialect, id, &anchor, reference)).unwrap();
        assert_eq!(refusal(&schema, &json!(1)), [("/a".into(), "type".into())], "{anchor}");
        assert_eq!(refusal(&schema, &json!("x")), [], "{anchor}");
    }
    for (dialect, id, anchor, place) in [
        (0, "id", json!({"id": "#1 2"}), "/definitions/x/id"),
        (2, "$id", json!({"$id": "a#x"}), "/definitions/x/$id"),
        (3, "$id", json!({"$id": "#x"}), "/definitions/x/$id"),
        (4, "$id", json!({"$id": "#x"}), "/definitions/x/$id"),
        // The engine has schemas of its own under these names.
        (0, "id", json!({"id": "http://json-schema.org/draft-04/schema"}), "/definitions/x/id"),
        (2, "$id", json!({"$id": "http://json-schema.org/draft-07/schema#"}), "/definitions/x/$id"),
        (4, "$id", json!({"$id": "https://json-schema.org/draft/2020-12/meta/core"}), "/definitions/x/$id"),
        // It does not look for names below `$defs` of older dialects.
        (0, "id", json!({"$defs": {"y": {"id": "http://x/"}}}), "/definitions/x/$defs/y/id"),
        (2, "$id", json!({"$defs": {"y": {"items": {"$id": "http://x/"}}}}), "/definitions/x/$defs/y/items/$id"),
        (2, "$id", json!({"$defs": {"y": {"$id": "#y"}}}), "/definitions/x/$defs/y/$id"),
        (
            4,
            "$id",
            json!({"$defs": {"y": {"$id": "w", "$dynamicAnchor": "z"}}, "$dynamicAnchor": "z", "$id": "y"}),
            "/definitions/x/$defs/y/$dynamicAnchor",
        ),
        (
            3,
            "$id",
            json!({"$defs": {"y": {"$id": "y", "$recursiveAnchor": true}}, "$recursiveAnchor": true, "$id": "x"}),
            "/definitions/x/$defs/y/$recursiveAnchor",
        ),
    ] {
        assert_eq!(places(compile(&by(dialect, id, &anchor, "#"))), [place], "{anchor}");
    }
}

#[test]
fn a_host_widens_single_points_and_no_others() {
    let text = r#"{"$schema":"https://example.com/mine","type":"object","x-order":["a"],
        "properties":{"a":{"type":"string","format":"sql","x-order":1,"minLength":1}}}"#;
    let strict = SchemaSource::text(text);
    assert_eq!(places(compile(&strict)), ["/$schema", "/properties/a/format", "/properties/a/x-order", "/x-order"]);
    let widened = strict
        .clone()
        .allow_dialect("https://example.com/mine", Dialect::Draft7)
        .allow_formats(["sql", "graphql"])
        .allow_keywords(["x-order", "prefixItems"]);
    let schema = compile(&widened).unwrap();
    assert_eq!((schema.dialect(), schema.text()), (Dialect::Draft7, &*text.replace('\n', " ")));
    assert_eq!(
        schema.allowances().to_string(),
        "formats `sql`; keywords `x-order`; dialects `https://example.com/mine` as draft-07"
    );
    // What is known is enforced all the same.
    assert_eq!(refusal(&schema, &json!("")), [("/a".into(), "minLength".into())]);
    let half = strict.allow_formats(["sql"]).allow_dialect("https://example.com/other", Dialect::Draft7);
    let half = half.allow_keywords(["x-other"]);
    assert_eq!(places(compile(&half)), ["/$schema", "/properties/a/x-order", "/x-order"]);
}

#[test]
fn an_allowed_keyword_of_another_dialect_means_nothing() {
    let property = json!({"type": "array", "prefixItems": [{"type": "string"}], "contains": {"$ref": "#/x"}});
    let schema = json!({"$schema": DIALECTS[2], "type": "object", "properties": {"a": property}, "x": {"$ref": "https://example.com"}});
    let schema = compile(&SchemaSource::value(schema).allow_keywords(["prefixItems", "x"]));
    assert_eq!(places(schema), ["/properties/a/contains/$ref"]);
    let schema = compile(
        &with(2, &json!({"type": "array", "prefixItems": [{"type": "string"}]})).allow_keywords(["prefixItems"]),
    );
    assert_eq!(refusal(&schema.unwrap(), &json!([1])), []);
}

#[test]
fn a_silent_root_is_closed_in_the_schema_that_clients_see() {
    let closed = |text: &str| compile(&SchemaSource::text(text).unknown_arguments(UnknownArguments::Refuse));
    let refuses = |schema: &Schema, name: &str| schema.validate(&json!({"a": "x", name: 1})).is_err();
    let any_of = r#""anyOf":[{"properties":{"b":{"type":"integer"}}}]"#;
    for (before, after) in [
        (
            r#"{"type":"object","properties":{"a":{}}}"#,
            r#"{"type":"object","properties":{"a":{}},"additionalProperties":false}"#,
        ),
        (
            r#" { "properties":{"a":{}}, "type":"object" } "#,
            r#" { "properties":{"a":{}}, "type":"object" ,"additionalProperties":false} "#,
        ),
    ] {
        let schema = closed(before).unwrap();
        assert_eq!(schema.text(), after);
        assert!(refuses(&schema, "c") && schema.validate(&json!({"a": "x"})).is_ok(), "{before}");
        let issues = schema.validate(&json!({"a": 1, "A": 1})).unwrap_err();
        assert_eq!(issues[0].message, "is not a declared property; closest is `a`");
        assert_ne!(schema.identity(), compile(&SchemaSource::text(before)).unwrap().identity());
    }
    for dialect in &DIALECTS[3..] {
        let text = format!(r#"{{"$schema":"{dialect}","type":"object","properties":{{"a":{{}}}},{any_of}}}"#);
        let schema = closed(&text).unwrap();
        assert_eq!(schema.text(), format!(r#"{},"unevaluatedProperties":false}}"#, &text[..text.len() - 1]));
        assert!(refuses(&schema, "c") && !refuses(&schema, "b"), "{dialect}");
    }
    for dialect in &DIALECTS[..3] {
        let text = format!(r#"{{"$schema":"{dialect}","type":"object","properties":{{"a":{{}}}},{any_of}}}"#);
        assert_eq!(places(closed(&text)), ["/anyOf"], "{dialect}");
    }
}

/// Closing must neither be without effect nor refuse what is declared.
#[test]
fn a_root_that_cannot_be_closed_for_sure_is_refused() {
    for (dialect, rest, place) in [
        (4, json!({"enum": [{"a": 1}]}), "/enum"),
        (4, json!({"const": {"a": 1}}), "/const"),
        (4, json!({"propertyNames": {"enum": ["a"]}}), "/propertyNames"),
        (4, json!({"allOf": [{"additionalProperties": true}]}), "/allOf/0/additionalProperties"),
        (4, json!({"anyOf": [{"unevaluatedProperties": {}}]}), "/anyOf/0/unevaluatedProperties"),
        (4, json!({"properties": {"a": {"allOf": [{"$ref": "#"}]}}}), "/properties/a/allOf/0/$ref"),
        (
            4,
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"additionalProperties": {}}}}),
            "/$defs/a/additionalProperties",
        ),
    ] {
        let mut schema = json!({"$schema": DIALECTS[dialect], "type": "object"});
        schema.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        let source = SchemaSource::value(schema);
        assert_eq!(places(compile(&source)), [""; 0], "{rest}");
        assert_eq!(places(compile(&source.unknown_arguments(UnknownArguments::Refuse))), [place], "{rest}");
    }
    // A keyword that the dialect does not have says nothing.
    let text = format!(r#"{{"$schema":"{}","type":"object","unevaluatedProperties":false}}"#, DIALECTS[2]);
    let allowed = SchemaSource::text(&text).allow_keywords(["unevaluatedProperties"]);
    let schema = compile(&allowed.unknown_arguments(UnknownArguments::Refuse)).unwrap();
    assert!(schema.validate(&json!({"a": 1})).is_err());
}

#[test]
fn a_root_that_says_which_arguments_there_may_be_stays_as_it_is() {
    for rest in [
        r#""additionalProperties":true"#,
        r#""additionalProperties":{"type":"string"}"#,
        r#""unevaluatedProperties":{}"#,
    ] {
        let text = format!(r#"{{"type":"object","properties":{{"a":{{}}}},{rest}}}"#);
        let source = SchemaSource::text(&text).unknown_arguments(UnknownArguments::Refuse);
        let schema = compile(&source).unwrap();
        assert_eq!(schema.text(), text);
        assert_eq!(schema.validate(&json!({"a": 1, "b": "x"})), Ok(()), "{text}");
    }
    let output = SchemaSource::text(r#"{"type":"object"}"#).unknown_arguments(UnknownArguments::Refuse);
    assert_eq!(Schema::compile(&output, SchemaRole::Output).unwrap().text(), r#"{"type":"object"}"#);
}
