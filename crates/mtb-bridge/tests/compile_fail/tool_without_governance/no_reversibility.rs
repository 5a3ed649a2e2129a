//! Governance that does not say whether the tool can be undone.

use mtb_core::{Governance, Sensitivity, any_of};

fn main() {
    let _ = Governance { sensitivity: Sensitivity::Low, roles: any_of(["admin"]) };
}
