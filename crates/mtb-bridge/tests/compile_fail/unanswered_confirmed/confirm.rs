//! A question that nobody answered, confirmed.

use mtb_core::Declaration;
use mtb_guard::Unanswered;

fn run(unanswered: Unanswered, declaration: &Declaration) {
    let _ = unanswered.confirm(declaration, None);
}

fn main() {}
