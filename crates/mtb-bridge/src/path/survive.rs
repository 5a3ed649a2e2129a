use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use mtb_core::Principal;
use tokio::runtime::Handle;

use super::frame::Frame;
use super::services::Services;
use crate::outcome::CallOutcome;
use crate::request::CallOptions;

/// Walks a call's path to its end even if the caller drops the future: what began must be recorded.
pub(super) fn survive<C, F, Fut>(
    services: &Arc<Services<C>>,
    principal: &Principal,
    options: CallOptions,
    walk: F,
) -> impl Future<Output = CallOutcome> + Send
where
    C: Send + Sync + 'static,
    F: FnOnce(Frame<C>) -> Fut,
    Fut: Future<Output = CallOutcome> + Send + 'static,
{
    let frame = Frame::new(services, principal, options);
    let gone = frame.gone.clone();
    to_the_end(walk(frame), move || gone.cancel())
}

/// Drives `future` to its end: in the caller's task while the caller waits, else, after calling `dropped`, in a task
/// of its own. To be awaited where it is made: until then nothing shall have begun.
pub(super) fn to_the_end<T, D>(future: impl Future<Output = T> + Send + 'static, dropped: D) -> Survivor<T, D>
where
    T: Send + 'static,
    D: FnOnce() + Unpin,
{
    Survivor { future: Some(Box::pin(future)), dropped: Some(dropped) }
}

#[must_use = "dropping it is going away"]
pub(super) struct Survivor<T: Send + 'static, D: FnOnce() + Unpin> {
    // Gone once it has ended.
    future: Option<Pin<Box<dyn Future<Output = T> + Send>>>,
    dropped: Option<D>,
}

impl<T: Send + 'static, D: FnOnce() + Unpin> Future for Survivor<T, D> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let Some(future) = self.future.as_mut() else { return Poll::Pending };
        let poll = future.as_mut().poll(cx);
        if poll.is_ready() {
            self.future = None;
        }
        poll
    }
}

impl<T: Send + 'static, D: FnOnce() + Unpin> Drop for Survivor<T, D> {
    fn drop(&mut self) {
        let Some(future) = self.future.take() else { return };
        if let Some(dropped) = self.dropped.take() {
            dropped();
        }
        // Without a runtime the process is ending, or the call was never polled inside one and nothing began.
        if let Ok(runtime) = Handle::try_current() {
            drop(runtime.spawn(future));
        }
    }
}
