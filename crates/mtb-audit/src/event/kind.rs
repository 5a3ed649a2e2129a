use mtb_core::Timestamp;

use super::confirmation::{DeclineDetail, WithdrawDetail};
use super::outcome::{ErrorRecord, ResultRecord};
use super::reject::{IssueRef, RejectReason};

/// What happened to a call.
///
/// A call that runs leaves [`CallStarted`](Self::CallStarted) and one end event; a confirmed one is preceded by
/// [`ConfirmationIssued`](Self::ConfirmationIssued) under the same call id.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// `call.rejected`: refused before anything ran.
    CallRejected {
        /// Why.
        reason: RejectReason,
        /// Why exactly, in `snake_case`: which check refused a token.
        detail: Option<&'static str>,
        /// What does not fit about the arguments.
        issues: Vec<IssueRef>,
    },
    /// `confirmation.issued`: held until a person says yes.
    ConfirmationIssued {
        /// When the question is void.
        expires_at: Timestamp,
    },
    /// `confirmation.declined`: a person said no.
    ConfirmationDeclined {
        /// How.
        detail: DeclineDetail,
    },
    /// `confirmation.withdrawn`: the question ended without an answer.
    ConfirmationWithdrawn {
        /// Why.
        detail: WithdrawDetail,
    },
    /// `call.started`: written before the handler runs.
    CallStarted {
        /// Whether a person confirmed this call.
        confirmed: bool,
    },
    /// `call.succeeded`: the handler returned a result.
    CallSucceeded {
        /// Whether a person confirmed this call.
        confirmed: bool,
        /// How long the handler took, in milliseconds.
        duration_ms: u64,
        /// What is told of the result.
        result: ResultRecord,
    },
    /// `call.failed`: the handler, or what it needs, failed.
    CallFailed {
        /// Whether a person confirmed this call.
        confirmed: bool,
        /// How long the handler took, in milliseconds; 0 if it never started.
        duration_ms: u64,
        /// What is told of the failure.
        error: ErrorRecord,
    },
}

impl EventKind {
    /// The event's `type`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::CallRejected { .. } => "call.rejected",
            Self::ConfirmationIssued { .. } => "confirmation.issued",
            Self::ConfirmationDeclined { .. } => "confirmation.declined",
            Self::ConfirmationWithdrawn { .. } => "confirmation.withdrawn",
            Self::CallStarted { .. } => "call.started",
            Self::CallSucceeded { .. } => "call.succeeded",
            Self::CallFailed { .. } => "call.failed",
        }
    }
}
