use std::fmt;
use std::time::Duration;

use mtb_core::{CallId, Issue, Timestamp, ToolName};
use mtb_guard::Token;

use crate::result::ToolResult;
use crate::tool_error::ToolError;

/// How a call ended. There are no others.
#[derive(Debug)]
#[must_use = "the outcome says whether anything was done"]
pub enum CallOutcome {
    /// The tool ran and answered; the answer may say that it failed.
    Completed {
        /// The call, as the audit names it.
        call_id: CallId,
        /// The answer.
        result: ToolResult,
    },
    /// The tool ran and gave no answer, or it was about to run and could not.
    ToolError {
        /// The call, as the audit names it.
        call_id: CallId,
        /// What happened.
        failure: Failure,
    },
    /// The arguments do not fit the declared schema. Nothing ran.
    InvalidArguments {
        /// The call, as the audit names it.
        call_id: CallId,
        /// What does not fit, at most 20 issues, most useful first.
        issues: Vec<Issue>,
    },
    /// A person must say yes first. Nothing ran.
    ConfirmationRequired {
        /// The call, as the audit names it.
        call_id: CallId,
        /// What is asked, and the token that stands for the yes.
        confirmation: Confirmation,
    },
    /// The call was refused. Nothing ran.
    Rejected {
        /// The call, as the audit names it.
        call_id: CallId,
        /// What the caller may know of the reason.
        rejection: Rejection,
    },
}

/// A question for a person, and the token that stands for the answer. The token is for the host: whoever shows it to
/// the model gives up the guard.
#[derive(Debug)]
pub struct Confirmation {
    /// Good for this call of this principal, once, until it expires.
    pub token: Token,
    /// The last moment before which it is good.
    pub expires_at: Timestamp,
    /// The tool that would run.
    pub tool: ToolName,
    /// What would happen, in a sentence for people: at most 1,000 characters, without control characters.
    pub summary: Summary,
    /// Whether the tool declares a schema of its structured result. Clients check every structured answer against it.
    pub has_output_schema: bool,
}

/// A sentence for people, written from the arguments. It is content: it goes to the person, never to the audit.
#[derive(Clone, PartialEq, Eq)]
pub struct Summary(String);

impl Summary {
    /// The longest summary, in characters.
    pub const MAX_CHARS: usize = 1_000;

    pub(crate) fn new(text: &str) -> Self {
        Self(mtb_core::cut(&mtb_core::printable(text), Self::MAX_CHARS))
    }

    /// The sentence.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialEq<&str> for Summary {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Summary({} bytes)", self.0.len())
    }
}

/// Why a call that was allowed gave no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The tool failed with a text for the model.
    Tool(ToolError),
    /// The handler failed, panicked or could not be started. Only the audit knows more.
    Internal,
    /// The tool did not answer within its time limit.
    Timeout(Duration),
    /// The call was cancelled.
    Cancelled,
    /// The audit could not be written, so nothing was run.
    AuditUnavailable,
    /// The answer is longer than the bridge lets pass.
    ResultTooLarge,
    /// The answer does not fit the schema that the tool declares for it.
    InvalidOutput,
    /// Too many calls are running.
    Overloaded,
    /// The confirmation could not be stored, so nothing can be confirmed now.
    ConfirmationUnavailable,
}

/// Why a call was refused, as far as the caller may know. The audit knows more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rejection {
    /// There is no such tool, or the principal may not use it: the answer is the same.
    UnknownTool,
    /// The token is not good for this call.
    ConfirmationInvalid,
    /// The token was good, and came too late.
    ConfirmationExpired,
    /// The principal has as many unanswered confirmations as it may have.
    TooManyPending,
}

impl CallOutcome {
    /// The call, as the audit names it.
    #[must_use]
    pub fn call_id(&self) -> CallId {
        match self {
            Self::Completed { call_id, .. }
            | Self::ToolError { call_id, .. }
            | Self::InvalidArguments { call_id, .. }
            | Self::ConfirmationRequired { call_id, .. }
            | Self::Rejected { call_id, .. } => *call_id,
        }
    }

    /// One word for logs and tests: `ok`, `tool_error`, `invalid_arguments`, `confirmation_required` or `rejected`.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self {
            Self::Completed { .. } => "ok",
            Self::ToolError { .. } => "tool_error",
            Self::InvalidArguments { .. } => "invalid_arguments",
            Self::ConfirmationRequired { .. } => "confirmation_required",
            Self::Rejected { .. } => "rejected",
        }
    }
}
