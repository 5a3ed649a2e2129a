use std::fmt;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use super::line::json_line;
use super::{AuditSink, SinkError};
use crate::event::AuditEvent;

/// Writes events as JSON lines: one write and one flush for each, under a lock.
///
/// The write blocks the thread that records; a slow disk or pipe slows calls down. `flush` is as durable as the
/// writer makes it: a file survives the process, not the machine.
pub struct WriterSink<W>(Mutex<Out<W>>);

struct Out<W> {
    writer: W,
    // Whether the last write may have ended inside a line.
    torn: bool,
}

impl<W: Write + Send + 'static> WriterSink<W> {
    /// A sink that writes here.
    #[must_use]
    pub const fn new(writer: W) -> Self {
        Self(Mutex::new(Out { writer, torn: false }))
    }

    fn write(&self, line: &[u8]) -> Result<(), SinkError> {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if out.torn {
            out.writer.write_all(b"\n")?;
        }
        // Also true after a panic of the writer, because then the next line is not reached.
        out.torn = true;
        out.writer.write_all(line)?;
        out.torn = false;
        Ok(out.writer.flush()?)
    }
}

#[async_trait]
impl<W: Write + Send + 'static> AuditSink for WriterSink<W> {
    async fn record(&self, event: &AuditEvent) -> Result<(), SinkError> {
        self.write(&json_line(event)?)
    }
}

impl<W> fmt::Debug for WriterSink<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriterSink").finish_non_exhaustive()
    }
}
