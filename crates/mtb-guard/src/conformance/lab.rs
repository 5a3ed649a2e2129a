use std::fmt::Debug;
use std::num::NonZeroUsize;
use std::time::Duration;

use mtb_core::{CallId, Digest, Fingerprint, PrincipalId, Timestamp, ToolName};

use super::{ConformanceError, Violation};
use crate::carrier::Carrier;
use crate::record::{Bound, Record, Sealed};
use crate::store::{ConfirmationStore, Put, Quota, StoreError, Take};
use crate::token::TokenHash;

/// How long the records of the checks live.
pub(super) const LIFE: Duration = Duration::from_secs(60);

/// A store under test, and what was found out about it.
pub(super) struct Lab<'s> {
    pub(super) store: &'s dyn ConfirmationStore,
    pub(super) now: Timestamp,
    // Keeps the records of two runs apart, in one store.
    seed: [u8; 32],
    made: u64,
    violations: Vec<Violation>,
}

impl<'s> Lab<'s> {
    pub(super) fn new(store: &'s dyn ConfirmationStore, now: Timestamp) -> Result<Self, ConformanceError> {
        let mut seed = [0; 32];
        let violation = |_| Violation { promise: "random_bytes", found: "the operating system gave none".to_owned() };
        getrandom::fill(&mut seed).map_err(violation).map_err(|only| ConformanceError { violations: vec![only] })?;
        Ok(Self { store, now, seed, made: 0, violations: Vec::new() })
    }

    pub(super) fn finish(self) -> Result<(), ConformanceError> {
        if self.violations.is_empty() { Ok(()) } else { Err(ConformanceError { violations: self.violations }) }
    }

    /// When the records of the checks expire.
    pub(super) fn end(&self) -> Timestamp {
        self.now.after(LIFE)
    }

    pub(super) fn hash(&mut self) -> TokenHash {
        TokenHash::from_bytes(self.fresh())
    }

    /// A principal that no check used before.
    pub(super) fn principal(&mut self) -> Option<PrincipalId> {
        let id = format!("conformance {}", Digest::from_bytes(self.fresh()));
        self.valid(PrincipalId::new(&id))
    }

    /// A record of a principal of its own.
    pub(super) fn record(&mut self) -> Option<Record> {
        let principal = self.principal()?;
        self.record_of(&principal)
    }

    pub(super) fn record_of(&mut self, principal: &PrincipalId) -> Option<Record> {
        let bytes = self.fresh();
        let tool = self.valid(ToolName::new("conformance.tool"))?;
        let mut call_id = [0; 16];
        call_id.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        let bound = Bound {
            format: Bound::FORMAT,
            principal: principal.clone(),
            tool,
            call_id: CallId::from_bytes(call_id),
            issued_at: self.now,
            expires_at: self.end(),
            carrier: Carrier::Host,
            fingerprint: Fingerprint::from_bytes(bytes),
        };
        Some(Record { hash: self.hash(), bound, sealed: Sealed::from_bytes(self.fresh()) })
    }

    pub(super) async fn put(&mut self, promise: &'static str, record: &Record, quota: usize, at: Timestamp, put: Put) {
        let found = self.store.put(record.clone(), per_principal(quota), at).await;
        let holds = found == Ok(put);
        self.expect(promise, "a put", &found, holds);
    }

    /// Puts a record that has to be kept.
    pub(super) async fn keep(&mut self, promise: &'static str, record: &Record) {
        self.put(promise, record, 100, self.now, Put::Stored).await;
    }

    pub(super) async fn take(
        &mut self,
        promise: &'static str,
        hash: &TokenHash,
        at: Timestamp,
        fits: impl FnOnce(&Take) -> bool,
    ) {
        let found: Result<Take, StoreError> = self.store.take(hash, at).await;
        let holds = found.as_ref().is_ok_and(fits);
        self.expect(promise, "a take", &found, holds);
    }

    pub(super) fn expect(&mut self, promise: &'static str, what: &str, found: &dyn Debug, holds: bool) {
        if !holds {
            self.violations.push(Violation { promise, found: format!("{what} answered {found:?}") });
        }
    }

    pub(super) fn valid<T, E: Debug>(&mut self, made: Result<T, E>) -> Option<T> {
        if let Err(error) = &made {
            self.expect("sample_records", "making a record", error, false);
        }
        made.ok()
    }

    fn fresh(&mut self) -> [u8; 32] {
        self.made = self.made.saturating_add(1);
        let mut bytes = self.seed.to_vec();
        bytes.extend_from_slice(&self.made.to_le_bytes());
        *Digest::of(&bytes).as_bytes()
    }
}

pub(super) fn per_principal(quota: usize) -> Quota {
    Quota { per_principal: NonZeroUsize::new(quota).unwrap_or(NonZeroUsize::MIN) }
}
