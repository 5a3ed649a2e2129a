//! A tool that needs another context than the registry's handlers get.

use mtb_bridge::{Call, HostContext, JsonSchema, Tool, ToolDraft, ToolRegistry};
use mtb_core::Governance;

struct App;
impl HostContext for App {}

struct Other;
impl HostContext for Other {}

fn needs_other(governance: Governance) -> ToolDraft<Other> {
    Tool::declare("needs", "Needs.", JsonSchema::no_arguments(), governance)
        .handler(|_, _call: Call<Other>| async { Ok("ok") })
}

fn register(registry: ToolRegistry<App>, governance: Governance) {
    let _ = registry.register(needs_other(governance));
}

fn main() {}
