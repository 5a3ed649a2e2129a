//! A declaration that nobody checked.

use mtb_core::Declaration;

fn main() {
    let _ = Declaration { name: todo!() };
}
