//! The standard streams where descriptors cannot be exchanged: handlers must not print.

use std::io;

use tokio::io::DuplexStream;
use tokio::time::Instant;

use crate::ended::ServeError;
use crate::pump::{Written, pump_in, pump_out};

/// Both streams, ready to be served.
pub(crate) struct Descriptors {
    pub(crate) reader: DuplexStream,
    pub(crate) writer: DuplexStream,
    pub(crate) restore: Restore,
}

/// Nothing was changed, so nothing is put back.
pub(crate) struct Restore(Option<Written>);

impl Descriptors {
    pub(crate) fn claim() -> Result<Self, ServeError> {
        let failed = |stream| move |source| ServeError::Descriptor { stream, source };
        let reader = pump_in(io::stdin()).map_err(failed("stdin"))?;
        let (writer, written) = pump_out(io::stdout()).map_err(failed("stdout"))?;
        Ok(Self { reader, writer, restore: Restore(Some(written)) })
    }
}

impl Restore {
    /// Waits until what was written has left. The writer must have been dropped.
    pub(crate) async fn written(&mut self, limit: Instant) {
        if let Some(written) = self.0.take() {
            written.wait(limit).await;
        }
    }
}
