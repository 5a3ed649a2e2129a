//! There is no way to say that a tool is never confirmed, and no threshold that nothing reaches.

use mtb_core::ConfirmMode;
use mtb_guard::Threshold;

fn main() {
    let _ = ConfirmMode::Never;
    let _ = Threshold::None;
}
