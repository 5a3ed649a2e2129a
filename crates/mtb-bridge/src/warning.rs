use std::io::Write as _;

use mtb_core::{cut, printable};

/// The longest warning, in characters.
const MAX_CHARS: usize = 500;

/// Tells the operator: through `tracing`, or on stderr when nobody listens there. Not for content.
pub(crate) fn warn(text: &str) {
    let text = cut(&printable(text), MAX_CHARS);
    if tracing::dispatcher::has_been_set() {
        tracing::warn!("{text}");
    } else {
        // Nothing is left to tell when stderr is gone too.
        let _ = std::io::stderr().write_all(format!("tool bridge: {text}\n").as_bytes());
    }
}
