use std::fmt;
use std::sync::Arc;

use mtb_core::{CallId, Principal, Transport};
use tokio_util::sync::CancellationToken;

/// What a handler gets beside its arguments: who calls, what the host gave for this call, and the means to notice a
/// cancellation and to report progress. Cheap to clone.
pub struct Call<C = ()> {
    facts: Arc<Facts>,
    context: Arc<C>,
}

struct Facts {
    id: CallId,
    principal: Principal,
    transport: Transport,
    cancellation: CancellationToken,
    progress: Option<ProgressSink>,
}

/// Where progress goes. Called from the handler's task; must not block.
pub type ProgressSink = Arc<dyn Fn(Progress) + Send + Sync>;

/// How far a call is.
#[derive(Clone, PartialEq)]
pub struct Progress {
    /// How much is done. Grows with every report.
    pub done: f64,
    /// How much there is in all, if that is known.
    pub total: Option<f64>,
    /// What is being done, for people.
    pub message: Option<String>,
}

/// The message may hold content, so it is not shown.
impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Progress({} of {:?})", self.done, self.total)
    }
}

impl<C> Call<C> {
    pub(crate) fn new(
        id: CallId,
        principal: Principal,
        transport: Transport,
        cancellation: CancellationToken,
        progress: Option<ProgressSink>,
        context: C,
    ) -> Self {
        Self { facts: Arc::new(Facts { id, principal, transport, cancellation, progress }), context: Arc::new(context) }
    }

    pub(crate) fn without_context(&self) -> Call<()> {
        Call { facts: Arc::clone(&self.facts), context: Arc::new(()) }
    }

    /// The id under which the audit knows this call.
    #[must_use]
    pub fn id(&self) -> CallId {
        self.facts.id
    }

    /// Who calls.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.facts.principal
    }

    /// What the host's context function gave for this call.
    #[must_use]
    pub fn context(&self) -> &C {
        &self.context
    }

    /// Fires when nobody waits for the answer any more: cancelled, out of time, or the caller went away. Pass it to
    /// every I/O the handler starts; a handler that goes on is aborted after a grace.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.facts.cancellation
    }

    /// How the call arrived.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.facts.transport
    }

    /// Tells the client how far the call is, if it asked to know.
    pub fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(sink) = &self.facts.progress {
            sink(Progress { done, total, message: message.map(str::to_owned) });
        }
    }
}

impl<C> Clone for Call<C> {
    fn clone(&self) -> Self {
        Self { facts: Arc::clone(&self.facts), context: Arc::clone(&self.context) }
    }
}

impl<C> fmt::Debug for Call<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("id", &self.facts.id).finish_non_exhaustive()
    }
}
