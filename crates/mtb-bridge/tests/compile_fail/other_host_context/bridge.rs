//! A bridge that would give the handlers no context.

use mtb_bridge::{Bridge, HostContext, ToolRegistry};

struct App;
impl HostContext for App {}

fn serve(registry: ToolRegistry<App>) {
    let _ = Bridge::new(registry);
}

fn main() {}
