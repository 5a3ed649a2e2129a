use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mtb_bridge::{Call, Tool, ToolDraft};
use serde_json::json;

use super::{harmless_governance, plain, schema};
use crate::effects::{Effect, Effects};

pub(super) fn greet() -> ToolDraft {
    let schema = schema(&[("name", json!({"type": "string", "minLength": 1}))]);
    Tool::declare("greet", "Greets somebody by name.", schema, harmless_governance())
        .title("Greet")
        .handler(|arguments, _call| async move { Ok(format!("Hello, {}.", arguments.string("name")?)) })
}

pub(super) fn measure() -> ToolDraft {
    let arguments = schema(&[("text", json!({"type": "string"}))]);
    let output = schema(&[("characters", json!({"type": "integer", "minimum": 0}))]);
    Tool::declare("measure", "Counts the characters of a text.", arguments, harmless_governance())
        .output(&output)
        .handler(|arguments, _call| async move {
            let characters = arguments.string("text")?.chars().count();
            Ok(json!({"characters": characters}))
        })
}

pub(super) fn count(effects: &Effects) -> ToolDraft {
    let (effects, last) = (effects.clone(), Arc::new(AtomicU64::new(0)));
    plain("count", "Answers with the number of this call.").handler(move |_, _: Call| {
        let (effects, last) = (effects.clone(), Arc::clone(&last));
        async move {
            effects.tell(Effect::Counted);
            Ok(json!({"number": last.fetch_add(1, Ordering::Relaxed) + 1}))
        }
    })
}
