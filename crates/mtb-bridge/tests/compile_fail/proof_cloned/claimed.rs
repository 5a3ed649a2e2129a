//! A claimed token, good for two calls.

use mtb_guard::Claimed;

fn twice(claimed: Claimed) {
    let _ = claimed.clone();
}

fn main() {}
