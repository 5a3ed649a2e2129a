use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

/// The input has ended, and what came before its end cannot be handled yet.
///
/// For half of the drain the peer may read nothing. The other half is for the calls to wind up.
pub(super) struct Stall {
    since: Instant,
    half: Duration,
    over: Pin<Box<Sleep>>,
}

impl Stall {
    pub(super) fn new(drain: Duration) -> Self {
        let half = drain / 2;
        Self { since: Instant::now(), half, over: Box::pin(sleep(half)) }
    }

    /// How long ago the end was seen, or the peer has read something, if that was later.
    pub(super) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    /// The peer has read something, and may take as long again.
    pub(super) fn restart(&mut self) {
        self.since = Instant::now();
        self.over.set(sleep(self.half));
    }

    pub(super) fn poll_over(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.over.as_mut().poll(cx)
    }
}
