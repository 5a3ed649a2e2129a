//! What is refused of a value, and what is said about it.

use expect_test::{Expect, expect};
use mtb_core::{Issue, MAX_BACKTRACKED_BYTES, MAX_ISSUES, Schema, SchemaRole, SchemaSource};
use serde_json::{Value, json};

const MAIL: &str = r#"{"type": "object", "properties": {
    "to": {"type": "string", "format": "email"},
    "subject": {"type": "string", "minLength": 1},
    "copies": {"type": "integer", "minimum": 0, "default": 0},
    "attachments": {"type": "array", "items": {"type": "string"}}
}, "required": ["to", "subject"], "additionalProperties": false}"#;

#[expect(clippy::unwrap_used, reason = "a schema of a test compiles")]
fn schema(text: &str) -> Schema {
    Schema::compile(&SchemaSource::text(text), SchemaRole::Arguments).unwrap()
}

fn issues(schema: &Schema, value: &Value) -> Vec<Issue> {
    schema.validate(value).err().unwrap_or_default()
}

fn paths(text: &str, value: &Value) -> Vec<String> {
    issues(&schema(text), value).into_iter().map(|issue| issue.path).collect()
}

#[track_caller]
fn check(text: &str, value: &Value, expected: &Expect) {
    let lines = issues(&schema(text), value);
    let lines: Vec<_> =
        lines.iter().map(|it| format!("{} {} [{} {}]", it.path, it.message, it.keyword, it.declared)).collect();
    expected.assert_eq(&lines.join("\n"));
}

/// A schema of one optional property `a`.
fn one(property: &str) -> String {
    format!(r#"{{"type": "object", "properties": {{"a": {property}}}}}"#)
}

#[test]
fn mail_is_refused_with_a_reason_and_accepted_unchanged() {
    let good = json!({"to": "ada@example.com", "subject": "s"});
    check(MAIL, &good, &expect![""]); // cases 235, 242, 253
    check(MAIL, &json!({"to": "ada@example.com"}), &expect!["/subject is required [required /required]"]); // case 236
    check(
        MAIL,
        &json!({"to": "ada@example.com", "subject": "s", "copie": 1}),
        &expect!["/copie is not a declared property; closest is `copies` [additionalProperties /additionalProperties]"],
    ); // case 237
    check(
        MAIL,
        &json!({"attachments": ["x", 1], "subject": "", "to": "ada"}),
        &expect![[r"
            /to must be an email address (format `email`) [format /properties/to/format]
            /subject must have at least 1 character [minLength /properties/subject/minLength]
            /attachments/1 must be a string, not an integer [type /properties/attachments/items/type]"]],
    ); // case 238
    check(
        MAIL,
        &json!({"to": "ada@example.com", "subject": "s", "copies": "3"}),
        &expect!["/copies must be an integer, not a string [type /properties/copies/type]"],
    ); // case 241
    for (value, kind) in
        [(json!([]), "an array"), (json!("hello"), "a string"), (json!(42), "an integer"), (json!(null), "null")]
    {
        let found = issues(&schema(MAIL), &value); // case 243
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].path.as_str(), &found[0].message), ("", &format!("must be an object, not {kind}")));
    }
}

#[test]
fn at_most_twenty_issues_are_told() {
    let names: Vec<_> = (0..30).map(|index| format!("p{index}")).collect();
    let properties: serde_json::Map<_, _> = names.iter().map(|name| (name.clone(), json!({}))).collect();
    let text = json!({"type": "object", "properties": properties, "required": names}).to_string();
    assert_eq!(paths(&text, &json!({})).len(), MAX_ISSUES); // case 239
    let unknown: Value = (0..50_000).map(|index| (format!("q{index}"), json!(0))).collect();
    assert_eq!(paths(MAIL, &unknown).len(), MAX_ISSUES);
}

#[test]
fn names_are_escaped_and_cut() {
    let text = r#"{"type": "object", "properties": {"a/b": {"type": "string"}, "c~d": {"type": "string"}}, "additionalProperties": false}"#;
    assert_eq!(paths(text, &json!({"a/b": 1, "c~d": 2})), ["/a~1b", "/c~0d"]); // case 240
    let path = &paths(text, &json!({"x\u{202e}\n/": 1}))[0];
    assert_eq!(path, "/x ~1");
    assert_eq!(paths(text, &json!({"y".repeat(500): 1}))[0].chars().count(), 1 + 128 + 1);
}

#[test]
fn messages_say_what_was_expected() {
    for (property, value, expected) in [
        (
            r#"{"enum": ["a", "b", 1]}"#,
            json!("x"),
            expect!["/a must be one of: `a`, `b`, `1` [enum /properties/a/enum]"],
        ),
        (r#"{"const": "yes"}"#, json!("no"), expect!["/a must be `yes` [const /properties/a/const]"]),
        (r#"{"maximum": 3}"#, json!(4), expect!["/a must be at most 3 [maximum /properties/a/maximum]"]),
        (
            r#"{"multipleOf": 0.1}"#,
            json!(0.25),
            expect!["/a must be a multiple of 0.1 [multipleOf /properties/a/multipleOf]"],
        ),
        (
            r#"{"pattern": "^[A-Z]+$"}"#,
            json!("x"),
            expect!["/a must match the pattern `^[A-Z]+$` [pattern /properties/a/pattern]"],
        ),
        (
            r#"{"uniqueItems": true}"#,
            json!([1, 2, 1]),
            expect![
                "/a/2 is equal to the item at index 0, and items must be distinct [uniqueItems /properties/a/uniqueItems]"
            ],
        ),
        (r#"{"maxItems": 1}"#, json!([1, 2]), expect!["/a must have at most 1 item [maxItems /properties/a/maxItems]"]),
        (
            r#"{"not": {"type": "string"}}"#,
            json!("x"),
            expect!["/a has a form that is excluded by `not` [not /properties/a/not]"],
        ),
        (
            r#"{"type": ["string", "null"]}"#,
            json!(1),
            expect!["/a must be a string or null, not an integer [type /properties/a/type]"],
        ),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#,
            json!([]),
            expect!["/a must be a string or an integer, not an array [anyOf /properties/a/anyOf]"],
        ),
        (
            r#"{"oneOf": [{"title": "Card", "type": "object", "properties": {"kind": {"const": "card"}, "number": {"type": "string"}}, "required": ["kind", "number"]},
            {"title": "Cash", "type": "object", "properties": {"kind": {"const": "cash"}}, "required": ["kind"]}]}"#,
            json!({"kind": "card"}),
            expect![
                "/a/number is required (in form `Card` of 2, which comes closest) [required /properties/a/oneOf/0/required]"
            ],
        ),
        (
            r##"{"anyOf": [{"$ref": "#/properties/a/$defs/x"}, {"type": "null"}], "$defs": {"x": {"type": "object", "properties": {"n": {"type": "integer"}}}}}"##,
            json!({"n": "1"}),
            expect!["/a/n must be an integer, not a string [type /properties/a/$defs/x/properties/n/type]"],
        ),
        (
            r#"{"properties": {"name": {}}, "unevaluatedProperties": false}"#,
            json!({"names": 1}),
            expect![
                "/a/names is not a declared property; closest is `name` [unevaluatedProperties /properties/a/unevaluatedProperties]"
            ],
        ),
        (
            r#"{"properties": {"b": {}}, "dependentRequired": {"x": ["b"]}}"#,
            json!({"x": 1}),
            expect!["/a/b is required when `x` is given [dependentRequired /properties/a/dependentRequired/x]"],
        ),
        (
            r#"{"if": {"type": "string"}, "then": {"minLength": 3}}"#,
            json!("x"),
            expect!["/a must have at least 3 characters [minLength /properties/a/then/minLength]"],
        ),
        ("false", json!(1), expect!["/a is not allowed here [false /properties/a]"]),
    ] {
        check(&one(property), &json!({"a": value}), &expected);
    }
}

#[test]
fn a_match_that_does_not_end_is_refused_wherever_it_stands() {
    let long = json!({"a": format!("{}!", "a".repeat(200))});
    let endless = r#"{"pattern": "^(a|aa)+\\1c$"}"#;
    for property in [
        endless.to_owned(),
        format!(r#"{{"not": {endless}}}"#),
        format!(r#"{{"not": {{"not": {endless}}}}}"#),
        format!(r#"{{"oneOf": [{endless}, {{"type": "integer"}}]}}"#),
        format!(r#"{{"if": {endless}, "then": false}}"#),
    ] {
        assert_eq!(paths(&one(&property), &long).len(), 1, "{property}");
    }
    // This one would end, after more steps than a match may take.
    let slow = json!({"a": format!("{}!", "a".repeat(20))});
    assert_eq!(paths(&one(&format!(r#"{{"not": {endless}}}"#)), &slow).len(), 1);
    let linear = one(r#"{"pattern": "(a+)+$"}"#);
    let found = issues(&schema(&linear), &json!({"a": format!("{}!", "a".repeat(100_000))}));
    assert_eq!(found[0].message, "must match the pattern `(a+)+$`");
    let around = one(r#"{"pattern": "^(?=.*[0-9])(?!.* ).{8,}$"}"#);
    assert_eq!(paths(&around, &json!({"a": "passw0rd"})), [""; 0]);
    assert_eq!(paths(&around, &json!({"a": "pass w0rd"})), ["/a"]);
}

#[test]
fn recursion_ends() {
    let tree = r##"{"type": "object", "properties": {"value": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["value"], "additionalProperties": false}"##;
    let deep = |leaf: Value| (0..60).fold(leaf, |kid, _| json!({"value": 1, "kids": [kid]}));
    assert_eq!(paths(tree, &deep(json!({"value": 1}))), [""; 0]);
    assert_eq!(paths(tree, &deep(json!({"value": "x"}))), [format!("{}/value", "/kids/0".repeat(60))]);
    let branches = r##"{"anyOf": [{"$ref": "#/$defs/a"}, {"items": {"$ref": "#/$defs/a"}, "minItems": 2}], "type": ["array", "string"]}"##;
    let wide = format!(
        r##"{{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/b"}}}}, "$defs": {{"a": {{"type": "null"}}, "b": {branches}}}}}"##
    );
    assert_eq!(paths(&wide, &json!({"a": [0, 1]})).len(), 2);
}

#[test]
fn no_message_holds_a_value() {
    let canary = "canary-5107";
    let values = [json!(canary), json!([canary]), json!({"value": canary}), json!([canary, canary])];
    for property in [
        r#"{"type": "boolean"}"#,
        r#"{"enum": ["x"]}"#,
        r#"{"const": 1}"#,
        r#"{"pattern": "^x$", "type": "string"}"#,
        r#"{"format": "email", "type": "string"}"#,
        r#"{"type": "array", "uniqueItems": true, "maxItems": 0}"#,
        r#"{"not": {}}"#,
        r#"{"oneOf": [{"type": "integer"}, {"maxLength": 1, "maxItems": 0, "maxProperties": 0}]}"#,
    ] {
        for value in &values {
            for issue in issues(&schema(&one(property)), &json!({"a": value})) {
                assert!(!format!("{issue:?}").contains(canary), "{property} {issue:?}");
            }
        }
    }
    for issue in issues(&schema(MAIL), &json!({canary: canary})) {
        assert!(!format!("{} {} {}", issue.message, issue.keyword, issue.declared).contains(canary));
    }
}

#[test]
fn patterns_that_backtrack_are_matched_with_little_text_only() {
    let hostile = "(?=.*[0-9])(?=.*[A-Z]).{8,}Q";
    let below = json!({"type": "string", "pattern": hostile, "maxLength": 64});
    let schemas = [
        (json!({"x": below.clone(), "body": {"type": "string"}}), json!({}), "/x"),
        (
            json!({"x": {"type": "object", "patternProperties": {hostile: true}}, "body": {"type": "string"}}),
            json!({}),
            "/x",
        ),
        (json!({"x": {"$ref": "#/properties/y"}, "y": below.clone(), "body": {"type": "string"}}), json!({}), ""),
        (json!({"x": {"$ref": "#/$defs/x"}, "body": {"type": "string"}}), json!({"x": below}), ""),
    ];
    for (properties, defs, path) in schemas {
        let schema = json!({"type": "object", "properties": properties, "additionalProperties": false, "$defs": defs});
        let schema = Schema::compile(&SchemaSource::value(schema), SchemaRole::Arguments).unwrap();
        let long = "a".repeat(MAX_BACKTRACKED_BYTES + 1);
        for value in [json!({"x": long}), json!({"x": {long.clone(): 1}}), json!({"x": vec!["a".repeat(100); 50]})] {
            let issues = schema.validate(&value).unwrap_err();
            assert_eq!((issues.len(), &*issues[0].path, &*issues[0].keyword), (1, path, "pattern"));
            assert_eq!(issues[0].declared, if path.is_empty() { "" } else { "/properties/x" });
        }
        // Text that such a pattern is never matched with is not counted where that can be told.
        let elsewhere = schema.validate(&json!({"body": long}));
        assert_eq!(elsewhere.is_ok(), !path.is_empty());
    }
}

#[test]
fn matches_that_backtrack_are_bounded_in_all() {
    let hostile = |number: usize| format!("^(?!x{number})(a|aa)+(?!a)c$");
    let compile = |below: Value, defs: Value| {
        let schema =
            json!({"type": "object", "properties": {"x": below}, "additionalProperties": false, "$defs": defs});
        Schema::compile(&SchemaSource::value(schema), SchemaRole::Arguments).unwrap()
    };
    let patterns: Vec<Value> = (0..10).map(|number| json!({"pattern": hostile(number)})).collect();
    let text = json!({"pattern": hostile(0)});
    let b = json!("b");
    // So many items are matched in all, and not one more.
    for (items, defs, item, most, path) in [
        (text.clone(), json!({}), b.clone(), 1_000, "/x"),
        (json!({"allOf": patterns}), json!({}), b.clone(), 100, "/x"),
        (json!({"not": {"anyOf": patterns}}), json!({}), b.clone(), 100, "/x"),
        (json!({"allOf": vec![json!({"$ref": "#/$defs/text"}); 20]}), json!({"text": text}), b.clone(), 49, ""),
        (json!({"propertyNames": {"allOf": patterns}}), json!({}), json!({"b": 1}), 100, "/x"),
        (json!({"patternProperties": {hostile(0): {}, hostile(1): {}}}), json!({}), json!({"b": 1}), 500, "/x"),
        (json!({"additionalProperties": text}), json!({}), json!({"b": "b"}), 500, "/x"),
        // A member is matched with its own pattern, not with those of its neighbours.
        (json!({"properties": {"a": text, "b": text}}), json!({}), json!({"b": "b"}), 500, "/x"),
        (json!({"prefixItems": [text, text]}), json!({}), json!(["b", "b"]), 500, "/x"),
    ] {
        let schema = compile(json!({"items": items}), defs);
        let is_bound = |count: usize| match schema.validate(&json!({"x": vec![item.clone(); count]})) {
            Ok(()) => false,
            Err(issues) => issues[0].message.contains("matches are tried") && issues[0].path == path,
        };
        assert!(!is_bound(most), "{items}");
        assert!(is_bound(most + 1), "{items}");
    }
    // Long texts count more, and patterns that take linear time not at all.
    let long = |bytes: usize| json!({"x": ["b".repeat(bytes)]});
    let schema = compile(json!({"items": {"allOf": patterns}}), json!({}));
    assert!(schema.validate(&long(1_599)).unwrap_err()[0].message.contains("must match"));
    assert!(schema.validate(&long(1_600)).unwrap_err()[0].message.contains("matches are tried"));
    let linear = compile(json!({"items": {"allOf": vec![json!({"pattern": "^b"}); 10]}}), json!({}));
    assert_eq!(linear.validate(&json!({"x": vec!["b"; 5_000]})), Ok(()));
}
