//! What only a check can make cannot be written down: a declaration, a yes, a spent token.

use mtb_core::{CallId, Declaration};
use mtb_guard::{Confirmed, Issued, Presented, Token};

fn main() {
    let _ = Declaration { name: todo!() };
    let _ = Confirmed { call_id: CallId::from_bytes([0; 16]) };
    let _ = Presented::taken(todo!(), todo!(), None);
    let _: Token = Token::random().unwrap();
    let _: Issued = Default::default();
}
