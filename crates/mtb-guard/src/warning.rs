use std::io::Write as _;

use mtb_core::{cut, printable};

use crate::store::StoreError;

/// The longest text of a store that a warning repeats, in characters.
const MAX_TEXT_CHARS: usize = 500;

/// Tells the operator why a store did not answer: the audit only learns that it did not.
pub(crate) fn store_failed(operation: &str, error: &StoreError) {
    warn(operation, &cut(&printable(&error.to_string()), MAX_TEXT_CHARS));
}

/// Tells the operator that a store panicked. What it panicked with may be content, and is not repeated.
pub(crate) fn store_panicked(operation: &str) {
    warn(operation, "the confirmation store panicked");
}

/// Through `tracing`, or on stderr when nobody listens there.
fn warn(operation: &str, error: &str) {
    if tracing::dispatcher::has_been_set() {
        tracing::warn!(operation, error, "no confirmation was stored or taken");
    } else {
        // Nothing is left to tell when stderr is gone too.
        let _ = std::io::stderr().write_all(format!("confirmation store, `{operation}`: {error}\n").as_bytes());
    }
}
