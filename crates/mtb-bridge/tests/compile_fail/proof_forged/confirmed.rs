//! A person's yes, written down.

use mtb_core::{CallId, CanonicalJson, Timestamp};
use mtb_guard::Confirmed;

fn forge(call_id: CallId, expires_at: Timestamp, arguments: CanonicalJson) -> Confirmed {
    Confirmed { call_id, expires_at, arguments }
}

fn main() {}
