//! A declaration that says its tool is never confirmed.

use mtb_core::ConfirmMode;

fn main() {
    let _ = ConfirmMode::Never;
}
