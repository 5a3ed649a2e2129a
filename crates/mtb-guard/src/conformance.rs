//! Checks of what a [`ConfirmationStore`] promises, for the tests of whoever implements one.
//!
//! They use principals and hashes of their own, so the store may hold other records, but it needs room for 100 more,
//! and memory of as many consumed ones.
//! What no store has to do is not checked: a changed record is found out by the [`Guard`](crate::Guard).
//!
//! ```
//! use mtb_core::Timestamp;
//! use mtb_guard::{MemoryStore, conformance};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let store = MemoryStore::default();
//! conformance::check(&store, Timestamp::from_millis(1_790_942_400_000)).await.unwrap();
//! # }
//! ```

use mtb_core::Timestamp;
use thiserror::Error;

use crate::store::ConfirmationStore;

mod concurrency;
mod keeping;
mod lab;
mod taking;

use lab::Lab;

/// A promise that a store did not keep.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{promise}`: {found}")]
#[non_exhaustive]
pub struct Violation {
    /// Which promise, for example `single_use`.
    pub promise: &'static str,
    /// What the store did instead. The checks put nothing into a store that is worth hiding.
    pub found: String,
}

/// The promises that a store did not keep, every one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the store breaks its promises: {}", .violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
#[non_exhaustive]
pub struct ConformanceError {
    /// At least one.
    pub violations: Vec<Violation>,
}

/// Runs every check: a token is taken once, expiry belongs to the same step, tombstones tell what they were, the quota
/// holds, nothing pending is evicted, fields and payload come back to the byte, and of takes at once exactly one wins.
///
/// `now` is when the checks begin; they go up to two minutes further. A store that looks at a clock of its own gets
/// the time of that clock.
///
/// # Errors
/// When the store breaks a promise. All checks are run.
pub async fn check(store: &dyn ConfirmationStore, now: Timestamp) -> Result<(), ConformanceError> {
    let mut lab = Lab::new(store, now)?;
    taking::check(&mut lab).await;
    keeping::check(&mut lab).await;
    concurrency::check(&mut lab).await;
    lab.finish()
}

/// Checks that taking a record deletes its payload. `contents` reads everything the store holds, as whoever steals
/// its files would.
///
/// # Errors
/// When the payload is there after it was taken. Also when it is not there before: `contents` does not read it all.
pub async fn check_payload_deleted(
    store: &dyn ConfirmationStore,
    now: Timestamp,
    contents: impl AsyncFn() -> Vec<u8>,
) -> Result<(), ConformanceError> {
    let mut lab = Lab::new(store, now)?;
    taking::deletes_the_payload(&mut lab, contents).await;
    lab.finish()
}
