use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mtb_bridge::{CallOutcome, Progress};

use crate::rpc_error::RpcError;

/// Names one task of a connection. Never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub(crate) u64);

/// Work that a connection wants done. Poll it to its end, in any order with others, on a tokio runtime, and hand what
/// it gives to [`Connection::finished`](crate::Connection::finished). A task that is dropped is never answered.
#[must_use = "a task does nothing until it is polled"]
pub struct Task {
    /// Its name.
    pub id: TaskId,
    /// The work.
    pub work: Pin<Box<dyn Future<Output = TaskDone> + Send>>,
}

/// What a task gave, for the connection that started it.
#[must_use = "the connection answers once it has it"]
pub struct TaskDone(pub(crate) Done);

pub(crate) enum Done {
    /// The call ended.
    Outcome(CallOutcome),
    /// The person's no was recorded, or the token that it came with was not good.
    Declined(TokenUse),
    /// A question was withdrawn.
    Withdrawn,
    /// The call could not be looked at, for this reason; what came along with it is spent.
    Unusable(RpcError),
}

/// Whether a token was good when it was spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenUse {
    Good,
    Bad,
}

impl TokenUse {
    pub(crate) fn of(good: bool) -> Self {
        if good { Self::Good } else { Self::Bad }
    }
}

/// Where progress goes until the connection turns it into a message: the driver hands it to
/// [`Connection::progress`](crate::Connection::progress). Called from handlers, so it must not block.
pub type ProgressOut = Arc<dyn Fn(TaskId, Progress) + Send + Sync>;

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("id", &self.id).finish_non_exhaustive()
    }
}

/// An outcome holds content, so it is not shown.
impl fmt::Debug for TaskDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Done::Outcome(_) => "TaskDone(outcome)",
            Done::Declined(_) => "TaskDone(declined)",
            Done::Withdrawn => "TaskDone(withdrawn)",
            Done::Unusable(_) => "TaskDone(unusable)",
        })
    }
}
