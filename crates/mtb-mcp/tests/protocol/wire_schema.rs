//! Checks messages against the schema files of the specification.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use jsonschema::Validator;
use serde_json::{Value, json};

pub(crate) const MODERN: &str = "2026-07-28";

const FILES: [(&str, &str); 5] = [
    ("2024-11-05", include_str!("../mcp-schema/2024-11-05.json")),
    ("2025-03-26", include_str!("../mcp-schema/2025-03-26.json")),
    ("2025-06-18", include_str!("../mcp-schema/2025-06-18.json")),
    ("2025-11-25", include_str!("../mcp-schema/2025-11-25.json")),
    (MODERN, include_str!("../mcp-schema/2026-07-28.json")),
];

/// What a message must be an instance of.
pub(crate) fn check(version: &str, definition: &str, message: &Value) {
    let validator = validator(version, definition);
    let errors: Vec<_> = validator.iter_errors(message).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "no {definition} of {version}: {message}\n{errors:#?}");
}

fn validator(version: &str, definition: &str) -> Arc<Validator> {
    type Cache = Mutex<HashMap<(String, String), Arc<Validator>>>;
    static CACHE: OnceLock<Cache> = OnceLock::new();
    let mut cache = CACHE.get_or_init(Cache::default).lock().unwrap();
    let key = (version.to_owned(), definition.to_owned());
    Arc::clone(cache.entry(key).or_insert_with(|| Arc::new(compile(version, definition))))
}

fn compile(version: &str, definition: &str) -> Validator {
    let (_, text) = FILES.iter().find(|(file, _)| *file == version).unwrap();
    let mut schema: Value = serde_json::from_str(text).unwrap();
    let definitions = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    assert!(schema[definitions].get(definition).is_some(), "{version} has no {definition}");
    schema["allOf"] = json!([{"$ref": format!("#/{definitions}/{definition}")}]);
    jsonschema::options().build(&schema).unwrap()
}

/// The definition of a result, by the method that was called.
pub(crate) fn result_of(method: &str, result: &Value) -> &'static str {
    match method {
        "initialize" => "InitializeResult",
        "ping" => "EmptyResult",
        "server/discover" => "DiscoverResult",
        "tools/list" => "ListToolsResult",
        "tools/call" if result["resultType"] == "input_required" => "InputRequiredResult",
        "tools/call" => "CallToolResult",
        "subscriptions/listen" => "SubscriptionsListenResult",
        other => panic!("a result of {other}"),
    }
}

pub(crate) fn response_envelope(version: &str) -> &'static str {
    if version >= "2025-11-25" { "JSONRPCResultResponse" } else { "JSONRPCResponse" }
}

pub(crate) fn error_envelope(version: &str) -> &'static str {
    if version >= "2025-11-25" { "JSONRPCErrorResponse" } else { "JSONRPCError" }
}

pub(crate) fn notification(method: &str) -> &'static str {
    match method {
        "notifications/cancelled" => "CancelledNotification",
        "notifications/progress" => "ProgressNotification",
        "notifications/tools/list_changed" => "ToolListChangedNotification",
        "notifications/subscriptions/acknowledged" => "SubscriptionsAcknowledgedNotification",
        other => panic!("a notification {other}"),
    }
}
