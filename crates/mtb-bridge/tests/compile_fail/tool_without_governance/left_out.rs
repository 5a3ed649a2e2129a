//! A declaration without governance.

use mtb_bridge::{JsonSchema, Tool};

fn main() {
    let _ = Tool::declare("wipe", "Wipes.", JsonSchema::no_arguments());
}
