//! A token that is copied, to be presented twice.

use mtb_guard::Token;

fn twice(token: Token) {
    let _ = token.clone();
}

fn main() {}
