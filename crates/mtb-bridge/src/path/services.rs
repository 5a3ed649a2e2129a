use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use mtb_audit::Trail;
use mtb_core::{Principal, Timestamp};
use mtb_guard::{ConfirmationPolicy, Guard};
use tokio::sync::Semaphore;

use crate::bridge::{BridgeLimits, ContextError};
use crate::clock::Clock;

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

    /// The time, for an event that must be written in any case: the last one known, if the clock fails.
    pub(super) fn now_or_last(&self) -> Timestamp {
        self.now().unwrap_or_else(|_| Timestamp::from_millis(self.last_time.load(Ordering::Relaxed)))
    }
}
