use mtb_bridge::{Call, JsonSchema, Tool, ToolDraft};
use mtb_core::{Governance, Reversibility, Sensitivity, any_of};
use serde_json::json;

use super::ROLE;

/// What the suite calls to be asked something, where a question about the call itself is one.
pub(super) const QUESTIONS: [&str; 7] = [
    "test_streaming_elicitation",
    "test_input_required_result_elicitation",
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
    "test_input_required_result_multi_round",
    "test_input_required_result_multiple_inputs",
];

pub(super) fn waiting_for_a_yes(name: &str) -> ToolDraft {
    Tool::declare(name, "Waits for a yes.", JsonSchema::no_arguments(), sensitive())
        .handler(|_, _: Call| async { Ok("There was a yes.") })
}

pub(super) fn with_message() -> ToolDraft {
    let schema = JsonSchema::value(json!({
        "type": "object",
        "properties": {"message": {"type": "string"}},
        "required": ["message"],
        "additionalProperties": false,
    }));
    Tool::declare("test_elicitation", "Waits for a yes to a message.", schema, sensitive())
        .summarize(|arguments| arguments.string("message").unwrap_or_default().to_owned())
        .handler(|_, _: Call| async { Ok("There was a yes.") })
}

fn sensitive() -> Governance {
    Governance { sensitivity: Sensitivity::High, reversibility: Reversibility::Irreversible, roles: any_of([ROLE]) }
}
