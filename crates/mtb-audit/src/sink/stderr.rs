use std::io::{self, Stderr};

use async_trait::async_trait;

use super::writer::WriterSink;
use super::{AuditSink, SinkError};
use crate::event::AuditEvent;

/// JSON lines on stderr, the default: under MCP's stdio transport, stdout belongs to the protocol.
#[derive(Debug)]
pub struct StderrSink(WriterSink<Stderr>);

impl StderrSink {
    /// The sink of this process's stderr.
    #[must_use]
    pub fn new() -> Self {
        Self(WriterSink::new(io::stderr()))
    }
}

impl Default for StderrSink {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl AuditSink for StderrSink {
    async fn record(&self, event: &AuditEvent) -> Result<(), SinkError> {
        self.0.record(event).await
    }
}
