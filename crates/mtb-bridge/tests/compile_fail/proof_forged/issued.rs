//! A token that was issued for nothing.

use mtb_guard::Issued;

fn main() {
    let _ = Issued::default();
}
