use mtb_bridge::{Call, ToolDraft, ToolRegistry};

use super::plain;

const EXTRA: &str = "test_extra";

pub(super) fn trigger(registry: &ToolRegistry) -> ToolDraft {
    let registry = registry.clone();
    plain("test_trigger_tool_change", "Adds a tool, or takes it away.").handler(move |_, _: Call| {
        let registry = registry.clone();
        async move {
            if !registry.unregister(EXTRA) {
                registry.register(plain(EXTRA, "Comes and goes.").handler(|_, _: Call| async { Ok("Here.") }))?;
            }
            Ok("The tools have changed.")
        }
    })
}
