use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use futures_util::future::poll_immediate;
use mtb_audit::{CallScope, EventKind, FailureMode, Trail};
use mtb_core::{Principal, Timestamp};
use mtb_guard::{ConfirmationPolicy, Guard, HeldCall, IssueError, Issued, Presented};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::bridge::{BridgeLimits, ContextError};
use crate::clock::Clock;
use crate::warning::warn;

/// What the steps of the path ask: who confirms, where events go, what the host gives.
pub(crate) struct Services<C> {
    pub(crate) context: ContextFactory<C>,
    pub(crate) policy: ConfirmationPolicy,
    pub(crate) guard: Guard,
    pub(crate) trail: Trail,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: BridgeLimits,
    pub(crate) slots: Arc<Semaphore>,
    // The last time the clock told, for events that must be written although it fails now.
    pub(crate) last_time: AtomicI64,
}

pub(crate) type ContextFactory<C> =
    Box<dyn Fn(Principal) -> Pin<Box<dyn Future<Output = Result<C, ContextError>> + Send>> + Send + Sync>;

/// An event could not be recorded, and the host wants nothing to happen without its record.
#[derive(Debug)]
pub(super) struct Unrecorded;

/// The clock panicked.
#[derive(Debug)]
pub(super) struct ClockFailed;

impl<C> Services<C> {
    /// The time, for whatever depends on it.
    pub(super) fn now(&self) -> Result<Timestamp, ClockFailed> {
        let now = catch_unwind(AssertUnwindSafe(|| self.clock.now())).map_err(|_| ClockFailed)?;
        self.last_time.store(now.as_millis(), Ordering::Relaxed);
        Ok(now)
    }

    /// Writes an event that what follows depends on. An audit that does not answer in time has failed.
    pub(super) async fn record(&self, scope: &CallScope, at: Timestamp, kind: EventKind) -> Result<(), Unrecorded> {
        if let Some(recorded) = self.patiently(Box::pin(self.trail.record(scope, at, kind))).await {
            return recorded.map_err(|_| Unrecorded);
        }
        self.warn_late("an audit sink");
        match self.trail.failure_mode() {
            FailureMode::Block => Err(Unrecorded),
            FailureMode::Continue => Ok(()),
        }
    }

    /// Writes an event that nothing depends on any more.
    pub(super) async fn record_end(&self, scope: &CallScope, at: Timestamp, kind: EventKind) {
        if self.patiently(Box::pin(self.trail.record_end(scope, at, kind))).await.is_none() {
            // The effect has happened: all that is left is to say so.
            self.warn_late("an audit sink");
        }
    }

    /// What somebody else answers in time. Most answers are there at once, and need no timer.
    async fn patiently<T>(&self, mut answer: Pin<Box<impl Future<Output = T>>>) -> Option<T> {
        match poll_immediate(answer.as_mut()).await {
            Some(answer) => Some(answer),
            None => timeout(self.limits.patience, answer).await.ok(),
        }
    }

    fn warn_late(&self, what: &str) {
        warn(&format!("{what} did not answer within {:?}", self.limits.patience));
    }

    /// Spends a token. A store that does not answer in time has failed.
    pub(super) async fn take(&self, token: &str) -> Presented {
        let take = self.guard.take(token, self.now_or_last());
        self.patiently(Box::pin(take)).await.unwrap_or_else(|| {
            self.warn_late("the confirmation store");
            Presented::unavailable()
        })
    }

    /// Issues a confirmation. A store that does not answer in time has failed; if it stores the record later, nobody
    /// has the token.
    pub(super) async fn issue(&self, call: &HeldCall<'_>, now: Timestamp) -> Result<Issued, IssueError> {
        let issue = self.guard.issue(call, now);
        self.patiently(Box::pin(issue)).await.unwrap_or_else(|| {
            self.warn_late("the confirmation store");
            Err(IssueError::StoreUnavailable)
        })
    }

    /// The time, for an event that must be written in any case: the last one known, if the clock fails.
    pub(super) fn now_or_last(&self) -> Timestamp {
        self.now().unwrap_or_else(|_| Timestamp::from_millis(self.last_time.load(Ordering::Relaxed)))
    }
}
