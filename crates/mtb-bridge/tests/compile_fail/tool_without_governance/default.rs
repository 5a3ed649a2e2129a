//! Governance by default.

use mtb_core::Governance;

fn main() {
    let _ = Governance::default();
}
