//! What comes in over a pair of streams, what must come out, and that the next good request is served.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, also in what tests share"
)]

mod back_pressure;
mod bridges;
mod changes;
mod client;
mod confirming;
mod endings;
mod handshake;
mod in_flight;
mod malformed;
mod progress;
