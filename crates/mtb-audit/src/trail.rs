use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use mtb_core::{CallId, CanonicalJson, Declaration, Digest, Principal, Timestamp, Transport};
use thiserror::Error;

use crate::digest_key::DigestKey;
use crate::event::AuditEvent;
use crate::event::id::EventIds;
use crate::event::kind::EventKind;
use crate::event::tool::{AuditedTool, UnknownTool};
use crate::failure_mode::{FailureMode, NotRecorded};
use crate::reduce::reduce;
use crate::scope::CallScope;
use crate::sink::stderr::StderrSink;
use crate::sink::{AuditSink, SinkError};
use crate::warning::sink_failed;

/// The audit trail: reduces what happens to what may be kept, and hands it to every sink.
#[derive(Clone)]
pub struct Trail {
    sinks: Arc<[Arc<dyn AuditSink>]>,
    ids: Arc<EventIds>,
    failure_mode: FailureMode,
    digest_key: Option<DigestKey>,
    unknown_names: UnknownNames,
}

/// What events tell of names that nobody declared.
#[derive(Clone, Copy)]
enum UnknownNames {
    Measured,
    Kept,
}

/// A trail without a sink would record nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("an audit trail needs a sink: pass at least one, or say so with `danger::trail_without_sinks`")]
pub struct NoSinks;

impl Trail {
    /// A trail that records to all of these sinks, warns when one fails and lets the call go on.
    ///
    /// # Errors
    /// When there is no sink.
    pub fn new(sinks: impl IntoIterator<Item = Arc<dyn AuditSink>>) -> Result<Self, NoSinks> {
        let sinks: Vec<_> = sinks.into_iter().collect();
        if sinks.is_empty() { Err(NoSinks) } else { Ok(Self::over(sinks)) }
    }

    /// A trail that records to this sink.
    ///
    /// ```
    /// use mtb_audit::{MemorySink, StderrSink, Trail};
    ///
    /// let remembered = MemorySink::default();
    /// let trail = Trail::to(StderrSink::new()).and_to(remembered.clone());
    /// ```
    #[must_use]
    pub fn to(sink: impl AuditSink) -> Self {
        Self::over(vec![Arc::new(sink)])
    }

    /// The trail records to this sink too.
    #[must_use]
    pub fn and_to(mut self, sink: impl AuditSink) -> Self {
        let more: Arc<dyn AuditSink> = Arc::new(sink);
        self.sinks = self.sinks.iter().cloned().chain([more]).collect();
        self
    }

    pub(crate) fn over(sinks: Vec<Arc<dyn AuditSink>>) -> Self {
        Self {
            sinks: sinks.into(),
            ids: Arc::default(),
            failure_mode: FailureMode::Continue,
            digest_key: None,
            unknown_names: UnknownNames::Measured,
        }
    }

    /// What happens when a sink fails.
    #[must_use]
    pub fn with_failure_mode(mut self, mode: FailureMode) -> Self {
        self.failure_mode = mode;
        self
    }

    /// What happens when a sink fails.
    #[must_use]
    pub fn failure_mode(&self) -> FailureMode {
        self.failure_mode
    }

    /// Digests of arguments and of unknown names are keyed with this secret.
    #[must_use]
    pub fn with_digest_key(mut self, key: DigestKey) -> Self {
        self.digest_key = Some(key);
        self
    }

    /// Events tell names that nobody declared, cut to 128 characters and printable, instead of length and digest.
    #[must_use]
    pub fn keep_unknown_names(mut self) -> Self {
        self.unknown_names = UnknownNames::Kept;
        self
    }

    /// The scope of a call to a declared tool, whether or not the principal may use it.
    pub fn scope(
        &self,
        call_id: CallId,
        transport: Transport,
        principal: &Principal,
        declaration: &Declaration,
    ) -> CallScope {
        let tool = AuditedTool::Declared(declaration.name().clone());
        CallScope::new(call_id, transport, principal.clone(), tool)
    }

    /// The scope of a call to a tool that nobody declared.
    pub fn unknown_scope(&self, call_id: CallId, transport: Transport, principal: &Principal, name: &str) -> CallScope {
        let tool = match self.unknown_names {
            UnknownNames::Measured => UnknownTool::measured(name, self.digest(name.as_bytes())),
            UnknownNames::Kept => UnknownTool::kept(name),
        };
        CallScope::new(call_id, transport, principal.clone(), AuditedTool::Unknown(tool))
    }

    /// Adds validated arguments to a scope: their digest, and the fields that the declaration keeps.
    pub fn arguments(&self, scope: &mut CallScope, declaration: &Declaration, arguments: &CanonicalJson) {
        let digest = match &self.digest_key {
            Some(key) => key.digest(arguments.as_str().as_bytes()),
            None => arguments.digest(),
        };
        scope.set_arguments(digest, reduce(arguments.value(), declaration.retention().arguments()));
    }

    /// Records an event about something that has not happened yet. Every sink is asked, at the same time.
    ///
    /// # Errors
    /// In mode [`FailureMode::Block`], when any sink failed. Then what the event announces must not happen.
    pub async fn record(&self, scope: &CallScope, at: Timestamp, kind: EventKind) -> Result<(), NotRecorded> {
        let failed = self.send(scope, at, kind).await;
        match self.failure_mode {
            FailureMode::Continue => Ok(()),
            FailureMode::Block => NotRecorded::unless_empty(failed, self.sinks.len()),
        }
    }

    /// Records an event about something that has happened already: a failure of a sink can only be reported.
    pub async fn record_end(&self, scope: &CallScope, at: Timestamp, kind: EventKind) {
        self.send(scope, at, kind).await;
    }

    /// Which sinks failed.
    async fn send(&self, scope: &CallScope, at: Timestamp, kind: EventKind) -> Vec<usize> {
        let event = AuditEvent::new(self.ids.next(at), at, scope.clone(), kind);
        let outcomes = join_all(self.sinks.iter().map(|sink| attempt(&**sink, &event))).await;
        let mut failed = Vec::new();
        for (index, (sink, outcome)) in self.sinks.iter().zip(outcomes).enumerate() {
            if let Err(error) = outcome {
                sink_failed(index, &**sink, &event, &error);
                failed.push(index);
            }
        }
        failed
    }

    fn digest(&self, bytes: &[u8]) -> Digest {
        self.digest_key.as_ref().map_or_else(|| Digest::of(bytes), |key| key.digest(bytes))
    }
}

/// A sink that panics has failed like any other; what it panicked with may quote the event and is dropped.
async fn attempt(sink: &dyn AuditSink, event: &AuditEvent) -> Result<(), SinkError> {
    let recording = AssertUnwindSafe(async { sink.record(event).await });
    recording.catch_unwind().await.unwrap_or_else(|_| Err(SinkError::new("the sink panicked")))
}

impl Default for Trail {
    /// JSON lines on stderr; a failure is a warning.
    fn default() -> Self {
        Self::to(StderrSink::new())
    }
}

impl fmt::Debug for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sinks: Vec<_> = self.sinks.iter().map(|sink| sink.name()).collect();
        f.debug_struct("Trail")
            .field("sinks", &sinks)
            .field("failure_mode", &self.failure_mode)
            .field("digest_key", &self.digest_key)
            .finish_non_exhaustive()
    }
}
