use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use mtb_mcp::{Task, TaskDone, TaskId};

/// A task of the connection, which says whose outcome it is once it is done.
pub(super) struct Running(pub(super) Task);

impl Future for Running {
    type Output = (TaskId, TaskDone);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let id = self.0.id;
        self.0.work.as_mut().poll(cx).map(|done| (id, done))
    }
}
