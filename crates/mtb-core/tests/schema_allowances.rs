//! What a host may allow although nothing checks it, and what it may not.

use mtb_core::{Dialect, Schema, SchemaProblem, SchemaRole, SchemaSource};
use serde_json::{Value, json};

fn compile(source: &SchemaSource) -> Result<Schema, Vec<SchemaProblem>> {
    Schema::compile(source, SchemaRole::Arguments)
}

/// An object with one property of this schema.
#[expect(clippy::needless_pass_by_value, reason = "rows are written in place")]
fn with(property: Value) -> Value {
    json!({"type": "object", "properties": {"a": property}})
}

/// Whoever allows it thinks that it is not checked.
#[test]
fn to_allow_what_is_checked_is_refused() {
    let plain = || SchemaSource::text(r#"{"type":"object"}"#);
    for (source, name) in [
        (plain().allow_formats(["email"]), "email"),
        (plain().allow_formats(["sql", "int32"]), "int32"),
        (plain().allow_keywords(["type"]), "type"),
        (plain().allow_keywords(["x-order", "$comment"]), "$comment"),
        (plain().allow_dialect("https://json-schema.org/draft-07/schema", Dialect::Draft202012), "draft-07"),
    ] {
        let problems = compile(&source).unwrap_err();
        assert_eq!((problems.len(), &*problems[0].pointer), (1, ""), "{name}");
        assert!(problems[0].problem.contains(name) && problems[0].remedy.contains("`allow_"), "{problems:?}");
    }
    // A list for many tools may hold what this one does not use, or what only another dialect has.
    for source in [
        plain().allow_formats(["sql"]).allow_keywords(["x-order", "nullable"]),
        plain().allow_keywords(["prefixItems", "id", "const", "contentEncoding"]),
        plain().allow_dialect("https://example.com/mine", Dialect::Draft7),
    ] {
        assert!(compile(&source).unwrap().allowances().is_empty());
    }
}

#[test]
fn content_that_nothing_checks_is_refused_unless_it_is_allowed() {
    let all = json!({"contentEncoding": "7bit", "contentMediaType": "text/plain", "contentSchema": {"unheard-of": 1}});
    for (schema, place) in [
        (with(json!({"contentEncoding": "BASE64"})), "/properties/a/contentEncoding"),
        (with(json!({"items": {"contentMediaType": "image/png"}})), "/properties/a/items/contentMediaType"),
        (with(json!({"contentSchema": {}})), "/properties/a/contentSchema"),
        (with(json!({"contentMediaType": "application/json", "contentEncoding": 1})), "/properties/a/contentEncoding"),
    ] {
        let problems = compile(&SchemaSource::value(schema)).unwrap_err();
        assert_eq!((problems.len(), &*problems[0].pointer), (1, place), "{problems:?}");
    }
    let source = SchemaSource::value(with(all));
    let allowed = source.allow_keywords(["contentEncoding", "contentMediaType", "contentSchema"]);
    let schema = compile(&allowed).unwrap();
    assert_eq!(schema.validate(&json!({"a": "\u{e9}"})), Ok(()));
    assert_eq!(schema.allowances().to_string(), "keywords `contentEncoding`, `contentMediaType`, `contentSchema`");
    // What can be checked is, allowed or not.
    let known = SchemaSource::value(with(json!({"contentEncoding": "base64"}))).allow_keywords(["contentEncoding"]);
    let schema = compile(&known).unwrap();
    assert!(schema.allowances().is_empty() && schema.validate(&json!({"a": "%"})).is_err());
}

/// A review reads what was widened, point by point.
#[test]
fn what_is_allowed_is_told_and_is_no_part_of_the_schema() {
    let mine = "https://example.com/mine";
    let text = format!(
        r#"{{"$schema":"{mine}","type":"object","properties":{{"a":{{"type":"string","format":"sql","x-order":1}}}}}}"#
    );
    let source = SchemaSource::text(&text).allow_formats(["sql"]).allow_keywords(["x-order"]);
    let schema = compile(&source.allow_dialect(mine, Dialect::Draft7)).unwrap();
    let allowed = schema.allowances();
    assert_eq!(allowed.formats().collect::<Vec<_>>(), ["sql"]);
    assert_eq!(allowed.keywords().collect::<Vec<_>>(), ["x-order"]);
    assert_eq!(allowed.dialects().collect::<Vec<_>>(), [(mine, Dialect::Draft7)]);
    assert_eq!(schema.text(), text);
    assert_eq!(schema.value()["properties"]["a"], json!({"type": "string", "format": "sql"}));
    for (one, source) in [
        ("formats `sql`", SchemaSource::value(with(json!({"format": "sql"}))).allow_formats(["sql"])),
        ("keywords `x-order`", SchemaSource::value(with(json!({"x-order": 1}))).allow_keywords(["x-order"])),
    ] {
        let schema = compile(&source).unwrap();
        assert!(!schema.allowances().is_empty());
        assert_eq!(schema.allowances().to_string(), one);
    }
    let only_dialect = format!(r#"{{"$schema":"{mine}","type":"object"}}"#);
    let schema = compile(&SchemaSource::text(&only_dialect).allow_dialect(mine, Dialect::Draft7)).unwrap();
    assert!(!schema.allowances().is_empty());
    assert!(compile(&SchemaSource::text(r#"{"type":"object"}"#)).unwrap().allowances().is_empty());
}

/// Whoever goes by the header has to be told the same as whoever goes by the argument, by every client.
#[test]
fn a_header_is_named_where_everybody_finds_it() {
    let check = |schema: Value| {
        let problems = compile(&SchemaSource::value(schema).allow_keywords(["x-mcp-header"])).err();
        problems.map(|problems| {
            assert_eq!(problems.len(), 1, "{problems:?}");
            (problems[0].pointer.clone(), problems[0].problem.clone())
        })
    };
    for property in [
        json!({"type": "string", "x-mcp-header": "Region"}),
        json!({"type": ["integer", "null"], "x-mcp-header": "Priority"}),
        json!({"type": "boolean", "x-mcp-header": "Urgent"}),
        json!({"type": "object", "properties": {"properties": {"type": "string", "x-mcp-header": "Zone"}}}),
        json!({"type": "object", "properties": {"x-mcp-header": {"type": "object"}}}),
    ] {
        assert_eq!(check(with(property.clone())), None, "{property}");
    }
    let place = "/properties/a/x-mcp-header";
    for (property, place, word) in [
        (json!({"type": "string", "x-mcp-header": ""}), place, "no name"),
        (json!({"type": "string", "x-mcp-header": "My Region"}), place, "no name"),
        (json!({"type": "string", "x-mcp-header": "a".repeat(129)}), place, "no name"),
        (json!({"type": "string", "x-mcp-header": "Région"}), place, "no name"),
        (json!({"type": "string", "x-mcp-header": 7}), place, "no name"),
        (json!({"type": "number", "x-mcp-header": "Score"}), place, "strings, integers and booleans"),
        (json!({"type": ["string", "object"], "x-mcp-header": "Data"}), place, "strings, integers and booleans"),
        (json!({"enum": ["east", "west"], "x-mcp-header": "Region"}), place, "strings, integers and booleans"),
        (json!({"anyOf": [{"type": "string"}], "x-mcp-header": "Region"}), place, "strings, integers and booleans"),
        (
            json!({"type": "array", "items": {"type": "string", "x-mcp-header": "Region"}}),
            "/properties/a/items/x-mcp-header",
            "no one property",
        ),
        (
            json!({"anyOf": [{"type": "string", "x-mcp-header": "Region"}]}),
            "/properties/a/anyOf/0/x-mcp-header",
            "no one property",
        ),
    ] {
        let (found, problem) = check(with(property.clone())).expect("a problem");
        assert!(found == place && problem.contains(word), "{property}: {found} {problem}");
    }
    let referred = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/h"}},
        "$defs": {"h": {"type": "string", "x-mcp-header": "Region"}}});
    assert_eq!(check(referred).map(|(place, _)| place).as_deref(), Some("/$defs/h/x-mcp-header"));
    let root = json!({"type": "object", "x-mcp-header": "Region"});
    assert_eq!(check(root).map(|(place, _)| place).as_deref(), Some("/x-mcp-header"));
    let twice = json!({"type": "object", "properties": {
        "a": {"type": "string", "x-mcp-header": "Region"}, "b": {"type": "string", "x-mcp-header": "REGION"}}});
    assert_eq!(check(twice).map(|(place, _)| place).as_deref(), Some("/properties/b/x-mcp-header"));
}
