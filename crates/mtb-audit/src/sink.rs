use async_trait::async_trait;
use thiserror::Error;

use crate::event::AuditEvent;

pub(crate) mod line;
pub(crate) mod memory;
pub(crate) mod stderr;
pub(crate) mod writer;

/// Where events go: a file, a table, a queue.
///
/// `Ok` means recorded: in mode [`Block`](crate::FailureMode::Block) the call goes on because of it. A sink that errs
/// or panics has failed; the other sinks of the trail are asked all the same. A sink must bound its own time: the
/// trail has no clock and waits as long as the sink does.
///
/// ```
/// use mtb_audit::{AuditEvent, AuditSink, SinkError};
///
/// struct Starts;
///
/// #[async_trait::async_trait]
/// impl AuditSink for Starts {
///     async fn record(&self, event: &AuditEvent) -> Result<(), SinkError> {
///         match event.kind().as_str() {
///             "call.started" => Err(SinkError::new("the queue is full")),
///             _ => Ok(()),
///         }
///     }
/// }
///
/// assert!(Starts.name().ends_with("::Starts"));
/// ```
#[async_trait]
pub trait AuditSink: Send + Sync + 'static {
    /// Records one event.
    ///
    /// # Errors
    /// When the event may not have been recorded.
    async fn record(&self, event: &AuditEvent) -> Result<(), SinkError>;

    /// What warnings call this sink: the name of its type, unless it says otherwise.
    fn name(&self) -> &'static str {
        std::any::type_name::<Self>()
    }
}

/// Why a sink did not record an event, in words for the operator. They are logged: they must not quote the event.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SinkError(Box<str>);

impl SinkError {
    /// An error with this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<std::io::Error> for SinkError {
    fn from(error: std::io::Error) -> Self {
        Self::new(&error.to_string())
    }
}
