//! Messages in, messages out, with a real bridge behind. Every message that leaves is checked against the schema of
//! its revision.

mod any_input;
mod batches;
mod calling;
mod cancelling;
mod canary;
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
