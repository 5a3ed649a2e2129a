//! A spent token that was never taken from a store.

use mtb_guard::Presented;

fn main() {
    let _ = Presented::taken(todo!(), todo!(), None);
}
