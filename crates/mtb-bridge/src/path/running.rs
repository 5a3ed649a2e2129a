use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use mtb_audit::FailureKind;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::Step;
use super::catching::panic_text;
use super::cleared::Cleared;
use super::finished::{End, Finished};
use super::recorded::{Ran, Recorded, Start};
use super::refused;
use super::stage::Stage;
use crate::outcome::Failure;

/// Runs a cleared call in a task of its own and watches over it: whatever the handler does, this comes to an end.
pub(super) async fn run<C: Send + Sync + 'static>(cleared: Cleared<C>) -> Step<Finished<C>> {
    let (frame, scope, declaration, ready, confirmed, slot) = cleared.into_parts();
    if frame.options.cancellation.as_ref().is_some_and(CancellationToken::is_cancelled) {
        let kind = FailureKind::Aborted;
        return Err(refused::not_started(&frame, &scope, &declaration, kind, None, Failure::Cancelled).await);
    }
    let began = frame.services.now_or_last();
    let stage = Arc::new(Stage::default());
    let stop = CancellationToken::new();
    let start = Start {
        services: Arc::clone(&frame.services),
        scope: scope.clone(),
        ready,
        confirmed,
        stage: Arc::clone(&stage),
        call_id: frame.call_id,
        principal: frame.principal.clone(),
        transport: frame.options.transport,
        stop: stop.clone(),
        progress: frame.options.progress.clone(),
    };
    let running = async move {
        // The slot is free as soon as the handler is: before its answer is written.
        let _slot = slot;
        match Recorded::record(start).await {
            Ok(recorded) => recorded.run().await,
            Err(ran) => ran,
        }
    };
    // What a handler logs belongs to the request that it is called for.
    let task = tokio::spawn(running.in_current_span());
    let watch = Watch { stop, stage, grace: frame.services.limits.grace };
    let limit = declaration.timeout();
    let end = watch.until_the_end(task, limit, frame.options.cancellation.as_ref(), &frame.gone).await;
    Ok(Finished::new(frame, scope, declaration, confirmed, began, end))
}

struct Watch {
    stop: CancellationToken,
    stage: Arc<Stage>,
    grace: Duration,
}

impl Watch {
    async fn until_the_end(
        self,
        mut task: JoinHandle<Ran>,
        limit: Option<Duration>,
        cancellation: Option<&CancellationToken>,
        gone: &CancellationToken,
    ) -> End {
        let begun = Instant::now();
        tokio::select! {
            biased;
            joined = &mut task => in_time(of(joined), limit, begun),
            () = cancelled(cancellation) => self.give_up(task, End::Cancelled).await,
            () = time_limit(limit) => self.give_up(task, End::Timeout(limit.unwrap_or_default())).await,
            () = gone.cancelled() => self.last_chance(task).await,
        }
    }

    /// The end is known now; the handler has the grace to notice, and is aborted after it. A start that is just being
    /// recorded comes before the end: its handler will not run.
    async fn give_up(self, mut task: JoinHandle<Ran>, end: End) -> End {
        let starting = self.stage.close();
        self.stop.cancel();
        if starting && timeout(self.grace, &mut task).await.is_ok() {
            return end;
        }
        tokio::spawn(async move {
            if timeout(self.grace, &mut task).await.is_err() {
                task.abort();
            }
        });
        end
    }

    /// Nobody waits any more, but the effect counts: what the handler makes of its grace is what is recorded.
    async fn last_chance(self, mut task: JoinHandle<Ran>) -> End {
        self.stop.cancel();
        if let Ok(joined) = timeout(self.grace, &mut task).await {
            return of(joined);
        }
        self.stage.close();
        task.abort();
        End::Cancelled
    }
}

/// A handler that blocked its thread may keep the clock from being looked at until it is done. It is too late all the
/// same. What never ran cannot be late.
fn in_time(end: End, limit: Option<Duration>, begun: Instant) -> End {
    match (&end, limit) {
        (End::NotRecorded | End::NoContext(_), _) => end,
        (_, Some(limit)) if begun.elapsed() > limit => End::Timeout(limit),
        _ => end,
    }
}

async fn cancelled(cancellation: Option<&CancellationToken>) {
    match cancellation {
        Some(cancellation) => cancellation.cancelled().await,
        None => pending().await,
    }
}

async fn time_limit(limit: Option<Duration>) {
    match limit {
        Some(limit) => sleep(limit).await,
        None => pending().await,
    }
}

fn of(joined: Result<Ran, JoinError>) -> End {
    match joined {
        Ok(Ran::NoContext(text)) => End::NoContext(text),
        Ok(Ran::NoTime) => End::Panicked("the clock panicked".to_owned()),
        Ok(Ran::NotRecorded) => End::NotRecorded,
        Ok(Ran::GivenUp) => End::Cancelled,
        Ok(Ran::Returned(Ok(result))) => End::Answered(result),
        Ok(Ran::Returned(Err(error))) => match error.into_result() {
            Ok(error) => End::Refused(error),
            Err(error) => End::Failed(error.to_string()),
        },
        // A task that was not aborted by us ends without a panic only when the runtime stops.
        Err(error) => match error.try_into_panic() {
            Ok(panic) => End::Panicked(panic_text(&*panic)),
            Err(_) => End::Cancelled,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{Instant, advance};

    use super::{End, in_time};

    #[tokio::test(start_paused = true)]
    async fn what_ran_past_its_limit_is_late_and_what_never_ran_is_not() {
        let begun = Instant::now();
        let limit = Duration::from_millis(100);
        advance(limit).await;
        assert!(matches!(in_time(End::Cancelled, Some(limit), begun), End::Cancelled));
        advance(Duration::from_millis(1)).await;
        assert!(matches!(in_time(End::Cancelled, Some(limit), begun), End::Timeout(late) if late == limit));
        assert!(matches!(in_time(End::Cancelled, None, begun), End::Cancelled));
        assert!(matches!(in_time(End::NotRecorded, Some(limit), begun), End::NotRecorded));
        assert!(matches!(in_time(End::NoContext(String::new()), Some(limit), begun), End::NoContext(_)));
    }
}
