use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Context;
use std::time::Duration;

use mtb_bridge::Clock;
use mtb_core::Timestamp;
use tokio::time::{Sleep, sleep};

/// The bridge's clock need not go like the runtime's, so it is looked at this often.
const STEP: Duration = Duration::from_secs(1);

/// Waits for a moment of the bridge's clock.
pub(super) struct Deadline {
    clock: Arc<dyn Clock>,
    timer: Option<(Timestamp, Pin<Box<Sleep>>)>,
}

impl Deadline {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, timer: None }
    }

    /// Whether the moment has come; otherwise the context is woken in time to ask again.
    pub(super) fn poll_due(&mut self, moment: Option<Timestamp>, cx: &mut Context<'_>) -> bool {
        let Some(moment) = moment else {
            self.timer = None;
            return false;
        };
        loop {
            let left = self.left(moment);
            if left.is_zero() {
                self.timer = None;
                return true;
            }
            let timer = self.timer.take().filter(|(set_for, _)| *set_for == moment);
            let (_, mut timer) = timer.unwrap_or_else(|| (moment, Box::pin(sleep(left.min(STEP)))));
            if timer.as_mut().poll(cx).is_pending() {
                self.timer = Some((moment, timer));
                return false;
            }
        }
    }

    /// A clock that panics tells no time, so nothing is due by it.
    fn left(&self, moment: Timestamp) -> Duration {
        catch_unwind(AssertUnwindSafe(|| self.clock.now())).map_or(STEP, |now| moment.since(now))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};
    use std::task::Poll;

    use mtb_bridge::Clock;
    use mtb_core::Timestamp;

    use super::Deadline;

    /// Moved by hand; before 0 it panics.
    #[derive(Default)]
    struct Hand(AtomicI64);

    impl Clock for Hand {
        fn now(&self) -> Timestamp {
            let now = self.0.load(Ordering::SeqCst);
            assert!(now >= 0, "a clock that is broken");
            Timestamp::from_millis(now)
        }
    }

    #[tokio::test(flavor = "current_thread")]
    async fn is_due_by_the_clock_of_the_bridge() {
        let clock = Arc::new(Hand::default());
        let shared: Arc<dyn Clock> = Arc::<Hand>::clone(&clock);
        let mut deadline = Deadline::new(shared);
        for (now, moment, expect) in [
            (0, None, false),
            (0, Some(1_000), false),
            (999, Some(1_000), false),
            (999, Some(999), true),
            (999, Some(1_000), false),
            (1_000, Some(1_000), true),
            (5_000, Some(1_000), true),
            (5_000, None, false),
            (-1, Some(1_000), false),
            (5_000, Some(5_001), false),
        ] {
            clock.0.store(now, Ordering::SeqCst);
            let moment = moment.map(Timestamp::from_millis);
            let due = poll_fn(|cx| Poll::Ready(deadline.poll_due(moment, cx))).await;
            assert_eq!(due, expect, "at {now}, {moment:?}");
        }
    }
}
