use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;

use mtb_core::{CallId, CanonicalJson, Declaration, PrincipalId, Timestamp};
use thiserror::Error;

use crate::carrier::Carrier;
use crate::lifetimes::Lifetimes;
use crate::record::{Bound, Record};
use crate::refusal::RefusalReason;
use crate::seal::{self, Content};
use crate::store::{ConfirmationStore, Put, Quota, Take};
use crate::token::Token;
use crate::warning;

mod caught;
mod claimed;
mod presented;

pub use claimed::{Claimed, Confirmed, Unanswered};
pub use presented::Presented;

/// Issues, takes and checks confirmations. Everything it knows is in its store.
#[derive(Clone)]
pub struct Guard {
    store: Arc<dyn ConfirmationStore>,
    lifetimes: Lifetimes,
    max_pending: NonZeroUsize,
}

/// A call that waits for a person.
#[derive(Debug, Clone, Copy)]
pub struct HeldCall<'a> {
    /// Who calls.
    pub principal: &'a PrincipalId,
    /// The tool as it is declared now.
    pub declaration: &'a Declaration,
    /// The arguments, validated.
    pub arguments: &'a CanonicalJson,
    /// The call, as the audit names it.
    pub call_id: CallId,
    /// How the person will be asked.
    pub carrier: Carrier,
}

/// A confirmation that waits for its answer.
#[derive(Debug)]
pub struct Issued {
    /// What stands for the yes.
    pub token: Token,
    /// From this moment on it is good for nothing.
    pub expires_at: Timestamp,
}

/// Why nobody can be asked now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum IssueError {
    /// The principal has as many unanswered confirmations as it may have.
    #[error("the principal has too many unanswered confirmations")]
    PrincipalFull,
    /// The store has as many unanswered confirmations as it can hold.
    #[error("the confirmation store is full")]
    StoreFull,
    /// The store failed, or the operating system gave no random bytes.
    #[error("the confirmation store is unavailable")]
    StoreUnavailable,
}

impl Guard {
    /// How many unanswered confirmations one principal may have, where nothing else is said.
    pub const DEFAULT_MAX_PENDING: NonZeroUsize = NonZeroUsize::MIN.saturating_add(99);

    /// A guard over this store: five minutes for every tool, 100 unanswered confirmations for each principal.
    #[must_use]
    pub fn new(store: Arc<dyn ConfirmationStore>) -> Self {
        Self { store, lifetimes: Lifetimes::default(), max_pending: Self::DEFAULT_MAX_PENDING }
    }

    /// The same guard with other lifetimes. Confirmations that were issued keep theirs.
    #[must_use]
    pub fn with_lifetimes(mut self, lifetimes: Lifetimes) -> Self {
        self.lifetimes = lifetimes;
        self
    }

    /// The same guard with another number of unanswered confirmations for each principal.
    #[must_use]
    pub fn with_max_pending(mut self, max_pending: NonZeroUsize) -> Self {
        self.max_pending = max_pending;
        self
    }

    /// Issues a confirmation of exactly this call.
    ///
    /// # Errors
    /// When there is no room, or nothing can be stored. Nobody may be asked then.
    pub async fn issue(&self, call: &HeldCall<'_>, now: Timestamp) -> Result<Issued, IssueError> {
        let token = Token::random().map_err(|_| IssueError::StoreUnavailable)?;
        let declaration = call.declaration;
        let lifetime = self.lifetimes.of(declaration.sensitivity(), declaration.reversibility());
        let expires_at = now.after(lifetime);
        let bound = Bound {
            format: Bound::FORMAT,
            principal: call.principal.clone(),
            tool: declaration.name().clone(),
            call_id: call.call_id,
            issued_at: now,
            expires_at,
            carrier: call.carrier,
            fingerprint: declaration.fingerprint(),
        };
        let content = Content { expires_at, arguments: call.arguments.as_str().to_owned() };
        let sealed = seal::seal(&token, &bound, &content).map_err(|_| IssueError::StoreUnavailable)?;
        let record = Record { hash: token.hash(), bound, sealed };
        let quota = Quota { per_principal: self.max_pending };
        match caught::caught(|| self.store.put(record, quota, now)).await {
            Some(Ok(Put::Stored)) => Ok(Issued { token, expires_at }),
            Some(Ok(Put::PrincipalFull)) => Err(IssueError::PrincipalFull),
            Some(Ok(Put::StoreFull)) => Err(IssueError::StoreFull),
            Some(Err(error)) => {
                warning::store_failed("put", &error);
                Err(IssueError::StoreUnavailable)
            }
            None => {
                warning::store_panicked("put");
                Err(IssueError::StoreUnavailable)
            }
        }
    }

    /// Spends a token. Whatever it is good for is up to the checks that follow; it is good for nothing a second time.
    pub async fn take(&self, token: &str, now: Timestamp) -> Presented {
        let Some(token) = Token::read(token) else {
            return Presented::refused(RefusalReason::Unknown, None);
        };
        let hash = token.hash();
        match caught::caught(|| self.store.take(&hash, now)).await {
            Some(Ok(Take::Taken(record))) => Presented::taken(token, record, None),
            Some(Ok(Take::Expired(Some(record)))) => Presented::taken(token, record, Some(RefusalReason::Expired)),
            Some(Ok(Take::Expired(None))) => Presented::refused(RefusalReason::Expired, None),
            Some(Ok(Take::Consumed(tombstone))) => Presented::refused(RefusalReason::Consumed, Some(tombstone)),
            Some(Ok(Take::Unknown)) => Presented::refused(RefusalReason::Unknown, None),
            Some(Err(error)) => {
                warning::store_failed("take", &error);
                Presented::refused(RefusalReason::StoreUnavailable, None)
            }
            None => {
                warning::store_panicked("take");
                Presented::refused(RefusalReason::StoreUnavailable, None)
            }
        }
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("lifetimes", &self.lifetimes)
            .field("max_pending", &self.max_pending)
            .finish_non_exhaustive()
    }
}
