//! The server as its clients see it.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what a test relies on fails the test")]
#![expect(clippy::indexing_slicing, reason = "a member that is not there is null, and compared")]

mod attacks;
mod batches;
mod client;
mod denied;
mod ends;
mod hoarding;
#[cfg(feature = "jwt")]
mod issuer;
mod legacy_sse;
mod limits;
mod mirrored;
mod modern;
mod network;
mod probes;
mod served;
mod sessions;
mod site;
#[cfg(feature = "jwt")]
mod tokens;
mod tools;
mod traces;
