use mtb_bridge::{CancellationToken, Carrier};
use mtb_core::json::RequestId;

use crate::reply_to::ReplyTo;
use crate::task::TaskId;
use crate::wire::call_result::OutputSchema;

/// How far a request is that has no answer yet.
pub(crate) enum Stage {
    /// A task works on it.
    Task(TaskId),
    /// A person was asked, by the question of this id.
    Question(Box<str>),
    /// It is a subscription, open until somebody ends it.
    Subscription,
    /// Its answer is in a batch that has not left.
    Gathered,
}

/// A task that was started, and what its end is good for.
pub(crate) struct Running {
    pub(crate) to: ReplyTo,
    /// The tool as the caller named it.
    pub(crate) tool: Box<str>,
    pub(crate) asks: Asks,
    pub(crate) origin: Origin,
    pub(crate) slot: Slot,
    pub(crate) fate: Fate,
    pub(crate) cancellation: CancellationToken,
    pub(crate) reports: Option<Reports>,
}

/// How a person is asked if the call is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// The host does it, in its own interface.
    Host,
    /// By a request to the client.
    Request,
    /// By a result that the client completes.
    Result,
}

impl Asks {
    pub(crate) fn carrier(self) -> Carrier {
        match self {
            Self::Host => Carrier::Host,
            Self::Request | Self::Result => Carrier::Elicited,
        }
    }
}

/// What brought the task about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A call by itself, with the host's token or without.
    Call,
    /// The end of a question about a call, of a tool with or without an output schema.
    Question(OutputSchema),
    /// A call that came back with a state.
    Retry,
}

/// Whether it counts among the calls in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    Taken,
    NotNeeded,
}

/// Whether anybody waits for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Wanted,
    Cancelled,
}

/// Where a call's progress is told.
pub(crate) struct Reports {
    token: RequestId,
    /// 2025-11-25/basic/utilities/progress: every report says more than the one before.
    last: Option<f64>,
}

impl Reports {
    pub(crate) fn to(token: RequestId) -> Self {
        Self { token, last: None }
    }

    /// The token, as it was received, if this report may follow the last one.
    pub(crate) fn accept(&mut self, done: f64) -> Option<&RequestId> {
        if !done.is_finite() || self.last.is_some_and(|last| done <= last) {
            return None;
        }
        self.last = Some(done);
        Some(&self.token)
    }
}
