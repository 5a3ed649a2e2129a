use mtb_bridge::{Call, ToolDraft, ToolRegistry};

use super::plain;

const EXTRA: &str = "extra";

/// Clients that listen are told before the answer arrives or after it; both are right.
pub(super) fn switch(registry: &ToolRegistry) -> ToolDraft {
    let registry = registry.clone();
    plain("switch", "Adds the tool `extra`, or takes it away.").handler(move |_, _: Call| {
        let registry = registry.clone();
        async move {
            if registry.unregister(EXTRA) {
                return Ok("`extra` is gone.");
            }
            registry.register(plain(EXTRA, "Comes and goes.").handler(|_, _: Call| async { Ok("Here.") }))?;
            Ok("`extra` is there.")
        }
    })
}
