use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

/// Asks a store; `None` if it panicked, while it made its answer or while it was polled for it.
pub(super) async fn caught<'s, T>(ask: impl FnOnce() -> Pin<Box<dyn Future<Output = T> + Send + 's>>) -> Option<T> {
    let mut answer = catch_unwind(AssertUnwindSafe(ask)).ok()?;
    poll_fn(move |cx| match catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(cx))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(value)) => Poll::Ready(Some(value)),
        Err(_) => Poll::Ready(None),
    })
    .await
}
