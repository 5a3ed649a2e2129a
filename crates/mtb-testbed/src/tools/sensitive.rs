use mtb_bridge::{Call, Tool, ToolDraft};
use mtb_core::{Governance, Reversibility, Sensitivity, any_of};
use serde_json::json;

use super::schema;
use crate::effects::{Effect, Effects};

pub(super) fn send(effects: &Effects) -> ToolDraft {
    let effects = effects.clone();
    let text = json!({"type": "string", "minLength": 1});
    let schema = schema(&[("to", json!({"type": "string", "format": "email"})), ("text", text)]);
    Tool::declare("send", "Sends a message. A person confirms it first.", schema, governance())
        .title("Send a message")
        .summarize(|arguments| format!("Send a message to {}", arguments.string("to").unwrap_or_default()))
        .handler(move |_, _: Call| {
            effects.tell(Effect::Sent);
            async { Ok(json!({"messageId": "m-1"})) }
        })
}

pub(super) fn transfer(effects: &Effects) -> ToolDraft {
    let effects = effects.clone();
    let arguments = schema(&[("to", json!({"type": "string"})), ("amount", json!({"type": "integer", "minimum": 1}))]);
    let output = schema(&[("reference", json!({"type": "string"}))]);
    Tool::declare("transfer", "Moves money. A person confirms it first.", arguments, governance())
        .output(&output)
        .handler(move |_, _: Call| {
            effects.tell(Effect::Moved);
            async { Ok(json!({"reference": "t-1"})) }
        })
}

fn governance() -> Governance {
    Governance { sensitivity: Sensitivity::High, reversibility: Reversibility::Irreversible, roles: any_of(["editor"]) }
}
