//! A yes counts once: neither the token nor any step of redeeming it can be copied.

use mtb_guard::{Claimed, Confirmed, Presented, Token};

fn twice(token: Token, presented: Presented, claimed: Claimed, confirmed: Confirmed) {
    let _ = token.clone();
    let _ = presented.clone();
    let _ = claimed.clone();
    let _ = confirmed.clone();
}

fn main() {}
