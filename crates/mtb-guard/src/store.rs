use std::num::NonZeroUsize;

use async_trait::async_trait;
use mtb_core::Timestamp;
use thiserror::Error;

use crate::record::{Record, Tombstone};
use crate::token::TokenHash;

/// Where confirmations wait. Implement it over shared storage to run more than one process.
///
/// A store moves indexed fields and an opaque payload; it can open nothing. It has to be exact in three points: `take`
/// is one atomic step, nothing that is pending is dropped before it expires, and what was consumed never comes back.
/// It bounds the time it takes itself. The feature `conformance` has the checks to run against an implementation.
#[async_trait]
pub trait ConfirmationStore: Send + Sync + 'static {
    /// Keeps a record. Expired records may be turned into tombstones to make room; pending ones may not. Counting what
    /// the principal has and keeping the record are one atomic step.
    ///
    /// # Errors
    /// When the store cannot be reached or cannot write, and when it has or remembers a record of the same hash, which
    /// stays as it is.
    async fn put(&self, record: Record, quota: Quota, now: Timestamp) -> Result<Put, StoreError>;

    /// Takes a record out and leaves a tombstone: reading, checking the expiry (`expires_at <= now` is expired) and
    /// consuming are one atomic step, so that of two takes at once exactly one gets it.
    ///
    /// # Errors
    /// When the store cannot be reached. The token is refused then, and may be spent or not.
    async fn take(&self, hash: &TokenHash, now: Timestamp) -> Result<Take, StoreError>;
}

/// How many pending confirmations one principal may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// At most so many of one principal at the same time.
    pub per_principal: NonZeroUsize,
}

/// What became of a record that was to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a record that was not stored cannot be confirmed"]
pub enum Put {
    /// It is kept.
    Stored,
    /// Its principal has as many pending confirmations as the quota allows.
    PrincipalFull,
    /// The store has as many pending confirmations as it can hold.
    StoreFull,
}

/// What a store had under a hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Take {
    /// A pending record; it is consumed now.
    Taken(Record),
    /// A record that came too late; it is consumed now. The record itself, unless it was cleared away before.
    Expired(Option<Record>),
    /// It was consumed before.
    Consumed(Tombstone),
    /// Nothing: never issued, or forgotten.
    Unknown,
}

/// Why a store could not answer. The text is for the operator and holds no content.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the confirmation store failed: {0}")]
pub struct StoreError(String);

impl StoreError {
    /// A failure, with a text for the operator.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
