use std::fmt;
use std::time::Duration;

use mtb_core::{PrincipalId, Timestamp, ToolName};

use super::claimed::{Claimed, Unanswered};
use crate::carrier::Carrier;
use crate::record::{Record, Tombstone};
use crate::refusal::{Refusal, RefusalReason};
use crate::seal;
use crate::token::Token;

/// How far the clocks of the processes that share a store may differ.
const CLOCK_SKEW: Duration = Duration::from_secs(60);

/// A token that was presented, and is spent. What it is good for has not been checked yet.
#[must_use = "a presented token is spent: what it is good for has to be checked, or refused"]
pub struct Presented(Inner);

enum Inner {
    Taken {
        token: Token,
        record: Record,
        /// What the store found wrong with it. Who presents it counts before this.
        store_says: Option<RefusalReason>,
    },
    Refused(RefusalReason, Option<Tombstone>),
}

impl Presented {
    pub(super) fn taken(token: Token, record: Record, store_says: Option<RefusalReason>) -> Self {
        Self(Inner::Taken { token, record, store_says })
    }

    pub(super) fn refused(reason: RefusalReason, tombstone: Option<Tombstone>) -> Self {
        Self(Inner::Refused(reason, tombstone))
    }

    /// A token of which the store said nothing in time. It refuses, and may be spent or not.
    pub fn unavailable() -> Self {
        Self::refused(RefusalReason::StoreUnavailable, None)
    }

    /// Checks whose it is, whether it is in time, and how it came: the seal opens, then principal, expiry, carrier
    /// and, where the call names one, tool. A token that was issued more than a minute from `now` is out of time as
    /// well: the clock was set back.
    ///
    /// # Errors
    /// The first check that does not pass.
    pub fn claim(
        self,
        principal: &PrincipalId,
        carrier: Carrier,
        tool: Option<&ToolName>,
        now: Timestamp,
    ) -> Result<Claimed, Refusal> {
        let (claimed, store_says) = self.open()?;
        // A clock that was set back would lengthen its life, so a token from the future is out of time as well.
        let early = |claimed: &Claimed| now.after(CLOCK_SKEW) < claimed.bound().issued_at;
        let expired = |claimed: &Claimed| store_says.is_some() || claimed.expires_at() <= now || early(claimed);
        if claimed.bound().principal != *principal {
            return Err(claimed.refuse(RefusalReason::PrincipalMismatch));
        }
        if expired(&claimed) {
            return Err(claimed.refuse(RefusalReason::Expired));
        }
        if claimed.bound().carrier != carrier {
            return Err(claimed.refuse(RefusalReason::CarrierMismatch));
        }
        if tool.is_some_and(|tool| claimed.bound().tool != *tool) {
            return Err(claimed.refuse(RefusalReason::ToolMismatch));
        }
        Ok(claimed)
    }

    /// The same for a question that ends without a yes: nothing will run by this token, so its age does not matter.
    ///
    /// # Errors
    /// The first check that does not pass.
    pub fn claim_unanswered(self, principal: &PrincipalId, carrier: Carrier) -> Result<Unanswered, Refusal> {
        let (claimed, _) = self.open()?;
        if claimed.bound().principal != *principal {
            return Err(claimed.refuse(RefusalReason::PrincipalMismatch));
        }
        if claimed.bound().carrier != carrier {
            return Err(claimed.refuse(RefusalReason::CarrierMismatch));
        }
        Ok(Unanswered::new(claimed))
    }

    /// Refuses it without a check, for a reason of the caller's own, for example a clock that failed.
    #[must_use]
    pub fn refuse(self, reason: RefusalReason) -> Refusal {
        match self.open() {
            Ok((claimed, _)) => claimed.refuse(reason),
            Err(refusal) => Refusal { reason, ..refusal },
        }
    }

    fn open(self) -> Result<(Claimed, Option<RefusalReason>), Refusal> {
        let (token, record, store_says) = match self.0 {
            Inner::Taken { token, record, store_says } => (token, record, store_says),
            Inner::Refused(reason, tombstone) => return Err(refusal(reason, tombstone)),
        };
        // A row that does not open may be anybody's, so nothing it says is passed on.
        let invalid = Refusal { reason: RefusalReason::RecordInvalid, call_id: None, tool: None };
        match seal::open(&token, &record.hash, &record.bound, &record.sealed) {
            Ok(content) => Ok((Claimed::new(record.bound, content), store_says)),
            Err(_) => Err(invalid),
        }
    }
}

fn refusal(reason: RefusalReason, tombstone: Option<Tombstone>) -> Refusal {
    let (call_id, tool) = tombstone.map(|tombstone| (tombstone.call_id, tombstone.tool)).unzip();
    Refusal { reason, call_id, tool }
}

impl fmt::Debug for Presented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Presented(…)")
    }
}
