//! The conformance kit: a good store passes, and each kind of bad store is found out.
#![cfg(feature = "conformance")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "what a test relies on fails the test")]

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use mtb_core::Timestamp;
use mtb_guard::{ConfirmationStore, MemoryStore, Put, Quota, Record, Sealed, StoreError, Take, TokenHash, conformance};

const NOON: Timestamp = Timestamp::from_millis(1_790_942_400_000);

/// How a store is bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defect {
    None,
    TakesTwice,
    ForgetsTheTime,
    IgnoresTheQuota,
    ForgetsTheConsumed,
    ForgetsTheExpired,
    KnowsTheUnknown,
    IsFullForAll,
    RoundsToEven,
    RoundsTheTime,
    TrimsThePayload,
    Overwrites,
    Evicts,
    ReadsBeforeItDeletes,
    KeepsThePayload,
}

/// A memory store with a defect. It also keeps the payloads that whoever reads it would find.
struct Bad {
    defect: Defect,
    inner: MemoryStore,
    seen: Mutex<Vec<Record>>,
}

impl Bad {
    fn new(defect: Defect) -> Self {
        Self { defect, inner: MemoryStore::default(), seen: Mutex::default() }
    }

    fn known(&self, hash: &TokenHash) -> Option<Record> {
        self.seen.lock().unwrap().iter().rev().find(|record| record.hash == *hash).cloned()
    }

    fn contents(&self) -> Vec<u8> {
        self.seen.lock().unwrap().iter().flat_map(|record| record.sealed.as_bytes().to_vec()).collect()
    }
}

#[async_trait]
impl ConfirmationStore for Bad {
    async fn put(&self, mut record: Record, mut quota: Quota, now: Timestamp) -> Result<Put, StoreError> {
        match self.defect {
            Defect::IgnoresTheQuota => quota.per_principal = std::num::NonZeroUsize::MAX,
            Defect::RoundsTheTime => {
                record.bound.issued_at = Timestamp::from_millis(record.bound.issued_at.as_millis() / 1_000 * 1_000);
            }
            Defect::RoundsToEven => {
                record.bound.issued_at = Timestamp::from_millis(record.bound.issued_at.as_millis() & !1);
                record.bound.expires_at = Timestamp::from_millis(record.bound.expires_at.as_millis() & !1);
            }
            Defect::TrimsThePayload => {
                let bytes = record.sealed.as_bytes();
                record.sealed = Sealed::from_bytes(&bytes[..bytes.len().min(65_535)]);
            }
            _ => {}
        }
        self.seen.lock().unwrap().push(record.clone());
        match self.inner.put(record, quota, now).await {
            Err(_) if self.defect == Defect::Overwrites => Ok(Put::Stored),
            Ok(Put::PrincipalFull) if self.defect == Defect::IsFullForAll => Ok(Put::StoreFull),
            other => other,
        }
    }

    async fn take(&self, hash: &TokenHash, now: Timestamp) -> Result<Take, StoreError> {
        let known = self.known(hash);
        if self.defect == Defect::ReadsBeforeItDeletes {
            let before = self.inner.take(hash, now).await?;
            tokio::task::yield_now().await;
            // Whoever came in between has read the same row.
            return Ok(match (before, known) {
                (Take::Consumed(_), Some(record)) if self.seen.lock().unwrap().len() > 1 => Take::Taken(record),
                (before, _) => before,
            });
        }
        let take = self.inner.take(hash, now).await?;
        if self.defect == Defect::None {
            let mut seen = self.seen.lock().unwrap();
            seen.iter_mut()
                .filter(|record| record.hash == *hash)
                .for_each(|record| record.sealed = Sealed::from_bytes([]));
        }
        Ok(match (self.defect, take, known) {
            (Defect::TakesTwice, Take::Consumed(_), Some(record))
            | (Defect::ForgetsTheTime, Take::Expired(Some(record)), _) => Take::Taken(record),
            (Defect::ForgetsTheConsumed, Take::Consumed(_), _)
            | (Defect::ForgetsTheExpired, Take::Expired(None), _) => Take::Unknown,
            (Defect::KnowsTheUnknown, Take::Unknown, _) => Take::Expired(None),
            (Defect::Evicts, Take::Taken(_), _) if self.seen.lock().unwrap().len() > 50 => Take::Unknown,
            (_, take, _) => take,
        })
    }
}

#[tokio::test]
async fn a_bad_store_is_found_out() {
    for (defect, promise) in [
        (Defect::TakesTwice, "single_use"),
        (Defect::ForgetsTheTime, "expiry_in_the_same_step"),
        (Defect::IgnoresTheQuota, "quota"),
        (Defect::IgnoresTheQuota, "the_quota_holds_at_once"),
        (Defect::ForgetsTheConsumed, "single_use"),
        (Defect::ForgetsTheConsumed, "one_take_wins"),
        (Defect::ForgetsTheExpired, "expired_leaves_a_tombstone"),
        (Defect::KnowsTheUnknown, "unknown"),
        (Defect::IsFullForAll, "the_quota_holds_at_once"),
        (Defect::RoundsToEven, "exact_fields"),
        (Defect::RoundsTheTime, "exact_fields"),
        (Defect::TrimsThePayload, "exact_fields"),
        (Defect::Overwrites, "a_hash_is_kept_once"),
        (Defect::Overwrites, "consumed_stays_consumed"),
        (Defect::Evicts, "nothing_pending_is_evicted"),
        (Defect::ReadsBeforeItDeletes, "one_take_wins"),
    ] {
        for now in [NOON, NOON.after(Duration::from_millis(1))] {
            let error = conformance::check(&Bad::new(defect), now).await.unwrap_err();
            let broken: Vec<_> = error.violations.iter().map(|violation| violation.promise).collect();
            assert!(broken.contains(&promise), "{defect:?}: {error}");
        }
    }
    conformance::check(&Bad::new(Defect::None), NOON).await.unwrap();
}

#[tokio::test]
async fn a_payload_that_stays_is_found_out() {
    let keeps = Bad::new(Defect::KeepsThePayload);
    let error = conformance::check_payload_deleted(&keeps, NOON, async || keeps.contents()).await.unwrap_err();
    assert!(error.to_string().contains("after the take"), "{error}");
    // A reader that reads nothing proves nothing.
    let error = conformance::check_payload_deleted(&MemoryStore::default(), NOON, async || Vec::new()).await;
    assert!(error.unwrap_err().to_string().contains("before the take"));
    let good = Bad::new(Defect::None);
    conformance::check_payload_deleted(&good, NOON, async || good.contents()).await.unwrap();
}

#[tokio::test]
async fn the_memory_store_keeps_every_promise_again_and_again() {
    let store = MemoryStore::default();
    for _ in 0..3 {
        conformance::check(&store, NOON).await.unwrap();
    }
}
