//! A threshold that nothing reaches.

use mtb_guard::Threshold;

fn main() {
    let _ = Threshold::None;
}
