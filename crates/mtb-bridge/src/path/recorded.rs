use std::sync::Arc;

use mtb_audit::{CallScope, EventKind};
use mtb_core::{CallId, Principal, Transport};
use tokio_util::sync::CancellationToken;

use super::services::Services;
use super::stage::Stage;
use crate::call::{Call, ProgressSink};
use crate::handler::{HandlerError, Ready};
use crate::path::catching::caught_async;
use crate::result::ToolResult;

/// What a cleared call needs to begin, moved into the task that runs it.
pub(super) struct Start<C> {
    pub(super) services: Arc<Services<C>>,
    pub(super) scope: CallScope,
    pub(super) ready: Box<dyn Ready<C>>,
    pub(super) confirmed: bool,
    pub(super) stage: Arc<Stage>,
    pub(super) call_id: CallId,
    pub(super) principal: Principal,
    pub(super) transport: Transport,
    pub(super) stop: CancellationToken,
    pub(super) progress: Option<ProgressSink>,
}

/// A call whose start is in the audit. Nothing else can run a handler.
#[must_use = "a start was recorded: the call has to run and to end"]
pub(super) struct Recorded<C> {
    ready: Box<dyn Ready<C>>,
    call: Call<C>,
}

/// How the attempt to run a call went.
pub(super) enum Ran {
    /// The host's context function failed or panicked; its text is the operator's.
    NoContext(String),
    /// The clock failed, so nothing can be recorded.
    NoTime,
    /// The start could not be recorded.
    NotRecorded,
    /// The call was given up before the handler began.
    GivenUp,
    /// The handler returned.
    Returned(Result<ToolResult, HandlerError>),
}

impl<C: Send + Sync + 'static> Recorded<C> {
    /// Gets the host's context, then writes the start. The handler has not begun when this returns.
    pub(super) async fn record(start: Start<C>) -> Result<Self, Ran> {
        let Start { services, scope, ready, confirmed, stage, call_id, principal, transport, stop, progress } = start;
        let context = match caught_async(|| (services.context)(principal.clone())).await {
            Ok(Ok(context)) => context,
            Ok(Err(error)) => return Err(Ran::NoContext(error.to_string())),
            Err(text) => return Err(Ran::NoContext(text)),
        };
        let Ok(now) = services.now() else { return Err(Ran::NoTime) };
        if !stage.starting() {
            return Err(Ran::GivenUp);
        }
        if services.record(&scope, now, EventKind::CallStarted { confirmed }).await.is_err() {
            return Err(Ran::NotRecorded);
        }
        if !stage.running() {
            return Err(Ran::GivenUp);
        }
        Ok(Self { ready, call: Call::new(call_id, principal, transport, stop, progress, context) })
    }

    /// Runs the handler.
    pub(super) async fn run(self) -> Ran {
        Ran::Returned(self.ready.run(self.call).await)
    }
}
