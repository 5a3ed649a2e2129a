//! Which schemas are refused at start-up, where, and with which remedy.

use mtb_core::{KeepPointer, MAX_SCHEMA_BYTES, Schema, SchemaProblem, SchemaRole, SchemaSource, UnknownArguments};
use serde_json::{Value, json};

fn problems(schema: &Value) -> Vec<SchemaProblem> {
    Schema::compile(&SchemaSource::value(schema.clone()), SchemaRole::Arguments).err().unwrap_or_default()
}

/// Each schema is refused at exactly these places.
fn refused(rows: &[(Value, &[&str])]) {
    for (schema, places) in rows {
        let found = problems(schema);
        let pointers: Vec<_> = found.iter().map(|problem| problem.pointer.as_str()).collect();
        assert_eq!(pointers, *places, "{schema} {found:#?}");
        assert!(found.iter().all(|problem| !problem.problem.is_empty() && !problem.remedy.is_empty()));
    }
}

fn accepted(rows: &[Value]) {
    for schema in rows {
        assert_eq!(problems(schema), [], "{schema}");
    }
}

/// An object with one property of this schema.
#[expect(clippy::needless_pass_by_value, reason = "rows are written in place")]
fn with(property: Value) -> Value {
    json!({"type": "object", "properties": {"a": property}})
}

#[test]
fn the_root_of_arguments_is_an_object() {
    refused(&[
        (json!({"type": "string"}), &["/type"]),           // case 254
        (json!({"type": ["object", "null"]}), &["/type"]), // case 255
        (json!({"properties": {}}), &[""]),                // case 256
        (json!(true), &[""]),
        (json!([]), &[""]),
    ]);
    accepted(&[json!({"type": "object"})]);
    let output = SchemaSource::value(json!({"type": "array"}));
    assert!(Schema::compile(&output, SchemaRole::Output).is_ok());
    assert!(Schema::compile(&SchemaSource::value(json!(false)), SchemaRole::Output).is_err());
}

#[test]
fn keywords_are_known() {
    refused(&[
        (json!({"type": "object", "minProps": 1}), &["/minProps"]), // case 257
        (with(json!({"x-order": 1, "nullable": true})), &["/properties/a/nullable", "/properties/a/x-order"]),
        (with(json!({"items": {"exclusiveMin": 1}})), &["/properties/a/items/exclusiveMin"]),
        (json!({"type": "object", "$defs": {"a": {"dependencies": {}}}}), &["/$defs/a/dependencies"]),
        (with(json!({"then": true})), &["/properties/a/then"]),
        (with(json!({"minContains": 1})), &["/properties/a/minContains"]),
    ]);
    accepted(&[
        with(
            json!({"$comment": "c", "title": "t", "description": "d", "default": 1, "examples": [1], "deprecated": true,
            "readOnly": true, "writeOnly": false}),
        ),
        with(json!({"contentEncoding": "base64", "contentMediaType": "application/json"})),
    ]);
}

#[test]
fn keywords_hold_what_they_must_and_apply_to_the_type() {
    refused(&[
        (with(json!({"type": "string", "minLength": "three"})), &["/properties/a/minLength"]), // case 273
        (with(json!({"minItems": -1, "maxItems": 1.5})), &["/properties/a/maxItems", "/properties/a/minItems"]),
        (with(json!({"type": "dict", "properties": {}})), &["/properties/a/type"]),
        (
            json!({"type": "dict", "properties": {"a": {"type": "float", "minimum": 0}}}),
            &["/properties/a/type", "/type"],
        ),
        (with(json!({"enum": []})), &["/properties/a/enum"]),
        (with(json!({"multipleOf": 0})), &["/properties/a/multipleOf"]),
        (with(json!({"items": [{}]})), &["/properties/a/items"]),
        (with(json!({"anyOf": []})), &["/properties/a/anyOf"]),
        (with(json!("string")), &["/properties/a"]),
        (json!({"type": "object", "required": true}), &["/required"]),
        (with(json!({"type": "integer", "minLength": 1})), &["/properties/a/minLength"]),
        (with(json!({"type": "string", "items": {}})), &["/properties/a/items"]),
        (with(json!({"type": ["array", "null"], "properties": {}})), &["/properties/a/properties"]),
        (with(json!({"type": "integer", "format": "date"})), &["/properties/a/format"]),
    ]);
    accepted(&[
        with(json!({"type": ["string", "null"], "minLength": 3.0})),
        with(json!({"type": "integer", "minimum": 0})),
    ]);
}

#[test]
fn formats_patterns_and_dialects_are_known() {
    refused(&[
        (with(json!({"format": "colour"})), &["/properties/a/format"]), // case 258
        (with(json!({"type": "boolean", "format": "int32"})), &["/properties/a/format"]),
        (with(json!({"type": "integer", "format": "date"})), &["/properties/a/format"]),
        (with(json!({"format": "idn-email"})), &["/properties/a/format"]),
        (with(json!({"pattern": "("})), &["/properties/a/pattern"]),
        (with(json!({"pattern": "[z-a]"})), &["/properties/a/pattern"]),
        (with(json!({"patternProperties": {"a/(": {}}})), &["/properties/a/patternProperties/a~1("]),
        (json!({"$schema": "http://json-schema.org/draft-05/schema#", "type": "object"}), &["/$schema"]),
        (json!({"$schema": "ftp://json-schema.org/draft-07/schema#", "type": "object"}), &["/$schema"]),
        (json!({"$schema": "http://json-schema.org/draft-07/schema#/", "type": "object"}), &["/$schema"]),
        (json!({"$schema": "https://example.com/mine", "type": "object"}), &["/$schema"]),
        (with(json!({"$schema": "https://json-schema.org/draft/2020-12/schema"})), &["/properties/a/$schema"]),
    ]);
    accepted(&[
        with(json!({"format": "date-time", "pattern": "^(?=.*a)"})),
        with(json!({"type": "integer", "format": "int32"})),
        with(json!({"type": ["string", "null"], "format": "uint64"})),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema#", "type": "object"}),
    ]);
}

#[test]
fn references_stay_inside_the_document() {
    refused(&[
        (with(json!({"$ref": "https://example.com/a.json"})), &["/properties/a/$ref"]),
        (with(json!({"$ref": "file:///etc/passwd"})), &["/properties/a/$ref"]),
        (with(json!({"$ref": "https://json-schema.org/draft/2020-12/schema"})), &["/properties/a/$ref"]),
        (with(json!({"$ref": "#/$defs/none"})), &["/properties/a/$ref"]),
        (with(json!({"$ref": "#none"})), &["/properties/a/$ref"]),
        (with(json!({"$ref": "#/properties"})), &["/properties/a/$ref"]),
        (with(json!({"$dynamicRef": "#none"})), &["/properties/a/$dynamicRef"]),
        (with(json!({"$ref": "#/$defs/c d"})), &["/properties/a/$ref"]),
        (with(json!({"$ref": "#/$defs/List[int]"})), &["/properties/a/$ref"]),
        (with(json!({"$anchor": "1 2"})), &["/properties/a/$anchor"]),
        (json!({"type": "object", "$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}), &["/$defs/b/$anchor"]),
        (json!({"type": "object", "$ref": "#"}), &[""]),
        (json!({"type": "object", "anyOf": [{"not": {"$ref": "#"}}]}), &["/anyOf/0/not"]),
        (
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}},
                "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
            &["/$defs/b"],
        ),
    ]);
    accepted(&[
        with(json!({"$ref": "#"})),
        json!({"type": "object", "allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a%20b"}, "b": {"$ref": "#x"}, "c": {"$ref": "c.json"}},
            "$id": "https://example.com/root.json",
            "$defs": {"a b": {"type": "string"}, "b": {"$anchor": "x"}, "c": {"$id": "c.json", "$ref": "#/$defs/d",
                "$defs": {"d": {"type": "string"}}}}}),
    ]);
}

#[test]
fn required_properties_are_declared_and_allowed() {
    let closed = |property: Value| json!({"type": "object", "properties": property, "required": ["to"], "additionalProperties": false});
    refused(&[
        (json!({"type": "object", "properties": {}, "required": ["to"]}), &["/required"]), // case 259
        (json!({"type": "object", "required": ["to"]}), &["/required"]),
        (json!({"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["b"]}]}), &["/anyOf/0/required"]),
        (closed(json!({"a": {}})), &["/required"]),
        (closed(json!({"to": false})), &["/properties/to"]),
        (
            json!({"type": "object", "properties": {"to": {}}, "required": ["to"], "allOf": [{"additionalProperties": false}]}),
            &["/allOf/0/additionalProperties"],
        ),
        (
            json!({"type": "object", "properties": {"a": {}, "to": {}}, "required": ["to"],
                "allOf": [{}, {"$ref": "#/$defs/b"}], "$defs": {"a": {}, "b": {"additionalProperties": false}}}),
            &["/$defs/b/additionalProperties"],
        ),
    ]);
    accepted(&[
        closed(json!({"to": {}})),
        json!({"type": "object", "required": ["to"], "patternProperties": {"^t": {}}}),
        json!({"type": "object", "required": ["to"], "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "required": ["to"], "$ref": "#/$defs/a", "$defs": {"a": {"properties": {"to": {}}}}}),
        json!({"type": "object", "properties": {"a": {}, "b": {}}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    ]);
}

/// One mistake is one problem, also where the host closes the root.
#[test]
fn a_closed_root_that_lacks_a_property_is_told_once() {
    for rest in [json!({"properties": {"a": {}}}), json!({"additionalProperties": false}), json!({})] {
        let mut schema = json!({"type": "object", "required": ["to"]});
        schema.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        let source = SchemaSource::value(schema).unknown_arguments(UnknownArguments::Refuse);
        let found = Schema::compile(&source, SchemaRole::Arguments).err().unwrap_or_default();
        let pointers: Vec<_> = found.iter().map(|problem| problem.pointer.as_str()).collect();
        assert_eq!(pointers, ["/required"], "{rest} {found:#?}");
    }
}

#[test]
fn a_closed_object_has_room_for_as_many_properties_as_it_needs() {
    let closed = json!({"type": "object", "additionalProperties": false});
    let object = |rest: Value| {
        let mut schema = closed.clone();
        schema.as_object_mut().into_iter().for_each(|members| members.extend(rest.as_object().unwrap().clone()));
        schema
    };
    let either = json!([{"properties": {"a": {}}}, {"properties": {"b": {}, "c": false}}]);
    let unevaluated =
        |least: u64| json!({"type": "object", "anyOf": either, "minProperties": least, "unevaluatedProperties": false});
    refused(&[
        (object(json!({"minProperties": 1})), &["/minProperties"]),
        (object(json!({"minProperties": 2, "properties": {"a": {}, "b": false}})), &["/minProperties"]),
        (
            json!({"type": "object", "minProperties": 2, "allOf": [{"properties": {"a": {}}, "additionalProperties": false}]}),
            &["/minProperties"],
        ),
        (unevaluated(3), &["/minProperties"]),
        (with(object(json!({"minProperties": 1}))), &["/properties/a/minProperties"]),
    ]);
    accepted(&[
        object(json!({"minProperties": 1, "properties": {"a": {}}})),
        object(json!({"minProperties": 1, "patternProperties": {"^a": {}}})),
        json!({"type": "object", "minProperties": 1}),
        unevaluated(2),
    ]);
    let silent = SchemaSource::value(json!({"type": "object", "minProperties": 1}));
    let silent = silent.unknown_arguments(UnknownArguments::Refuse);
    assert_eq!(Schema::compile(&silent, SchemaRole::Arguments).unwrap_err()[0].pointer, "/minProperties");
}

#[test]
fn bounds_leave_room() {
    refused(&[
        (with(json!({"minimum": 2, "maximum": 1})), &["/properties/a/minimum"]),
        (with(json!({"minLength": 2, "maxLength": 1})), &["/properties/a/minLength"]),
        (with(json!({"minItems": 2, "maxItems": 1})), &["/properties/a/minItems"]),
        (with(json!({"exclusiveMinimum": 1, "maximum": 1})), &["/properties/a/exclusiveMinimum"]),
    ]);
    accepted(&[with(json!({"minimum": 1, "maximum": 1})), with(json!({"exclusiveMinimum": 0, "maximum": 0.5}))]);
}

#[test]
fn every_problem_is_reported_at_once() {
    let schema = json!({"type": "array", "unknown": 1, "properties": {"a": {"format": "x"}, "b": {"pattern": "("}}});
    refused(&[(schema, &["/properties", "/properties/a/format", "/properties/b/pattern", "/type", "/unknown"])]);
}

#[test]
fn texts_are_bounded_and_say_nothing_twice() {
    let compile = |text: &str| Schema::compile(&SchemaSource::text(text), SchemaRole::Arguments);
    let place = |text: &str| compile(text).unwrap_err()[0].pointer.clone();
    assert_eq!(place(""), "");
    assert_eq!(place(r#"{"type": "object""#), "");
    assert_eq!(place(r#"{"type": "object", "properties": {"a/": {}, "a\/": {}}}"#), "/properties/a~1");
    assert_eq!(place(r#"{"type": "object", "allOf": [{}, {"title": "", "title": ""}]}"#), "/allOf/1/title");
    let deep = |levels: usize| {
        format!(r#"{}{{"type": "object"}}{}"#, r#"{"type": "object", "not": "#.repeat(levels), "}".repeat(levels))
    };
    assert!(compile(&deep(63)).is_ok());
    assert!(compile(&deep(64)).unwrap_err()[0].problem.contains("deeper"));
    assert!(compile(&deep(100_000)).is_err());
    let long = format!(r#"{{"type": "object", "description": "{}"}}"#, "x".repeat(MAX_SCHEMA_BYTES));
    assert!(compile(&long).unwrap_err()[0].problem.contains("bytes"));
    let many = |count: usize| format!(r#"{{"type": "object", "allOf": [{}]}}"#, vec!["true"; count].join(","));
    assert!(compile(&many(9_999)).is_ok());
    assert!(compile(&many(10_000)).unwrap_err()[0].problem.contains("subschemas"));
}

#[test]
fn a_text_is_forwarded_and_identified_by_its_meaning() {
    let compile = |text: &str| Schema::compile(&SchemaSource::text(text), SchemaRole::Arguments).unwrap();
    let text = compile("{\n \"type\": \"object\",\r\n \"maxProperties\":\t2}");
    assert_eq!(text.text(), "{  \"type\": \"object\",   \"maxProperties\":\t2}");
    let same = SchemaSource::value(json!({"maxProperties": 2, "type": "object"}));
    let same = Schema::compile(&same, SchemaRole::Arguments).unwrap();
    assert_eq!(same.text(), r#"{"maxProperties":2,"type":"object"}"#);
    assert_eq!(same.value(), text.value());
    assert_eq!(same.identity(), compile(r#"{"maxProperties":2,"type":"object"}"#).identity());
    assert_ne!(same.identity(), compile(r#"{"maxProperties":3,"type":"object"}"#).identity());
    let debug = format!("{:?} {:?}", SchemaSource::text("{\"secret\": 1}"), same);
    assert!(!debug.contains("secret") && !debug.contains("maxProperties"), "{debug}");
}

#[test]
fn retained_pointers_find_something() {
    let schema = json!({
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "list": {"type": "array", "items": {"$ref": "#/$defs/entry"}},
            "free": {"type": "object"},
            "any": true,
            "loose": {"title": "Whatever"},
            "through": {"allOf": [{"title": "Whatever"}]},
            "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            "pair": {"type": "array", "prefixItems": [{"type": "string"}], "items": false},
            "named": {"type": "object", "patternProperties": {"^x-": {"type": "object"}}, "additionalProperties": false},
            "either": {"type": ["string", "array"]},
        },
        "anyOf": [{"required": ["id"]}, {"properties": {"other": {}}}],
        "$defs": {"entry": {"type": "object", "properties": {"name": {}, "next": {"$ref": "#/$defs/entry"}}}},
    });
    let schema = Schema::compile(&SchemaSource::value(schema), SchemaRole::Arguments).unwrap();
    for (pointer, held) in [
        ("/id", true),
        ("/ID", false),
        ("/id/x", false),
        ("/list/*/name", true),
        ("/list/0/next/next/name", true),
        ("/list/*/nam", false),
        ("/list/name", false),
        ("/free/x/y", true),
        ("/any/x", true),
        ("/loose/x", true),
        ("/through/x", true),
        ("/map/x", true),
        ("/map/x/y", false),
        ("/pair/0", true),
        ("/pair/1", false),
        ("/other", true),
        ("/*", true),
        ("/id/*", false),
        ("/named/x-a/b", true),
        ("/named/y", false),
        ("/either/0/x", true),
    ] {
        assert_eq!(schema.may_hold(&KeepPointer::new(pointer).unwrap()), held, "{pointer}");
    }
}

/// `levels` schemas, each of which applies the next one `times` times to the same value.
#[expect(clippy::unwrap_used, reason = "a schema is an object")]
fn meeting(keyword: &str, levels: usize, times: usize) -> Value {
    let mut schema = with(json!({"$ref": "#/$defs/d0"}));
    let next = |level: usize| json!({keyword: vec![json!({"$ref": format!("#/$defs/d{}", level + 1)}); times]});
    let mut defs: serde_json::Map<_, _> = (0..levels).map(|level| (format!("d{level}"), next(level))).collect();
    defs.insert(format!("d{levels}"), json!({"type": "string"}));
    schema.as_object_mut().unwrap().insert("$defs".to_owned(), defs.into());
    schema
}

#[test]
fn references_that_meet_again_and_again_are_refused() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for (levels, times) in [(13, 2), (28, 2), (40, 2), (9, 3)] {
            let found = problems(&meeting(keyword, levels, times));
            assert_eq!(found.len(), 1, "{keyword} {levels}");
            assert!(found[0].problem.contains("to one value"), "{found:?}");
        }
    }
    accepted(&[
        meeting("allOf", 10, 2),
        meeting("anyOf", 10, 2),
        meeting("allOf", 30, 1),
        // What leads back to itself through a member of the value is no matter of one value.
        json!({"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}}),
    ]);
}

/// Each level leads to the next one in two ways.
fn twofold(keyword: &str, levels: usize) -> Value {
    let mut defs = serde_json::Map::new();
    for level in 0..levels {
        let next = json!({"properties": {"a": {"$ref": format!("#/$defs/l{}", level + 1)}}});
        let again = match keyword {
            "allOf" | "anyOf" => json!([next]),
            "dependentSchemas" => json!({"a": next}),
            _ => next.clone(),
        };
        let mut schema = next;
        schema.as_object_mut().into_iter().for_each(|members| drop(members.insert(keyword.to_owned(), again.clone())));
        defs.insert(format!("l{level}"), schema);
    }
    defs.insert(format!("l{levels}"), json!({"type": "object"}));
    json!({"type": "object", "$ref": "#/$defs/l0", "$defs": defs})
}

#[test]
fn a_member_described_twice_at_every_level_is_refused() {
    for keyword in ["allOf", "anyOf", "dependentSchemas", "not"] {
        refused(&[(twofold(keyword, 30), &[""])]);
        accepted(&[twofold(keyword, 8)]);
    }
}

#[test]
fn a_long_chain_of_references_is_refused() {
    let chain = |length: usize| {
        let mut defs: serde_json::Map<_, _> =
            (1..length).map(|at| (format!("d{at:03}"), json!({"$ref": format!("#/$defs/d{:03}", at + 1)}))).collect();
        defs.insert(format!("d{length:03}"), json!({"properties": {"a": {"$ref": "#/$defs/d001"}}}));
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d001"}}, "$defs": defs})
    };
    refused(&[(chain(64), &["/$defs/d064/properties/a"]), (chain(300), &["/$defs/d001"])]);
    accepted(&[chain(63)]);
    // The longest chain below the deepest value stays within the stack of a thread.
    let schema = Schema::compile(&SchemaSource::value(chain(63)), SchemaRole::Arguments).unwrap();
    let deep = (0..64).fold(json!({}), |inner, _| json!({"a": inner}));
    assert_eq!(schema.validate(&deep), Ok(()));
}
