//! A host plugs in stores and sinks, and no guard or policy of its own.

use mtb_bridge::{BridgeBuilder, CallRequest};
use mtb_guard::Decision;

fn weaken(builder: BridgeBuilder) {
    let _ = builder.policy(|_: &CallRequest| Decision::Run);
    let _ = builder.guard(|_: &str| true);
}

fn main() {}
