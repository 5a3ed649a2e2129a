//! What somebody is told whose schema is refused: what it is, and what to write instead.

use mtb_core::{Dialect, MAX_SCHEMA_DEPTH, Schema, SchemaProblem, SchemaRole, SchemaSource};
use serde_json::{Value, json};

fn problems(schema: &Value) -> Vec<SchemaProblem> {
    let compiled = Schema::compile(&SchemaSource::value(schema.clone()), SchemaRole::Arguments);
    compiled.err().unwrap_or_default()
}

/// An object with one property of this schema.
#[expect(clippy::needless_pass_by_value, reason = "rows are written in place")]
fn with(property: Value) -> Value {
    json!({"type": "object", "properties": {"a": property}})
}

/// What a remedy offers to be copied is the name as it stands, or no name.
#[test]
fn remedies_say_how_to_allow_it() {
    let close = "the closest keyword is `minProperties`; correct it, remove it, or allow it as an annotation: `allow_keywords([\"minProps\"])`";
    let far = "remove it, or allow it as an annotation: `allow_keywords([\"x-order\"])`; a property belongs under `properties`";
    for (keyword, expected) in [("minProps", close), ("x-order", far)] {
        assert_eq!(problems(&json!({"type": "object", keyword: 1}))[0].remedy, expected);
    }
    let long = "x".repeat(65);
    for keyword in ["", "x y", "x\"", "$(x)", "x`", "größe", &long] {
        let remedy = &problems(&json!({"type": "object", keyword: 1}))[0].remedy;
        assert!(remedy.contains("allow it as an annotation: `allow_keywords`"), "{remedy}");
    }
    let format = |name: &str| problems(&with(json!({"type": "string", "format": name})))[0].remedy.clone();
    for (name, start) in [
        ("json", "write `json-pointer`, the closest known format, if that is meant; or use a `pattern`"),
        ("callsign", "use a `pattern`, bounds or a known format ("),
    ] {
        let remedy = format(name);
        let end = format!(", or allow it as an annotation: `allow_formats([\"{name}\"])`");
        assert!(remedy.starts_with(start) && remedy.ends_with(&end), "{remedy}");
    }
}

/// The keyword, what it holds, and what it has to hold.
const SHAPES: [(&str, &str, &str); 21] = [
    ("title", "7", "a string"),
    ("$anchor", "7", "a string"),
    ("readOnly", "\"yes\"", "a boolean"),
    ("examples", "{}", "an array"),
    ("minLength", "-1", "an integer from 0 to 2^64 - 1"),
    ("minLength", "1.5", "an integer from 0 to 2^64 - 1"),
    ("minimum", "\"1\"", "a number"),
    ("multipleOf", "0", "a number greater than 0"),
    ("multipleOf", "-1", "a number greater than 0"),
    ("$vocabulary", "{\"urn:x\": 1}", "an object of booleans"),
    ("properties", "[]", "an object of schemas"),
    ("type", "[]", TYPES),
    ("type", "[\"string\", \"string\"]", TYPES),
    ("type", "[[\"string\"]]", TYPES),
    ("enum", "[]", "an array with at least one value"),
    ("required", "[\"a\", \"a\"]", "an array of distinct strings"),
    ("required", "[1]", "an array of distinct strings"),
    ("dependentRequired", "{\"a\": [1]}", "an object whose members are arrays of distinct strings"),
    ("not", "[]", "a schema: an object or a boolean"),
    ("anyOf", "[]", "an array with at least one schema"),
    ("items", "7", "a schema: an object or a boolean"),
];
const TYPES: &str =
    "one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`, or an array of distinct ones";

#[test]
fn a_keyword_of_the_wrong_shape_is_told_what_it_has_to_hold() {
    for (keyword, value, expected) in SHAPES {
        let text = format!(r#"{{"type":"object","properties":{{"a":{{"{keyword}":{value}}}}}}}"#);
        let found = Schema::compile(&SchemaSource::text(&text), SchemaRole::Arguments).err().unwrap_or_default();
        let told: Vec<_> = found.iter().map(|problem| &*problem.problem).collect();
        assert!(told.contains(&&*format!("the value of `{keyword}` is not {expected}")), "{text}: {told:?}");
        assert!(found.iter().any(|problem| problem.remedy == format!("write {expected}")), "{text}: {found:?}");
    }
}

/// `items` of 2020-12 is one schema; a list of them has another name. No other keyword has.
#[test]
fn a_list_of_schemas_by_position_is_told_its_name() {
    for (keyword, remedy) in [
        ("items", "for a list of schemas by position, use `prefixItems`"),
        ("contains", "write a schema: an object or a boolean"),
    ] {
        assert_eq!(problems(&with(json!({keyword: [{"type": "string"}]})))[0].remedy, remedy);
    }
}

/// What draft-04 says otherwise.
#[test]
fn dialects_differ_in_what_a_keyword_holds() {
    for (keyword, value, old, new) in [
        ("minLength", "2.0", false, true),
        ("minLength", "2", true, true),
        ("dependencies", "{\"a\": []}", false, true),
        ("dependencies", "{\"a\": [\"b\"]}", true, true),
        ("dependencies", "{\"a\": [\"b\", \"b\"]}", false, false),
        ("dependencies", "{\"a\": 7}", false, false),
    ] {
        for (dialect, fits) in [(Dialect::Draft4, old), (Dialect::Draft6, new), (Dialect::Draft7, new)] {
            let uri = dialect.uri();
            let text = format!(
                r#"{{"$schema":"{uri}","type":"object","properties":{{"a":{{}},"b":{{}},"c":{{"properties":{{"a":{{}},"b":{{}}}},"{keyword}":{value}}}}}}}"#
            );
            let compiled = Schema::compile(&SchemaSource::text(&text), SchemaRole::Arguments);
            assert_eq!(compiled.is_ok(), fits, "{text}: {:?}", compiled.err());
        }
    }
    let fraction = r#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","minProperties":0.0}"#;
    let compiled = Schema::compile(&SchemaSource::text(fraction), SchemaRole::Arguments);
    let told = compiled.err().unwrap_or_default().iter().map(|problem| problem.remedy.clone()).collect::<Vec<_>>();
    assert_eq!(told, ["write an integer from 0 to 2^64 - 1, without a fraction"]);
}

#[test]
fn a_keyword_says_to_what_it_applies_and_which_dialects_have_it() {
    for (property, told) in [
        (json!({"type": "integer", "minLength": 1}), "strings"),
        (json!({"type": "string", "minimum": 1}), "numbers"),
        (json!({"type": "string", "minItems": 1}), "arrays"),
        (json!({"type": "string", "minProperties": 1}), "objects"),
    ] {
        let found = problems(&with(property.clone()));
        assert!(found.iter().any(|problem| problem.problem.contains(told)), "{property}: {found:?}");
    }
    let old = json!({"$schema": Dialect::Draft4.uri(), "type": "object", "properties": {"a": {"const": 1}}});
    let found = problems(&old);
    assert!(
        found[0].remedy.ends_with("or declare a dialect that has it (draft-06, draft-07, 2019-09, 2020-12)"),
        "{found:?}"
    );
}

/// A value is as bounded as a text.
#[test]
fn a_schema_that_is_a_value_is_bounded_in_depth() {
    let deep = |inner: Value, wrap: fn(Value) -> Value, levels: usize| (0..levels).fold(inner, |inner, _| wrap(inner));
    for wrap in [|inner| json!({"items": inner}), |inner| json!([inner])] {
        let within = |levels| with(json!({"examples": [deep(json!(1), wrap, levels)]}));
        // Six levels are around it.
        assert_eq!(problems(&within(MAX_SCHEMA_DEPTH - 6)), []);
        let found = problems(&within(MAX_SCHEMA_DEPTH + 1));
        assert_eq!((found.len(), &*found[0].pointer), (1, ""), "{found:?}");
    }
}

/// The remedy can be copied as it is.
#[test]
fn a_reference_that_is_no_uri_is_told_how_to_write_it() {
    for (written, right) in [
        ("#/$defs/a b", "#/$defs/a%20b"),
        ("#/$defs/ä", "#/$defs/%C3%A4"),
        ("#/$defs/a%20b c", "#/$defs/a%20b%20c"),
        ("#/$defs/a%2 b", "#/$defs/a%252%20b"),
        ("#/$defs/a%zz", "#/$defs/a%25zz"),
        ("#/$defs/a%z0", "#/$defs/a%25z0"),
        ("#/$defs/a^b", "#/$defs/a%5Eb"),
        ("#/$defs/~1-._!$&'()*+,;=:@?\"", "#/$defs/~1-._!$&'()*+,;=:@?%22"),
    ] {
        let found = problems(&with(json!({"$ref": written})));
        assert_eq!(found.iter().map(|it| &*it.remedy).collect::<Vec<_>>(), [format!("write `{right}`")], "{written}");
    }
}

#[test]
fn identifiers_and_anchors_are_names_of_one_schema() {
    let twice = |one: Value, other: Value| json!({"type": "object", "$defs": {"a": one, "b": other}});
    let old = |id: &str| json!({"$schema": Dialect::Draft7.uri(), "type": "object", "definitions": {"a": {"$id": id}}});
    for (schema, problem) in [
        (twice(json!({"$id": "urn:a"}), json!({"$id": "urn:a"})), "`$id` is given to two schemas"),
        (twice(json!({"$anchor": "a"}), json!({"$anchor": "a"})), "the same anchor is given twice"),
        (twice(json!({"$anchor": "1a"}), json!({})), "`$anchor` is not a name"),
        (twice(json!({"$anchor": "-a"}), json!({})), "`$anchor` is not a name"),
        (twice(json!({"$anchor": "a b"}), json!({})), "`$anchor` is not a name"),
        (twice(json!({"$anchor": "aé"}), json!({})), "`$anchor` is not a name"),
        (twice(json!({"$anchor": ""}), json!({})), "`$anchor` is not a name"),
        (twice(json!({"$id": "#a"}), json!({})), "`$id` has a fragment"),
        (old("urn:a#b"), "`$id` has a fragment"),
        (old("#1a"), "`$id` is not a name"),
    ] {
        let found = problems(&schema);
        assert_eq!(found.iter().map(|it| &*it.problem).collect::<Vec<_>>(), [problem], "{schema}");
    }
    for schema in [
        twice(json!({"$id": "urn:a"}), json!({"$id": "urn:b"})),
        twice(json!({"$anchor": "_a"}), json!({"$anchor": "a-1_b.c"})),
        // The same name in two resources is two names.
        twice(json!({"$id": "urn:a", "$anchor": "a"}), json!({"$anchor": "a"})),
        json!({"$id": "#", "type": "object"}),
        json!({"$schema": Dialect::Draft7.uri(), "$id": "#", "type": "object"}),
        old("#a"),
        old("urn:a#"),
    ] {
        assert_eq!(problems(&schema), [], "{schema}");
    }
}

/// The dialect, a schema of it that is wrong, its place, the problem, and how the remedy begins.
type Told = (Dialect, Value, &'static str, &'static str, &'static str);

/// What another dialect calls otherwise, or does not have, is told in the words of this one.
#[test]
fn what_is_of_another_dialect_is_told_how_to_write_it_here() {
    use Dialect::{Draft4, Draft7, Draft202012};
    let property = |schema: Value| json!({"properties": {"a": schema, "b": {}}});
    let rows: Vec<Told> = vec![
        (
            Draft202012,
            property(json!({"dependencies": {}})),
            "/properties/a/dependencies",
            "`dependencies` is not a keyword of JSON Schema 2020-12",
            "write it as `dependentRequired` or `dependentSchemas`; or declare",
        ),
        (
            Draft202012,
            property(json!({"additionalItems": false})),
            "/properties/a/additionalItems",
            "`additionalItems` is not a keyword of JSON Schema 2020-12",
            "write it as `items`, and the array before it as `prefixItems`; or declare",
        ),
        (
            Draft7,
            property(json!({"prefixItems": [{}]})),
            "/properties/a/prefixItems",
            "`prefixItems` is not a keyword of JSON Schema draft-07",
            "write it as an array in `items`; or declare",
        ),
        (
            Draft202012,
            property(json!({"example": 1})),
            "/properties/a/example",
            "`example` is not a keyword of JSON Schema 2020-12",
            "write it as `examples`, an array",
        ),
        (
            Draft202012,
            property(json!({"$recursiveRef": "#"})),
            "/properties/a/$recursiveRef",
            "`$recursiveRef` is not a keyword of JSON Schema 2020-12",
            "write it as `$dynamicRef` and `$dynamicAnchor`; or declare",
        ),
        (
            Draft7,
            property(json!({"id": "urn:a"})),
            "/properties/a/id",
            "`id` is not a keyword of JSON Schema draft-07",
            "write it as `$id`, or move it under `properties` if it is one; or declare",
        ),
        (
            Draft4,
            property(json!({"$id": "urn:a"})),
            "/properties/a/$id",
            "`$id` is not a keyword of JSON Schema draft-04",
            "write it as `id`; or declare",
        ),
        (
            Draft4,
            property(json!({"required": []})),
            "/properties/a/required",
            "an empty list is no value of `required` in draft-04",
            "remove it, or name a property",
        ),
        (
            Draft4,
            property(json!({"properties": {"x": true}})),
            "/properties/a/properties/x",
            "is not a schema of draft-04",
            "write an object of keywords; `{}` allows everything",
        ),
        (
            Draft7,
            property(json!({"properties": {"a": {}}, "dependencies": {"a": {"minProps": 1}}})),
            "/properties/a/dependencies/a/minProps",
            "`minProps` is not a keyword of JSON Schema draft-07",
            "the closest keyword is `minProperties`",
        ),
    ];
    for (dialect, mut schema, place, problem, remedy) in rows {
        schema["$schema"] = json!(dialect.uri());
        schema["type"] = json!("object");
        let found = problems(&schema);
        let told: Vec<_> = found.iter().map(|it| (&*it.pointer, &*it.problem)).collect();
        assert_eq!(told, [(place, problem)], "{schema}");
        assert!(found[0].remedy.starts_with(remedy), "{schema}: {}", found[0].remedy);
    }
}

#[test]
fn what_is_no_schema_is_told_where_it_stands() {
    for wrong in [json!([]), json!(7), json!("x"), json!(null)] {
        let found = problems(&with(json!({"properties": {"x": wrong}})));
        let told: Vec<_> = found.iter().map(|it| (&*it.pointer, &*it.problem, &*it.remedy)).collect();
        let remedy = "write an object of keywords, or a boolean";
        assert_eq!(told, [("/properties/a/properties/x", "is not a schema", remedy)], "{wrong}");
    }
    let encoded = &problems(&with(json!({"contentEncoding": "BASE64"})))[0];
    assert_eq!(encoded.problem, "the value `BASE64` of `contentEncoding` is not known, so nothing would check it");
    assert!(encoded.remedy.starts_with("use a known one (base16, base32"), "{}", encoded.remedy);
    for (foreign, problem) in [
        (json!("dict"), "`dict` is no type of JSON Schema"),
        (json!(["float", "null"]), "`float` is no type of JSON Schema"),
    ] {
        assert_eq!(problems(&with(json!({"type": foreign})))[0].problem, problem);
    }
}

/// What stands after `$defs` is not below it.
#[test]
fn an_identifier_means_nothing_below_defs_of_older_dialects_only() {
    let schema = |named: &str| json!({"$schema": Dialect::Draft7.uri(), "type": "object", "$defs": {"a": {}}, named: {"b": {"$id": "urn:b"}}});
    assert_eq!(problems(&schema("properties")), []);
    assert_eq!(problems(&schema("definitions")), []);
    assert_eq!(problems(&schema("$defs")).len(), 1);
}
