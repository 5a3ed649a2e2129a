//! A question that nobody answered can be asked again, and cannot be confirmed.

use mtb_core::Declaration;
use mtb_guard::Unanswered;

fn run(unanswered: Unanswered, declaration: &Declaration) {
    let _ = unanswered.confirm(declaration, None);
}

fn main() {}
