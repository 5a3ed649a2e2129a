use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use mtb_audit::{AuditEvent, AuditSink, SinkError};

/// So many are kept.
const KEPT: usize = 1_024;

/// A sink that costs what keeping an event costs, and no more memory the longer it runs. It forgets, so it is none for
/// an audit.
#[derive(Debug, Default)]
pub struct LastEvents(Mutex<VecDeque<AuditEvent>>);

#[async_trait]
impl AuditSink for LastEvents {
    async fn record(&self, event: &AuditEvent) -> Result<(), SinkError> {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if events.len() == KEPT {
            events.pop_front();
        }
        events.push_back(event.clone());
        Ok(())
    }
}
