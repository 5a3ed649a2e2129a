//! A guard of the host's own.

use mtb_bridge::BridgeBuilder;

fn weaken(builder: BridgeBuilder) {
    let _ = builder.guard(|_: &str| true);
}

fn main() {}
