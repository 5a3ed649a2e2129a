use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{AuditSink, SinkError};
use crate::event::AuditEvent;

/// Keeps events in memory, for tests and for hosts that forward them in batches.
///
/// A clone is a handle to the same events. A full sink fails: it never drops what it said it recorded.
#[derive(Clone)]
pub struct MemorySink(Arc<Inner>);

struct Inner {
    capacity: NonZeroUsize,
    events: Mutex<Vec<AuditEvent>>,
}

impl MemorySink {
    /// How many events the default sink holds.
    pub const DEFAULT_CAPACITY: NonZeroUsize = NonZeroUsize::MIN.saturating_add(9_999);

    /// A sink for at most so many events.
    #[must_use]
    pub fn new(capacity: NonZeroUsize) -> Self {
        Self(Arc::new(Inner { capacity, events: Mutex::default() }))
    }

    /// A copy of the events, the oldest first.
    #[must_use]
    pub fn events(&self) -> Vec<AuditEvent> {
        self.lock().clone()
    }

    /// Takes the events out, the oldest first, and makes room.
    #[must_use = "the events are no longer in the sink"]
    pub fn drain(&self) -> Vec<AuditEvent> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<AuditEvent>> {
        self.0.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemorySink {
    /// A sink for at most 10,000 events.
    fn default() -> Self {
        Self::new(Self::DEFAULT_CAPACITY)
    }
}

#[async_trait]
impl AuditSink for MemorySink {
    async fn record(&self, event: &AuditEvent) -> Result<(), SinkError> {
        let mut events = self.lock();
        if events.len() >= self.0.capacity.get() {
            return Err(SinkError::new("the memory sink is full: drain it, or give it a larger capacity"));
        }
        events.push(event.clone());
        Ok(())
    }
}

impl fmt::Debug for MemorySink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (capacity, events) = (self.0.capacity, self.lock().len());
        f.debug_struct("MemorySink").field("capacity", &capacity).field("events", &events).finish()
    }
}
