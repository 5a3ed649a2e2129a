use mtb_audit::{CallScope, EventKind, FailureKind, RejectReason};
use mtb_core::CanonicalJson;
use mtb_guard::{HeldCall, IssueError, RefusalReason};

use super::catching::caught;
use super::frame::Frame;
use super::refused;
use crate::handler::Ready;
use crate::outcome::{CallOutcome, Confirmation, Failure, Rejection, Summary};
use crate::tool::Tool;

/// Issues a confirmation instead of running. What cannot be summarised, stored or recorded is not asked.
pub(super) async fn hold<C: Send + Sync + 'static>(
    frame: &Frame<C>,
    tool: &Tool<C>,
    scope: &CallScope,
    arguments: &CanonicalJson,
    ready: Box<dyn Ready<C>>,
) -> Box<CallOutcome> {
    let declaration = tool.declaration();
    let summary = match caught(|| ready.summary()) {
        Ok(summary) => summary,
        Err(text) => {
            let kind = FailureKind::Exception;
            return refused::not_started(frame, scope, declaration, kind, Some(&text), Failure::Internal).await;
        }
    };
    drop(ready);
    let fallback = || declaration.title().unwrap_or(declaration.name().as_str()).to_owned();
    let summary = Summary::new(&summary.unwrap_or_else(fallback));

    let Ok(now) = frame.services.now() else {
        let failure = Failure::ConfirmationUnavailable;
        return refused::not_started(frame, scope, declaration, FailureKind::Exception, None, failure).await;
    };
    let held = HeldCall {
        principal: frame.principal.id(),
        declaration,
        arguments,
        call_id: frame.call_id,
        carrier: frame.carrier(),
    };
    let issued = match frame.services.issue(&held, now).await {
        Ok(issued) => issued,
        Err(error) => return not_issued(frame, scope, error).await,
    };

    let event = EventKind::ConfirmationIssued { expires_at: issued.expires_at };
    if frame.services.record(scope, now, event).await.is_err() {
        // Nobody was asked, so nobody may say yes: taking the token is the way to spend it.
        drop(frame.services.take(issued.token.expose()).await);
        let kind = FailureKind::AuditUnavailable;
        return refused::not_started(frame, scope, declaration, kind, None, Failure::AuditUnavailable).await;
    }
    Box::new(CallOutcome::ConfirmationRequired {
        call_id: frame.call_id,
        confirmation: Confirmation {
            token: issued.token,
            expires_at: issued.expires_at,
            tool: declaration.name().clone(),
            summary,
            has_output_schema: declaration.output().is_some(),
        },
    })
}

async fn not_issued<C>(frame: &Frame<C>, scope: &CallScope, error: IssueError) -> Box<CallOutcome> {
    let (reason, detail) = match error {
        IssueError::PrincipalFull => (RejectReason::TooManyPending, Some("principal_full")),
        IssueError::StoreFull => (RejectReason::TooManyPending, Some("store_full")),
        IssueError::StoreUnavailable => {
            let (reason, detail) = (RejectReason::ConfirmationInvalid, RefusalReason::StoreUnavailable.as_str());
            frame.report(scope, EventKind::CallRejected { reason, detail: Some(detail), issues: Vec::new() }).await;
            let failure = Failure::ConfirmationUnavailable;
            return Box::new(CallOutcome::ToolError { call_id: frame.call_id, failure });
        }
    };
    refused::rejected(frame, scope, reason, detail, Rejection::TooManyPending).await
}
