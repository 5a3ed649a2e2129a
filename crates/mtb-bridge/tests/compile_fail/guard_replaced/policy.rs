//! A policy of the host's own.

use mtb_bridge::{BridgeBuilder, CallRequest};
use mtb_guard::Decision;

fn weaken(builder: BridgeBuilder) {
    let _ = builder.policy(|_: &CallRequest| Decision::Run);
}

fn main() {}
