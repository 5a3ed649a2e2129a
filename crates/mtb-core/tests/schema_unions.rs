//! Which form of a union came closest, and that what fits is never told.
#![expect(clippy::unwrap_used, reason = "a schema of a test compiles")]

use mtb_core::{Dialect, Schema, SchemaRole, SchemaSource};
use serde_json::{Value, json};

/// `path: message` of every issue, joined by ` | `.
fn told(schema: &Value, value: &Value) -> String {
    let schema = Schema::compile(&SchemaSource::value(schema.clone()), SchemaRole::Output).unwrap();
    let issues = schema.validate(value).unwrap_err();
    issues.iter().map(|issue| format!("{}: {}", issue.path, issue.message)).collect::<Vec<_>>().join(" | ")
}

/// Everything that a type takes stands beside the one mistake, which alone is told.
#[test]
fn what_fits_its_type_is_not_told() {
    for dialect in Dialect::ALL {
        for (name, values) in [
            ("null", json!([null])),
            ("boolean", json!([true, false])),
            ("number", json!([0, -1, 0.5, 1e300, u64::MAX])),
            ("integer", json!([0, -1, i64::MIN, i64::MAX, u64::MAX])),
            ("string", json!(["", "1"])),
            ("array", json!([[], [1]])),
            ("object", json!([{}, {"a": 1}])),
        ] {
            let other = if name == "null" { "string" } else { "null" };
            let schema = json!({
                "$schema": dialect.uri(),
                "properties": {
                    "fits": {"type": "array", "items": {"type": name}},
                    "also": {"type": "array", "items": {"type": [other, name]}},
                    "wrong": {"type": "string"},
                },
            });
            let value = json!({"fits": values, "also": values, "wrong": 1});
            assert_eq!(told(&schema, &value), "/wrong: must be a string, not an integer", "{dialect} {name}");
        }
    }
}

/// Of 1.0, only draft-04 says that it is no integer; so it is told there alone.
#[test]
fn a_whole_double_is_told_where_it_is_no_integer() {
    for dialect in Dialect::ALL {
        for double in [json!(1.0), json!(-0.0), json!(1e300)] {
            let schema = json!({"$schema": dialect.uri(), "properties": {"whole": {"type": "integer"}, "wrong": {"type": "string"}}});
            let told = told(&schema, &json!({"whole": double, "wrong": 1}));
            let count = told.split(" | ").count();
            assert_eq!(count, if dialect == Dialect::Draft4 { 2 } else { 1 }, "{dialect} {double}: {told}");
        }
    }
}

#[test]
fn every_type_has_its_noun() {
    for (name, noun) in [
        ("null", "null"),
        ("boolean", "a boolean"),
        ("number", "a number"),
        ("integer", "an integer"),
        ("string", "a string"),
        ("array", "an array"),
        ("object", "an object"),
    ] {
        let value = if name == "string" { json!(true) } else { json!("x") };
        let came = if name == "string" { "a boolean" } else { "a string" };
        assert_eq!(told(&json!({"type": name}), &value), format!(": must be {noun}, not {came}"));
    }
}

#[test]
fn a_union_that_the_value_fits_is_not_told() {
    for (keyword, forms) in [
        ("oneOf", json!([{"type": "integer"}, {"type": "string"}])),
        ("anyOf", json!([{"type": "integer"}, {"type": "string"}])),
        ("anyOf", json!([{"type": "integer"}, {"minimum": 1}, {"type": "number"}])),
    ] {
        let schema = json!({"properties": {"a": {keyword: forms}, "wrong": {"type": "string"}}});
        assert_eq!(told(&schema, &json!({"a": 1, "wrong": 1})), "/wrong: must be a string, not an integer");
    }
    let twice = json!({"oneOf": [{"minimum": 1}, {"minimum": 2}, {"minimum": 9}]});
    assert_eq!(told(&twice, &json!(5)), ": fits more than one form of `oneOf`, and must fit exactly one");
    assert_eq!(told(&twice, &json!(0)), ": must be at least 1 (in form number 1 of 3, which comes closest)",);
}

#[test]
fn the_closest_form_is_named_wherever_it_stands() {
    let requires = |names: &[&str]| json!({"type": "object", "required": names});
    let kind = |kind: &str, names: &[&str]| json!({"properties": {"kind": {"const": kind}}, "required": names});
    for (forms, value, expected) in [
        // The fewest issues.
        (
            json!([requires(&["a", "b", "c"]), requires(&["a", "b"]), requires(&["b"])]),
            json!({}),
            "/b: is required (in form number 3 of 3, which comes closest)",
        ),
        (
            json!([requires(&["a", "b", "c"]), requires(&["b"]), requires(&["a", "b"])]),
            json!({}),
            "/b: is required (in form number 2 of 3, which comes closest)",
        ),
        // A form whose constant is there is meant, even if more is wrong in it.
        (
            json!([kind("a", &[]), kind("b", &["x", "y"])]),
            json!({"kind": "b"}),
            "/x: is required (in form number 2 of 2, which comes closest) | /y: is required (in form number 2 of 2, which comes closest)",
        ),
        // The fewest constants that differ.
        (
            json!([
                {"properties": {"one": {"const": 1}, "two": {"const": 2}}},
                {"properties": {"one": {"const": 3}}, "required": ["x", "y"]},
            ]),
            json!({"one": 0, "two": 0}),
            "/x: is required (in form number 2 of 2, which comes closest) | /y: is required (in form number 2 of 2, which comes closest) | /one: must be `3` (in form number 2 of 2, which comes closest)",
        ),
        // What is wrong with the value itself is further off than what is wrong in it.
        (
            json!([{"enum": [1, 2]}, {"minimum": 10, "multipleOf": 3}]),
            json!(5),
            ": must be at least 10 (in form number 2 of 2, which comes closest) | : must be a multiple of 3 (in form number 2 of 2, which comes closest)",
        ),
        // Forms for other kinds of values are no choice.
        (
            json!([{"type": "array"}, {"type": "string", "minLength": 3, "pattern": "^a"}]),
            json!("x"),
            ": must have at least 3 characters | : must match the pattern `^a`",
        ),
        // Unless all of them are.
        (
            json!([{"allOf": [{"type": "string"}, {"minimum": 9}]}, {"type": "array"}]),
            json!(5),
            ": must be an array, not an integer (in form number 2 of 2, which comes closest)",
        ),
    ] {
        let schema = json!({"properties": {"a": {}, "b": {}, "c": {}, "x": {}, "y": {}}, "anyOf": forms});
        assert_eq!(told(&schema, &value), expected, "{forms}");
    }
}

/// What nothing declares is a mistake beside the one in a form.
#[test]
fn a_form_that_does_not_fit_hides_no_undeclared_property() {
    let schema = json!({
        "anyOf": [{"properties": {"card": {"type": "string"}}, "required": ["card"]}],
        "unevaluatedProperties": {"type": "string"},
    });
    assert_eq!(
        told(&schema, &json!({"card": 1, "extra": 2})),
        "/card: must be a string, not an integer | /extra: must be a string, not an integer",
    );
}

#[test]
fn every_format_has_its_noun() {
    for (format, noun) in [
        ("date", "a date such as 2026-01-31"),
        ("date-time", "a date and time with an offset, such as 2026-01-31T12:00:00Z"),
        ("duration", "a duration such as P1DT2H"),
        ("email", "an email address"),
        ("hostname", "a host name"),
        ("ipv4", "an IPv4 address"),
        ("ipv6", "an IPv6 address"),
        ("json-pointer", "a JSON Pointer"),
        ("regex", "a regular expression"),
        ("time", "a time with an offset, such as 12:00:00Z"),
        ("uri", "an absolute URI"),
        ("uuid", "a UUID"),
        ("uri-template", "of another form"),
    ] {
        let schema = json!({"type": "string", "format": format});
        assert_eq!(told(&schema, &json!("{( ")), format!(": must be {noun} (format `{format}`)"));
    }
}
