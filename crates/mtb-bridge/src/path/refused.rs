use mtb_audit::{CallScope, EventKind, FailureKind, IssueRef, RejectReason, error_record};
use mtb_core::{Declaration, Issue};
use mtb_guard::{Refusal, RefusalReason};

use super::frame::Frame;
use crate::outcome::{CallOutcome, Failure, Rejection};
use crate::registry::ToolRegistry;
use crate::tool::Tool;

/// No such tool, or not for this principal: one answer, two reasons in the audit.
pub(super) async fn unknown_tool<C>(frame: &Frame<C>, scope: &CallScope, reason: RejectReason) -> Box<CallOutcome> {
    rejected(frame, scope, reason, None, Rejection::UnknownTool).await
}

/// A token that is not good. The audit gets the exact reason, under the id of the call it once stood for.
pub(super) async fn token<C>(frame: &Frame<C>, scope: &CallScope, refusal: RefusalReason) -> Box<CallOutcome> {
    let (reason, rejection) = match refusal {
        RefusalReason::Expired => (RejectReason::ConfirmationExpired, Rejection::ConfirmationExpired),
        _ => (RejectReason::ConfirmationInvalid, Rejection::ConfirmationInvalid),
    };
    rejected(frame, scope, reason, Some(refusal.as_str()), rejection).await
}

/// A token that is not good for the call it came with.
pub(super) async fn token_of<C>(mut frame: Frame<C>, tool: &Tool<C>, refusal: &Refusal) -> Box<CallOutcome> {
    frame.call_id = refusal.call_id.unwrap_or(frame.call_id);
    let scope = frame.scope(tool.declaration());
    token(&frame, &scope, refusal.reason).await
}

/// A token that is not good, of a call whose tool is known from the token at most.
pub(super) async fn token_alone<C>(
    frame: &mut Frame<C>,
    registry: &ToolRegistry<C>,
    refusal: &Refusal,
) -> Box<CallOutcome> {
    if let Some(call_id) = refusal.call_id {
        frame.call_id = call_id;
    }
    let scope = frame.scope_of_name(registry, refusal.tool.as_ref().map_or("", |tool| tool.as_str()));
    token(frame, &scope, refusal.reason).await
}

/// Arguments that do not fit. The audit names keywords and declared places, the caller gets the whole text.
pub(super) async fn arguments<C>(frame: &Frame<C>, scope: &CallScope, issues: Vec<Issue>) -> Box<CallOutcome> {
    let refs = issues.iter().map(IssueRef::of).collect();
    let kind = EventKind::CallRejected { reason: RejectReason::InvalidArguments, detail: None, issues: refs };
    frame.report(scope, kind).await;
    Box::new(CallOutcome::InvalidArguments { call_id: frame.call_id, issues })
}

pub(super) async fn rejected<C>(
    frame: &Frame<C>,
    scope: &CallScope,
    reason: RejectReason,
    detail: Option<&'static str>,
    rejection: Rejection,
) -> Box<CallOutcome> {
    frame.report(scope, EventKind::CallRejected { reason, detail, issues: Vec::new() }).await;
    Box::new(CallOutcome::Rejected { call_id: frame.call_id, rejection })
}

/// A call that passed every check and still could not begin.
pub(super) async fn not_started<C>(
    frame: &Frame<C>,
    scope: &CallScope,
    declaration: &Declaration,
    kind: FailureKind,
    text: Option<&str>,
    failure: Failure,
) -> Box<CallOutcome> {
    let error = error_record(declaration, kind, text);
    frame.report(scope, EventKind::CallFailed { confirmed: false, duration_ms: 0, error }).await;
    Box::new(CallOutcome::ToolError { call_id: frame.call_id, failure })
}

/// A call there was no room for. Whoever has no access learns no more than anybody: everybody is told the same.
pub(super) async fn overloaded<C>(frame: &Frame<C>, registry: &ToolRegistry<C>, name: &str) -> CallOutcome {
    let scope = frame.scope_of_name(registry, name);
    let error = mtb_audit::ErrorRecord::without_text(FailureKind::Overloaded);
    frame.report(&scope, EventKind::CallFailed { confirmed: false, duration_ms: 0, error }).await;
    CallOutcome::ToolError { call_id: frame.call_id, failure: Failure::Overloaded }
}
