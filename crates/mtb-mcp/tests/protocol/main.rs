//! Messages in, messages out, with a real bridge behind. Every message that leaves is checked against the schema of
//! its revision.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "a test fails by panicking, and `json!` converts"
)]
#![expect(clippy::needless_pass_by_value, reason = "`json!` reads best where it is used")]
#![expect(clippy::needless_raw_string_hashes, reason = "goldens are written by a tool")]

mod any_input;
mod batches;
mod calling;
mod canary;
mod cancelling;
mod closing;
mod elicited;
mod envelope;
mod goldens;
mod handshake;
mod host_carrier;
mod input_required;
mod lab;
mod limits;
mod listening;
mod listing;
mod peer;
mod progress;
mod revisions;
mod wire_schema;
