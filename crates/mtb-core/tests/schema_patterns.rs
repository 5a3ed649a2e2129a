//! Patterns are regular expressions of ECMA-262 with flag `u`, wherever they stand in a schema.

use expect_test::{Expect, expect};
use mtb_core::{Dialect, Schema, SchemaProblem, SchemaRole, SchemaSource};
use serde_json::{Value, json};

fn compile(schema: Value) -> Result<Schema, Vec<SchemaProblem>> {
    Schema::compile(&SchemaSource::value(schema), SchemaRole::Arguments)
}

#[test]
fn a_refusal_names_the_place_the_piece_and_what_to_write() {
    let check = |schema: Value, expected: Expect| {
        let problems = compile(schema).unwrap_err();
        let told = problems.iter().map(|it| format!("{}: {}: {}\n", it.pointer, it.problem, it.remedy));
        expected.assert_eq(&told.collect::<String>());
    };
    check(
        json!({"type": "object", "properties": {"a": {"pattern": r"\Aid-[[:digit:]]+\z"}}}),
        expect![[r"
            /properties/a/pattern: in the pattern, `\A` is no escape of ECMA-262: write `^`, the start of the text
        "]],
    );
    check(
        json!({"type": "object", "patternProperties": {"(?i)a/b": {"items": {"pattern": "a++"}}}}),
        expect![[r"
            /patternProperties/(?i)a~1b: in the pattern, `(?i` begins no group of ECMA-262: write both cases, such as `[aA]`
            /patternProperties/(?i)a~1b/items/pattern: in the pattern, `++` is one quantifier after another: remove the `+`: ECMA-262 always gives back what it took when that is needed to match
        "]],
    );
    check(
        json!({"type": "object", "propertyNames": {"not": {"pattern": r"(a)|b\1"}}}),
        expect![[r"
            /propertyNames/not/pattern: in the pattern, `\1` refers to a group that may hold nothing there: refer to a group before it that always takes part in the match, and is not repeated by itself
        "]],
    );
    check(
        json!({"type": "object", "properties": {"a": {"pattern": "(?:(?=a))*"}, "b": {"pattern": "(?:[^]{999}){999}"}}}),
        expect![[r"
            /properties/a/pattern: the pattern does not compile: it is too large, or repeats what only looks and takes no text: lower its counts, or remove the quantifier
            /properties/b/pattern: the pattern does not compile: it is too large, or repeats what only looks and takes no text: lower its counts, or remove the quantifier
        "]],
    );
}

#[test]
fn what_clients_see_is_what_was_declared() {
    let declared = r#"{"type":"object","properties":{"a":{"pattern":"^\\d\\-\\w$"},"b":{"const":{"pattern":"\\d"}}}}"#;
    let schema = Schema::compile(&SchemaSource::text(declared), SchemaRole::Arguments).unwrap();
    assert_eq!(schema.text(), declared);
    let issues = schema.validate(&json!({"a": "\u{661}-a"})).unwrap_err();
    assert_eq!(issues[0].message, r"must match the pattern `^\d\-\w$`");
    // What looks like a pattern in a constant is data.
    assert_eq!(schema.validate(&json!({"a": "1-a", "b": {"pattern": r"\d"}})), Ok(()));
    assert!(schema.validate(&json!({"b": {"pattern": "[0-9]"}})).is_err());
}

#[test]
fn patterns_of_names_are_matched_in_every_dialect() {
    for dialect in Dialect::ALL {
        let schema = compile(json!({
            "$schema": dialect.uri(),
            "type": "object",
            "patternProperties": {
                r"^\d+$": {"type": "object", "patternProperties": {r"^\s$": {"type": "string", "pattern": r"^(?!x)\w\-$"}}},
                // The same in other words, so that both have to be kept apart.
                "^[0-9]+$": {"minProperties": 1},
                r"^[\d]+$": {"maxProperties": 2},
                r"(?!a)\bx": {},
            },
            "additionalProperties": false,
        }));
        let schema = schema.unwrap();
        for value in [json!({"1": {"\u{feff}": "a-"}}), json!({"12": {"a": 1, "b": 2}}), json!({"x": 1, "\u{e9}x": 1})]
        {
            assert_eq!(schema.validate(&value), Ok(()), "{dialect} {value}");
        }
        for value in [
            json!({"1": {"\u{feff}": "-"}}),
            json!({"1": {"\u{feff}": "\u{e9}-"}}),
            json!({"1": {"\u{feff}": 1}}),
            json!({"1": {}}),
            json!({"1": {"a": 1, "b": 2, "c": 3}}),
            json!({"\u{661}": {"a": 1}}),
            json!({"1\n": {"a": 1}}),
            json!({"ax": 1}),
        ] {
            assert!(schema.validate(&value).is_err(), "{dialect} {value}");
        }
    }
}

#[test]
fn a_reference_below_a_pattern_finds_what_was_declared_or_is_refused() {
    let schema = |pattern: &str, reference: &str| {
        json!({
            "type": "object",
            "patternProperties": {pattern: {"type": "object", "properties": {"b": {"type": "integer"}}}},
            "properties": {"x": {"$ref": reference}},
        })
    };
    let same = compile(schema("^a", "#/patternProperties/%5Ea/properties/b")).unwrap();
    assert_eq!(same.validate(&json!({"x": 1})), Ok(()));
    assert!(same.validate(&json!({"x": "1"})).is_err());
    for below in ["", "/properties/b"] {
        let problems = compile(schema(r"^\d", &format!("#/patternProperties/%5E%5Cd{below}"))).unwrap_err();
        assert_eq!((problems.len(), &*problems[0].pointer), (1, "/properties/x/$ref"), "{below}");
    }
}
