use std::collections::{BTreeMap, BTreeSet, HashMap};

use mtb_core::{PrincipalId, Timestamp};

use super::MemoryLimits;
use crate::record::{Record, Tombstone};
use crate::store::{Put, Quota, StoreError, Take};
use crate::token::TokenHash;

/// The books of the memory store, for one thread at a time.
///
/// Pending records leave only by being taken or by having expired. Each leaves a tombstone.
pub(super) struct Ledger {
    limits: MemoryLimits,
    pending: HashMap<TokenHash, Record>,
    // The pending ones, the first to expire first.
    expiries: BTreeSet<(Timestamp, TokenHash)>,
    // How many are pending of each principal that has any.
    counts: HashMap<PrincipalId, usize>,
    graves: HashMap<TokenHash, Grave>,
    // The graves in the order they were dug, by running number, and in the order they will be forgotten.
    burials: BTreeMap<u64, TokenHash>,
    forgettings: BTreeSet<(Timestamp, TokenHash)>,
    next_burial: u64,
}

struct Grave {
    tombstone: Tombstone,
    /// It expired without anybody presenting it, which is told once.
    expired_untold: bool,
    burial: u64,
    /// Past this moment it is forgotten.
    until: Timestamp,
}

impl Ledger {
    pub(super) fn new(limits: MemoryLimits) -> Self {
        Self {
            limits,
            pending: HashMap::new(),
            expiries: BTreeSet::new(),
            counts: HashMap::new(),
            graves: HashMap::new(),
            burials: BTreeMap::new(),
            forgettings: BTreeSet::new(),
            next_burial: 0,
        }
    }

    pub(super) fn pending(&self) -> usize {
        self.pending.len()
    }

    pub(super) fn consumed(&self) -> usize {
        self.graves.len()
    }

    pub(super) fn put(&mut self, record: Record, quota: Quota, now: Timestamp) -> Result<Put, StoreError> {
        self.clear_away(now);
        if self.pending.contains_key(&record.hash) || self.graves.contains_key(&record.hash) {
            return Err(StoreError::new("a confirmation of the same hash was put before; issue another token"));
        }
        let held = self.counts.get(&record.bound.principal).copied().unwrap_or(0);
        if held >= quota.per_principal.get() {
            return Ok(Put::PrincipalFull);
        }
        if self.pending.len() >= self.limits.max_pending.get() {
            return Ok(Put::StoreFull);
        }
        self.counts.insert(record.bound.principal.clone(), held.saturating_add(1));
        self.expiries.insert((record.bound.expires_at, record.hash));
        self.pending.insert(record.hash, record);
        Ok(Put::Stored)
    }

    pub(super) fn take(&mut self, hash: &TokenHash, now: Timestamp) -> Take {
        if let Some(record) = self.remove(hash) {
            self.bury(*hash, Tombstone::from(&record.bound), now, false);
            return if record.bound.expires_at <= now { Take::Expired(Some(record)) } else { Take::Taken(record) };
        }
        match self.graves.get_mut(hash) {
            Some(grave) if grave.expired_untold => {
                grave.expired_untold = false;
                Take::Expired(None)
            }
            Some(grave) => Take::Consumed(grave.tombstone.clone()),
            None => Take::Unknown,
        }
    }

    /// Turns expired records into tombstones, and forgets tombstones whose time is over.
    fn clear_away(&mut self, now: Timestamp) {
        while let Some((expires_at, hash)) = self.expiries.first().copied() {
            if expires_at > now {
                break;
            }
            self.expiries.pop_first();
            if let Some(record) = self.remove(&hash) {
                self.bury(hash, Tombstone::from(&record.bound), now, true);
            }
        }
        while let Some((until, hash)) = self.forgettings.first().copied() {
            if until >= now {
                break;
            }
            self.forgettings.pop_first();
            self.forget(&hash);
        }
    }

    fn remove(&mut self, hash: &TokenHash) -> Option<Record> {
        let record = self.pending.remove(hash)?;
        self.expiries.remove(&(record.bound.expires_at, *hash));
        if let Some(count) = self.counts.get_mut(&record.bound.principal) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.counts.remove(&record.bound.principal);
            }
        }
        Some(record)
    }

    fn bury(&mut self, hash: TokenHash, tombstone: Tombstone, now: Timestamp, expired_untold: bool) {
        let until = tombstone.expires_at.max(now).after(self.limits.retention);
        let burial = self.next_burial;
        self.next_burial = burial.saturating_add(1);
        self.burials.insert(burial, hash);
        self.forgettings.insert((until, hash));
        self.graves.insert(hash, Grave { tombstone, expired_untold, burial, until });
        while self.graves.len() > self.limits.max_consumed {
            let Some((_, oldest)) = self.burials.pop_first() else { break };
            self.forget(&oldest);
        }
    }

    fn forget(&mut self, hash: &TokenHash) {
        if let Some(grave) = self.graves.remove(hash) {
            self.burials.remove(&grave.burial);
            self.forgettings.remove(&(grave.until, *hash));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::time::Duration;

    use mtb_core::{CallId, Fingerprint, PrincipalId, Timestamp, ToolName};

    use super::{Ledger, MemoryLimits};
    use crate::carrier::Carrier;
    use crate::record::{Bound, Record, Sealed};
    use crate::store::{Put, Quota};
    use crate::token::TokenHash;

    fn record(number: u8, expires_at: i64) -> Record {
        let bound = Bound {
            format: Bound::FORMAT,
            principal: PrincipalId::new(&format!("principal {number}")).unwrap(),
            tool: ToolName::new("tool").unwrap(),
            call_id: CallId::from_bytes([number; 16]),
            issued_at: Timestamp::from_millis(0),
            expires_at: Timestamp::from_millis(expires_at),
            carrier: Carrier::Host,
            fingerprint: Fingerprint::from_bytes([number; 32]),
        };
        Record { hash: TokenHash::from_bytes([number; 32]), bound, sealed: Sealed::from_bytes([number]) }
    }

    /// A side table that keeps what the main one forgot would grow without bound.
    #[test]
    fn the_books_agree_and_end_empty() {
        let limits = MemoryLimits::new(50, 3, Duration::from_millis(10)).unwrap();
        let (mut ledger, quota) = (Ledger::new(limits), Quota { per_principal: NonZeroUsize::MIN });
        let check = |ledger: &Ledger| {
            assert_eq!((ledger.expiries.len(), ledger.counts.len()), (ledger.pending.len(), ledger.pending.len()));
            assert_eq!((ledger.burials.len(), ledger.forgettings.len()), (ledger.graves.len(), ledger.graves.len()));
        };
        for number in 0..40 {
            let now = Timestamp::from_millis(i64::from(number));
            let put = ledger.put(record(number, i64::from(number) + 1 + i64::from(number % 7) * 5), quota, now);
            assert_eq!(put, Ok(Put::Stored));
            check(&ledger);
            if number % 3 == 0 {
                drop(ledger.take(&TokenHash::from_bytes([number / 2; 32]), now));
                check(&ledger);
            }
        }
        for now in [1_000, 2_000] {
            ledger.clear_away(Timestamp::from_millis(now));
            check(&ledger);
        }
        assert_eq!((ledger.pending(), ledger.consumed()), (0, 0));
    }
}
