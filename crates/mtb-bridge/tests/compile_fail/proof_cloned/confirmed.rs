//! A person's yes, good for two calls.

use mtb_guard::Confirmed;

fn twice(confirmed: Confirmed) {
    let _ = confirmed.clone();
}

fn main() {}
