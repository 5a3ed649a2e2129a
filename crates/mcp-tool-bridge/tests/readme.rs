//! What the README shows is what happens. Its Rust blocks are doctests; here is the rest.

#![cfg(feature = "adapt")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "what a test relies on fails the test")]

use mcp_tool_bridge::{
    Arguments, Bridge, Call, CallOutcome, CallRequest, Governance, GovernanceTable, HandlerError, JsonSchema,
    Principal, Reversibility, Sensitivity, Tool, ToolName, ToolRegistry, any_of, import_definitions,
};
use serde_json::json;

const README: &str = include_str!("../../../README.md");

/// Every line of a text must be a line of the README.
#[track_caller]
fn shown(text: &str) {
    let lines: Vec<_> = README.lines().collect();
    assert!(text.lines().all(|line| lines.contains(&line)), "the README does not show:\n{text}\n");
}

#[test]
fn the_error_at_start_up_reads_as_shown() {
    let definitions = r#"[
        {"name": "search_orders", "description": "Finds orders.",
         "input_schema": {"type": "object", "properties": {"id": {"type": "integer", "minimun": 1}}}},
        {"name": "refund_order", "description": "Refunds an order."}
    ]"#;
    let governance =
        GovernanceTable::text(r#"{"search_orders": {"sensitivity": "none", "reversible": true, "roles": []}}"#);
    let dispatch = |_: ToolName, _: Arguments, _: Call| async move { Ok::<_, HandlerError>("ran") };
    shown(&import_definitions(definitions, dispatch, &governance).unwrap_err().to_string());
}

#[tokio::test]
async fn the_issues_of_arguments_read_as_shown() {
    let schema = JsonSchema::value(json!({
        "type": "object",
        "properties": {"to": {"type": "string", "format": "email"}, "subject": {"type": "string"}},
        "required": ["to", "subject"],
        "additionalProperties": false,
    }));
    let governance = Governance {
        sensitivity: Sensitivity::High,
        reversibility: Reversibility::Irreversible,
        roles: any_of(["editor"]),
    };
    let registry = ToolRegistry::new();
    let tool = Tool::declare("send_email", "Sends an email.", schema, governance);
    registry.register(tool.handler(|_, _| async { Ok("Sent.") })).unwrap();
    let editor = Principal::new("bob", ["editor"]).unwrap();
    let call = CallRequest::new("send_email", json!({"to": "ada", "subjct": "Invoice 12"}));
    let CallOutcome::InvalidArguments { issues, .. } = Bridge::new(registry).call_tool(&editor, call).await else {
        panic!("the call should be refused");
    };
    let lines: Vec<_> = issues.iter().map(|issue| format!("- {}: {}", issue.path, issue.message)).collect();
    shown(&lines.join("\n"));
}

/// The block that needs a feature, compiled as it is shown.
#[cfg(feature = "schemars")]
mod typed {
    include!("readme/typed.rs");

    #[test]
    fn a_type_is_declared_as_shown() {
        super::shown(include_str!("readme/typed.rs"));
        let governance = Governance {
            sensitivity: super::Sensitivity::High,
            reversibility: super::Reversibility::Irreversible,
            roles: super::any_of(["billing"]),
        };
        let tool = send_invoice(governance).build().unwrap();
        assert_eq!(tool.declaration().arguments().value()["additionalProperties"], false);
    }
}

#[test]
fn nothing_in_a_block_is_hidden() {
    let mut in_rust = false;
    for line in README.lines() {
        if line.starts_with("```") {
            in_rust = line.starts_with("```rust");
        }
        assert!(!in_rust || !(line.trim_start() == "#" || line.trim_start().starts_with("# ")), "hidden: {line}");
    }
}

#[test]
fn the_server_is_short() {
    let (_, after) = README.split_once("```rust,no_run\n").unwrap();
    let (server, _) = after.split_once("\n```").unwrap();
    let lines = server.lines().filter(|line| !line.trim().is_empty()).count();
    assert!(lines <= 25, "{lines} lines");
}
