use std::num::NonZeroUsize;
use std::time::Duration;

use mtb_core::{CallId, Fingerprint, PrincipalId, Timestamp};
use mtb_guard::{
    Bound, Carrier, ConfirmationStore as _, MemoryLimits, MemoryStore, Put, Quota, Record, Sealed, StoreError, Take,
    TokenHash, Tombstone,
};

use crate::lab::{alice, name};

/// A store and, for each letter, a record.
pub(crate) struct Shelf(pub(crate) MemoryStore);

impl Shelf {
    fn new(max_pending: usize, max_consumed: usize, retention: u64) -> Self {
        let limits = MemoryLimits::new(max_pending, max_consumed, Duration::from_millis(retention));
        Self(MemoryStore::new(limits.unwrap()))
    }

    async fn put(&self, letter: u8, expires_at: i64, now: i64) -> Result<Put, StoreError> {
        let record = record(letter, &alice(), expires_at);
        self.0.put(record, Quota { per_principal: NonZeroUsize::MAX }, Timestamp::from_millis(now)).await
    }

    async fn take(&self, letter: u8, now: i64) -> Take {
        self.0.take(&hash(letter), Timestamp::from_millis(now)).await.unwrap()
    }
}

pub(crate) fn hash(letter: u8) -> TokenHash {
    TokenHash::from_bytes([letter; 32])
}

pub(crate) fn record(letter: u8, principal: &PrincipalId, expires_at: i64) -> Record {
    let bound = Bound {
        format: Bound::FORMAT,
        principal: principal.clone(),
        tool: name("tool"),
        call_id: CallId::from_bytes([letter; 16]),
        issued_at: Timestamp::from_millis(0),
        expires_at: Timestamp::from_millis(expires_at),
        carrier: Carrier::Host,
        fingerprint: Fingerprint::from_bytes([letter; 32]),
    };
    Record { hash: hash(letter), bound, sealed: Sealed::from_bytes([letter; 8]) }
}

fn consumed(letter: u8, expires_at: i64) -> Take {
    Take::Consumed(Tombstone::from(&record(letter, &alice(), expires_at).bound))
}

#[tokio::test]
async fn a_record_is_taken_once() {
    let shelf = Shelf::new(10, 10, 1_000);
    assert_eq!(shelf.put(b'a', 100, 0).await, Ok(Put::Stored));
    assert_eq!(shelf.take(b'a', 50).await, Take::Taken(record(b'a', &alice(), 100))); // case 126
    assert_eq!(shelf.take(b'a', 51).await, consumed(b'a', 100));
    assert_eq!(shelf.take(b'x', 51).await, Take::Unknown);
}

#[tokio::test]
async fn a_record_expires_at_its_expiry() {
    for (now, alive) in [(99, true), (100, false), (101, false)] {
        let shelf = Shelf::new(10, 10, 1_000);
        assert_eq!(shelf.put(b'a', 100, 0).await, Ok(Put::Stored));
        let record = record(b'a', &alice(), 100);
        let expected = if alive { Take::Taken(record) } else { Take::Expired(Some(record)) };
        assert_eq!(shelf.take(b'a', now).await, expected); // case 127
        assert_eq!(shelf.take(b'a', 101).await, consumed(b'a', 100));
    }
}

#[tokio::test]
async fn only_expired_records_make_room() {
    let shelf = Shelf::new(3, 10, 1_000);
    for (letter, expires_at) in [(b'o', 200), (b'e', 10), (b'r', 300)] {
        assert_eq!(shelf.put(letter, expires_at, 5).await, Ok(Put::Stored)); // case 128
    }
    assert_eq!(shelf.put(b'n', 400, 9).await, Ok(Put::StoreFull));
    assert_eq!(shelf.put(b'n', 400, 50).await, Ok(Put::Stored));
    assert_eq!(shelf.0.pending(), 3);
    assert_eq!(shelf.take(b'e', 50).await, Take::Expired(None));
    assert_eq!(shelf.take(b'e', 50).await, consumed(b'e', 10));
    assert_eq!(shelf.take(b'o', 50).await, Take::Taken(record(b'o', &alice(), 200)));
    assert_eq!(shelf.put(b'w', 500, 50).await, Ok(Put::Stored));
    assert_eq!(shelf.put(b'v', 600, 50).await, Ok(Put::StoreFull));
    assert_eq!(shelf.take(b'r', 50).await, Take::Taken(record(b'r', &alice(), 300)));
}

#[tokio::test]
async fn the_oldest_consumed_are_forgotten_past_their_number() {
    let shelf = Shelf::new(10, 2, 1_000);
    for letter in [b'a', b'b', b'c'] {
        assert_eq!(shelf.put(letter, 100, 0).await, Ok(Put::Stored)); // case 129
    }
    for letter in [b'a', b'b', b'c'] {
        assert!(matches!(shelf.take(letter, 0).await, Take::Taken(_)));
    }
    assert_eq!(shelf.0.consumed(), 2);
    assert_eq!(shelf.take(b'a', 0).await, Take::Unknown);
    assert_eq!(shelf.take(b'c', 0).await, consumed(b'c', 100));
    assert_eq!(shelf.put(b'd', 2_000, 1_100).await, Ok(Put::Stored));
    assert_eq!(shelf.0.consumed(), 2);
    assert_eq!(shelf.put(b'e', 2_000, 1_101).await, Ok(Put::Stored));
    assert_eq!(shelf.0.consumed(), 0);
    assert_eq!(shelf.take(b'c', 1_101).await, Take::Unknown);
}

/// A store that nobody used for a while still tells an expired token from an unknown one.
#[tokio::test]
async fn what_is_cleared_away_late_is_remembered_from_then_on() {
    let shelf = Shelf::new(10, 10, 1_000);
    assert_eq!(shelf.put(b'a', 100, 0).await, Ok(Put::Stored));
    for (letter, now) in [(b'b', 5_000), (b'c', 6_000)] {
        assert_eq!(shelf.put(letter, 9_000, now).await, Ok(Put::Stored));
    }
    assert_eq!(shelf.take(b'a', 6_000).await, Take::Expired(None));
    assert_eq!(shelf.put(b'd', 9_000, 6_001).await, Ok(Put::Stored));
    assert_eq!(shelf.take(b'a', 6_001).await, Take::Unknown);
}

/// One that lives long does not keep the others.
#[tokio::test]
async fn each_consumed_one_is_forgotten_in_its_own_time() {
    let shelf = Shelf::new(10, 10, 1_000);
    for (letter, expires_at) in [(b'l', 100_000), (b's', 100)] {
        assert_eq!(shelf.put(letter, expires_at, 0).await, Ok(Put::Stored));
        assert!(matches!(shelf.take(letter, 0).await, Take::Taken(_)));
    }
    assert_eq!(shelf.put(b'x', 5_000, 1_101).await, Ok(Put::Stored));
    assert_eq!(shelf.take(b's', 1_101).await, Take::Unknown);
    assert_eq!(shelf.take(b'l', 1_101).await, consumed(b'l', 100_000));
}

#[tokio::test]
async fn a_hash_is_stored_once() {
    let shelf = Shelf::new(10, 10, 1_000);
    assert_eq!(shelf.put(b'a', 100, 0).await, Ok(Put::Stored));
    assert!(shelf.put(b'a', 999, 0).await.is_err());
    assert_eq!((shelf.0.pending(), shelf.take(b'a', 50).await), (1, Take::Taken(record(b'a', &alice(), 100))));
    assert!(shelf.put(b'a', 999, 50).await.is_err());
    assert_eq!((shelf.0.pending(), shelf.take(b'a', 51).await), (0, consumed(b'a', 100)));
}
