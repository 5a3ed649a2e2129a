//! Governance that does not say who may use the tool.

use mtb_core::{Governance, Reversibility, Sensitivity};

fn main() {
    let _ = Governance { sensitivity: Sensitivity::Low, reversibility: Reversibility::Reversible };
}
