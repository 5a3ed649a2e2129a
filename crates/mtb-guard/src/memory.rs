use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

use async_trait::async_trait;
use mtb_core::Timestamp;
use thiserror::Error;

use crate::record::Record;
use crate::store::{ConfirmationStore, Put, Quota, StoreError, Take};
use crate::sync::Mutex;
use crate::token::TokenHash;

mod ledger;

use ledger::Ledger;

/// Confirmations in the memory of one process. A token issued here cannot be redeemed elsewhere, nor after a restart.
pub struct MemoryStore {
    ledger: Mutex<Ledger>,
}

/// Bounds on a [`MemoryStore`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimits {
    max_pending: NonZeroUsize,
    max_consumed: usize,
    retention: Duration,
}

/// Bounds that make no store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a memory store holds at least one pending confirmation: give `max_pending` 1 or more")]
pub struct MemoryLimitsError;

impl MemoryLimits {
    /// At most `max_pending` unanswered confirmations; at most `max_consumed` others are remembered, the latest ones, so
    /// that a replay can be told from an invention. They are forgotten when `retention` has passed since they expired,
    /// or since they were cleared away if that was later.
    ///
    /// # Errors
    /// When `max_pending` is 0.
    pub fn new(max_pending: usize, max_consumed: usize, retention: Duration) -> Result<Self, MemoryLimitsError> {
        let max_pending = NonZeroUsize::new(max_pending).ok_or(MemoryLimitsError)?;
        Ok(Self { max_pending, max_consumed, retention })
    }
}

impl Default for MemoryLimits {
    /// 10,000 pending, 10,000 remembered, for 24 hours.
    fn default() -> Self {
        Self {
            max_pending: NonZeroUsize::MIN.saturating_add(9_999),
            max_consumed: 10_000,
            retention: Duration::from_secs(24 * 60 * 60),
        }
    }
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new(limits: MemoryLimits) -> Self {
        Self { ledger: Mutex::new(Ledger::new(limits)) }
    }

    /// How many confirmations wait for an answer, including expired ones that were not cleared away yet.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.ledger.lock().map_or(0, |ledger| ledger.pending())
    }

    /// How many answered confirmations are remembered.
    #[must_use]
    pub fn consumed(&self) -> usize {
        self.ledger.lock().map_or(0, |ledger| ledger.consumed())
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new(MemoryLimits::default())
    }
}

#[async_trait]
impl ConfirmationStore for MemoryStore {
    async fn put(&self, record: Record, quota: Quota, now: Timestamp) -> Result<Put, StoreError> {
        self.ledger.lock().map_err(|_| poisoned())?.put(record, quota, now)
    }

    async fn take(&self, hash: &TokenHash, now: Timestamp) -> Result<Take, StoreError> {
        Ok(self.ledger.lock().map_err(|_| poisoned())?.take(hash, now))
    }
}

/// A panic while the lock was held leaves a ledger that may be half changed. It is not used again.
fn poisoned() -> StoreError {
    StoreError::new("a panic left the memory store in doubt; restart the process")
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").field("pending", &self.pending()).field("consumed", &self.consumed()).finish()
    }
}

#[cfg(all(test, not(shuttle)))]
mod tests {
    use std::num::NonZeroUsize;
    use std::time::Duration;

    use mtb_core::{CallId, Fingerprint, PrincipalId, Timestamp, ToolName};

    use super::{MemoryLimits, MemoryStore};
    use crate::carrier::Carrier;
    use crate::record::{Bound, Record, Sealed};
    use crate::store::{ConfirmationStore as _, Quota};
    use crate::token::TokenHash;

    #[test]
    fn a_store_holds_at_least_one_confirmation() {
        assert!(MemoryLimits::new(0, 1, Duration::ZERO).is_err()); // case 130
        assert!(MemoryLimits::new(1, 0, Duration::ZERO).is_ok());
    }

    /// Whatever panicked with the ledger in hand may have left it half changed.
    #[tokio::test]
    async fn a_ledger_in_doubt_is_not_used_again() {
        let store = MemoryStore::default();
        std::thread::scope(|scope| {
            let holding = scope.spawn(|| {
                let _ledger = store.ledger.lock();
                panic!("on purpose");
            });
            assert!(holding.join().is_err());
        });
        let (now, hash) = (Timestamp::from_millis(0), TokenHash::from_bytes([1; 32]));
        let bound = Bound {
            format: Bound::FORMAT,
            principal: PrincipalId::new("alice").unwrap(),
            tool: ToolName::new("tool").unwrap(),
            call_id: CallId::from_bytes([0; 16]),
            issued_at: now,
            expires_at: now,
            carrier: Carrier::Host,
            fingerprint: Fingerprint::from_bytes([0; 32]),
        };
        let record = Record { hash, bound, sealed: Sealed::from_bytes([]) };
        assert!(store.put(record, Quota { per_principal: NonZeroUsize::MIN }, now).await.is_err());
        assert!(store.take(&hash, now).await.is_err());
        assert_eq!(format!("{store:?}"), "MemoryStore { pending: 0, consumed: 0 }");
    }
}
