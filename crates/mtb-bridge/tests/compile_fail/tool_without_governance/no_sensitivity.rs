//! Governance that does not say how much harm the tool can do.

use mtb_core::{Governance, Reversibility, any_of};

fn main() {
    let _ = Governance { reversibility: Reversibility::Reversible, roles: any_of(["admin"]) };
}
