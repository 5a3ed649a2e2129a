use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};

use futures_util::FutureExt as _;
use mtb_mcp::Message;
use mtb_mcp::drive::Exchange;
use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

/// An exchange that is served by whoever waits for what it says: most are over with the first message, and a task for
/// each would cost more than they do.
///
/// What is left of it when nobody waits any more is served in a task of its own, so that it ends and is recorded.
pub(crate) struct Attended {
    exchange: Exchange,
    /// Gone once it is over, or serves itself.
    serving: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    tasks: TaskTracker,
}

impl Attended {
    pub(crate) fn new(
        exchange: Exchange,
        serving: impl Future<Output = ()> + Send + 'static,
        tasks: &TaskTracker,
    ) -> Self {
        // As in a task, a panic ends nothing but this exchange.
        let serving = AssertUnwindSafe(serving).catch_unwind().map(drop);
        Self { exchange, serving: Some(Box::pin(tasks.track_future(serving))), tasks: tasks.clone() }
    }

    /// The next message, as [`Exchange::next`] has it.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        poll_fn(|cx| {
            if self.serving.as_mut().is_some_and(|serving| serving.as_mut().poll(cx).is_ready()) {
                self.serving = None;
            }
            pin!(self.exchange.next()).poll(cx)
        })
        .await
    }

    /// Nobody may read any more; see [`Exchange::close`].
    pub(crate) fn close(&mut self) {
        self.exchange.close();
    }

    /// From now on it goes on whether or not somebody waits.
    pub(crate) fn leave(&mut self) {
        // Without a runtime the process is ending.
        if let (Some(serving), Ok(runtime)) = (self.serving.take(), Handle::try_current()) {
            self.tasks.spawn_on(serving, &runtime);
        }
    }
}

/// Hangs up.
impl Drop for Attended {
    fn drop(&mut self) {
        self.exchange.close();
        self.leave();
    }
}
