//! A token of the host's own.

use mtb_guard::Token;

fn main() {
    let _ = Token::random();
}
