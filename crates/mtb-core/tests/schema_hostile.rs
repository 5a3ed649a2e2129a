//! Schemas and values that are made, or happen, to cost too much: every answer comes, within bounds, and none panics.

#![expect(clippy::unwrap_used, reason = "a schema of a test compiles")]

use mtb_core::json::{JsonFault, Limits, ScanLimits, scan};
use mtb_core::{CanonicalJson, MAX_ISSUES, MAX_SUBSCHEMAS, Schema, SchemaRole, SchemaSource};
use mtb_fixtures::{Catalogue, Definition};
use serde_json::{Value, json};

/// A third of what a thread of the standard library gets, and far less than the main thread.
const STACK_BYTES: usize = 768 * 1024;

/// 5 MB.
const LARGE: usize = 5_000_000;

/// Runs on a small stack: recursion that follows the input would overflow it.
fn on_a_small_stack(check: fn()) {
    std::thread::Builder::new().stack_size(STACK_BYTES).spawn(check).unwrap().join().unwrap();
}

fn compile(text: &str) -> Schema {
    Schema::compile(&SchemaSource::text(text), SchemaRole::Arguments).unwrap()
}

fn issues(schema: &Schema, value: &Value) -> usize {
    schema.validate(value).err().unwrap_or_default().len()
}

#[test]
fn any_of_ten_levels_deep_is_judged_and_explained() {
    on_a_small_stack(|| {
        let level = |inner: Value, depth: i32| json!({"anyOf": [inner, {"properties": {"a": {"const": depth}}}]});
        let nested = (1..=10).fold(json!({"required": ["a"], "properties": {"a": {"const": 0}}}), level);
        let schema = compile(&json!({"type": "object", "allOf": [nested]}).to_string());
        assert_eq!(schema.validate(&json!({"a": 0})), Ok(()));
        assert_eq!(schema.validate(&json!({"a": 10})), Ok(()));
        assert!((1..=MAX_ISSUES).contains(&issues(&schema, &json!({"a": "x"}))));

        let both = |inner: Value, _| json!({"anyOf": [inner.clone(), inner]});
        let doubled = (0..10).fold(json!({"const": 0}), both);
        let schema = compile(&json!({"type": "object", "properties": {"a": doubled}}).to_string());
        assert!((1..=MAX_ISSUES).contains(&issues(&schema, &json!({"a": 1}))));
    });
}

#[test]
fn references_that_double_at_each_level_are_refused() {
    let level =
        |index: usize| json!({"anyOf": [{"$ref": format!("#/$defs/l{index}")}, {"$ref": format!("#/$defs/l{index}")}]});
    let mut defs: serde_json::Map<_, _> = (0..40).map(|index| (format!("l{index}"), level(index + 1))).collect();
    defs.insert("l40".into(), json!({"const": 1}));
    let text = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/l0"}}, "$defs": defs}).to_string();
    let problems = Schema::compile(&SchemaSource::text(&text), SchemaRole::Arguments).unwrap_err();
    assert_eq!(problems[0].problem, format!("applies more than {MAX_SUBSCHEMAS} subschemas to one value"));
}

#[test]
fn recursive_schemas_of_real_servers_end() {
    check_recursive(&mtb_fixtures::catalogue(), 21);
    if let Some(catalogues) = mtb_fixtures::full_catalogue() {
        check_recursive(&catalogues, 27);
    }
}

#[track_caller]
fn check_recursive(catalogues: &[Catalogue], expected: usize) {
    let texts = catalogues.iter().flat_map(|catalogue| &catalogue.definitions).map(Definition::input_schema);
    let schemas = texts.map(|text| (text, serde_json::from_str::<Value>(text).unwrap()));
    let recursive: Vec<_> =
        schemas.filter(|(_, schema)| comes_back(schema, schema, &mut Vec::new(), &mut Vec::new())).collect();
    assert_eq!(recursive.len(), expected, "recursive schemas");
    for (text, schema) in recursive {
        let compiled = compile(text);
        for seed in 0..4 {
            for value in [mtb_fixtures::valid(&schema, seed), mtb_fixtures::broken(&schema, seed)] {
                assert!(issues(&compiled, &value) <= MAX_ISSUES);
            }
        }
    }
}

/// Whether following references leads back to one that is being followed; `ends` are those known not to.
fn comes_back<'s>(root: &'s Value, schema: &'s Value, trail: &mut Vec<&'s str>, ends: &mut Vec<&'s str>) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(|item| comes_back(root, item, trail, ends)),
        Value::Object(members) => {
            let below = members.values().any(|member| comes_back(root, member, trail, ends));
            let Some(reference) = members.get("$ref").and_then(Value::as_str) else { return below };
            if below || trail.contains(&reference) {
                return true;
            }
            if ends.contains(&reference) {
                return false;
            }
            trail.push(reference);
            let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
            let found = target.is_some_and(|target| comes_back(root, target, trail, ends));
            trail.pop();
            if !found {
                ends.push(reference);
            }
            found
        }
        _ => false,
    }
}

#[test]
fn five_megabytes_are_refused_or_judged() {
    on_a_small_stack(|| {
        let text = r#"{"type": "object", "properties": {
            "long": {"type": "string", "maxLength": 9, "pattern": "^(a|aa)+$"},
            "many": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "uniqueItems": true}
        }, "additionalProperties": {"type": "boolean"}}"#;
        let schema = compile(text);
        let many: Value = (0..LARGE / 10).collect();
        let members: Value = (0..LARGE / 20).map(|index| (format!("member{index}"), json!(index))).collect();
        for (value, fault) in [
            (json!({"long": "a".repeat(LARGE)}), JsonFault::StringTooLong),
            (json!({"many": many}), JsonFault::TooManyNodes),
            (members, JsonFault::TooManyNodes),
        ] {
            let text = value.to_string();
            assert_eq!(CanonicalJson::from_text(&text, &Limits::default()).unwrap_err().fault, fault);
            assert!((1..=MAX_ISSUES).contains(&issues(&schema, &value)));
            assert_eq!(scan(text.as_bytes(), &ScanLimits::default()).fault.unwrap().fault, JsonFault::Oversize);
        }
    });
}

#[test]
fn a_hundred_thousand_levels_are_too_deep_everywhere() {
    on_a_small_stack(|| {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            let deep = format!("{}0{}", open.repeat(100_000), close.repeat(100_000));
            assert_eq!(CanonicalJson::from_text(&deep, &Limits::default()).unwrap_err().fault, JsonFault::TooDeep);
            let unlimited = Limits { depth: usize::MAX, nodes: usize::MAX, string_bytes: usize::MAX };
            assert_eq!(CanonicalJson::from_text(&deep, &unlimited).unwrap_err().fault, JsonFault::TooDeep);
            assert!(Schema::compile(&SchemaSource::text(&deep), SchemaRole::Output).is_err());
            let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{deep}}}"#);
            assert_eq!(scan(message.as_bytes(), &ScanLimits::default()).fault.unwrap().fault, JsonFault::TooDeep);
        }
    });
}

/// Names that a JSON library takes for marks of its own are names.
#[test]
fn a_member_is_what_it_is_called() {
    let mark = "$serde_json::private::RawValue";
    for (text, place) in [
        (format!(r#"{{"{mark}": "{{\"type\":\"object\"}}"}}"#), format!("/{mark}")),
        (format!(r#"{{"type": "object", "properties": {{"{mark}": "{{}}"}}}}"#), format!("/properties/{mark}")),
        (format!(r#"{{"type": "object", "items": {{"{mark}": "{{}}"}}}}"#), format!("/items/{mark}")),
    ] {
        let found = Schema::compile(&SchemaSource::text(&text), SchemaRole::Arguments).unwrap_err();
        assert!(found.iter().any(|problem| problem.pointer == place), "{text}: {found:?}");
    }
    let schema = json!({"type": "object", "properties": {"a": {"contentMediaType": "application/json"}}});
    let schema = Schema::compile(&SchemaSource::value(schema), SchemaRole::Arguments).unwrap();
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    for document in [&*format!(r#"{{"{mark}": "x"}}"#), "[1e400]", r#""\ud800""#, &deep] {
        assert_eq!(schema.validate(&json!({"a": document})), Ok(()), "{document:.60}");
    }
}
