use std::time::Duration;

use mcp_tool_bridge::{
    Arguments, Call, Envelope, Governance, JsonSchema, Retain, Reversibility, Sensitivity, Tool, ToolDraft, adapt,
    any_of,
};
use serde_json::json;

use crate::email::{self, Email, Sent};

/// An email cannot be unsent, so every one waits for a person's yes.
pub(crate) fn tool() -> ToolDraft {
    // As text, so that clients see the members in this order.
    let schema = JsonSchema::text(
        r#"{
            "type": "object",
            "properties": {
                "to": {"type": "string", "format": "email", "description": "The address it goes to."},
                "subject": {"type": "string", "minLength": 1, "maxLength": 200, "description": "What it is about."},
                "body": {"type": "string", "maxLength": 5000, "description": "What it says."}
            },
            "required": ["to", "subject", "body"],
            "additionalProperties": false
        }"#,
    );
    let governance = Governance {
        sensitivity: Sensitivity::High,
        reversibility: Reversibility::Irreversible,
        roles: any_of(["editor"]),
    };
    let envelope = Envelope::new(|sent: &Sent| sent.success, |sent| json!({"messageId": sent.message_id}))
        .message(|sent| sent.error.clone());
    Tool::declare("send_email", "Sends an email. A person confirms it first.", schema, governance)
        .title("Send an email")
        // Whom we wrote to is worth knowing later; what we wrote is not kept.
        .retain(Retain::nothing().argument("/to"))
        .timeout(Duration::from_secs(10))
        .summarize(|arguments| {
            let part = |name| arguments.string(name).unwrap_or_default();
            format!("Send \"{}\" to {}", part("subject"), part("to"))
        })
        .handler(
            adapt(email::send)
                .input(|arguments: Arguments, _call: &Call| {
                    let part = |name| arguments.string(name).map(str::to_owned);
                    Ok(Email { to: part("to")?, subject: part("subject")?, body: part("body")? })
                })
                .envelope(envelope),
        )
}
