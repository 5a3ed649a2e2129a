//! A tool nobody classified: no constructor leaves governance out, and governance has no default.

use mtb_bridge::{JsonSchema, Tool};
use mtb_core::{Governance, Reversibility, Sensitivity, any_of};

fn main() {
    let _ = Tool::declare("wipe", "Wipes.", JsonSchema::no_arguments());
    let _ = Tool::declare("wipe", "Wipes.", JsonSchema::no_arguments(), Governance::default());
    let _ = Governance { sensitivity: Sensitivity::Low, roles: any_of(["admin"]) };
    let _ = Governance { sensitivity: Sensitivity::Low, reversibility: Reversibility::Reversible };
}
