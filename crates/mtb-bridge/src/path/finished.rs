use std::sync::Arc;
use std::time::Duration;

use mtb_audit::{CallScope, EventKind, FailureKind, error_record, result_record};
use mtb_core::{Declaration, Issue, Timestamp};

use super::frame::Frame;
use crate::outcome::{CallOutcome, Failure};
use crate::result::ToolResult;
use crate::tool_error::ToolError;
use crate::warning::warn;

/// A call that came to an end, which is not recorded yet.
#[must_use = "every started call gets an end event"]
pub(super) struct Finished<C> {
    frame: Frame<C>,
    scope: CallScope,
    declaration: Arc<Declaration>,
    confirmed: bool,
    began: Timestamp,
    end: End,
}

/// How a call came to its end. Texts are the operator's.
pub(super) enum End {
    Answered(ToolResult),
    Refused(ToolError),
    Failed(String),
    Panicked(String),
    Timeout(Duration),
    Cancelled,
    NoContext(String),
    NotRecorded,
}

impl<C: Send + Sync + 'static> Finished<C> {
    pub(super) fn new(
        frame: Frame<C>,
        scope: CallScope,
        declaration: Arc<Declaration>,
        confirmed: bool,
        began: Timestamp,
        end: End,
    ) -> Self {
        Self { frame, scope, declaration, confirmed, began, end }
    }

    /// Writes the one end event, and says how the call ended.
    pub(super) async fn record(self) -> CallOutcome {
        let Self { frame, scope, declaration, confirmed, began, end } = self;
        let now = frame.services.now_or_last();
        let duration_ms = u64::try_from(now.since(began).as_millis()).unwrap_or(u64::MAX);
        let call_id = frame.call_id;
        let judged = judge(end, &declaration, frame.services.limits.result_bytes);
        let kind = match &judged {
            Ok(result) => {
                let result = result_record(&declaration, result.structured.as_ref(), result.is_error);
                EventKind::CallSucceeded { confirmed, duration_ms, result }
            }
            Err((_, kind, text)) => {
                let error = error_record(&declaration, *kind, text.as_deref());
                EventKind::CallFailed { confirmed, duration_ms, error }
            }
        };
        frame.services.record_end(&scope, now, kind).await;
        match judged {
            Ok(result) => CallOutcome::Completed { call_id, result },
            Err((failure, ..)) => CallOutcome::ToolError { call_id, failure },
        }
    }
}

type Judged = Result<ToolResult, (Failure, FailureKind, Option<String>)>;

/// Lets an answer pass, or says what the caller and the audit are told.
fn judge(end: End, declaration: &Declaration, result_bytes: usize) -> Judged {
    match end {
        End::Answered(result) if !result.fits(result_bytes) => {
            Err((Failure::ResultTooLarge, FailureKind::ResultTooLarge, None))
        }
        End::Answered(result) => match misfit(&result, declaration) {
            None => Ok(result),
            Some(Misfit { declared, text }) => {
                warn(&format!("a result of tool `{}` was withheld: {declared}", declaration.name()));
                Err((Failure::InvalidOutput, FailureKind::InvalidOutput, Some(text)))
            }
        },
        End::Refused(error) => {
            let text = error.as_str().to_owned();
            Err((Failure::Tool(error), FailureKind::ToolError, Some(text)))
        }
        End::Failed(text) | End::Panicked(text) => Err((Failure::Internal, FailureKind::Exception, Some(text))),
        End::Timeout(limit) => Err((Failure::Timeout(limit), FailureKind::Timeout, None)),
        End::Cancelled => Err((Failure::Cancelled, FailureKind::Aborted, None)),
        End::NoContext(text) => Err((Failure::Internal, FailureKind::Context, Some(text))),
        End::NotRecorded => Err((Failure::AuditUnavailable, FailureKind::AuditUnavailable, None)),
    }
}

/// Why an answer does not fit the output schema. Both texts are the operator's.
struct Misfit {
    /// In words of the schema alone, for the log.
    declared: String,
    /// With places in the answer, for the audit of a tool whose errors are kept.
    text: String,
}

/// Where a structured answer does not fit the schema that the tool declares for it. A failure need not fit.
fn misfit(result: &ToolResult, declaration: &Declaration) -> Option<Misfit> {
    let schema = declaration.output().filter(|_| !result.is_error)?;
    let Some(structured) = &result.structured else {
        let text = "the tool declares an output schema and answered without structured content".to_owned();
        return Some(Misfit { declared: text.clone(), text });
    };
    let issues = schema.validate(structured).err()?;
    let declared = |issue: &Issue| format!("`{}` at `{}`", issue.keyword, issue.declared);
    let place = |issue: &Issue| format!("`{}` {} ({})", issue.path, issue.message, declared(issue));
    let mut keywords: Vec<_> = issues.iter().map(declared).collect();
    keywords.dedup();
    let places: Vec<_> = issues.iter().map(place).collect();
    let said = "the structured content does not fit the output schema:";
    Some(Misfit { declared: format!("{said} {}", keywords.join("; ")), text: format!("{said} {}", places.join("; ")) })
}
