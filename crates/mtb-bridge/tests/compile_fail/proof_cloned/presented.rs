//! A presented token, counted twice.

use mtb_guard::Presented;

fn twice(presented: Presented) {
    let _ = presented.clone();
}

fn main() {}
