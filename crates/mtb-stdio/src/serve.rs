use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use mtb_bridge::{Bridge, Progress};
use mtb_core::json::ScanLimits;
use mtb_mcp::drive::{Changes, Deadline, Running};
use mtb_mcp::{Action, Actions, Connection, TaskId};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::{Sleep, sleep};

use crate::ended::{Ended, ServeError, Served, peer_is_gone};
use crate::framing::{Frame, Framer};
use crate::options::{Shutdown, StdioOptions};

mod input;
mod outbox;
mod stall;

use input::Input;
use outbox::Outbox;
use stall::Stall;

/// Rounds before the runtime gets a chance to run something else, such as the handlers.
const ROUNDS: usize = 32;
/// Lines taken, or tasks finished, before the other side gets its turn.
const BURST: usize = 64;
/// Reports of progress that wait for their turn; past it they are dropped.
const PROGRESS: usize = 1_024;

/// One connection and everything it waits for, driven in a single task.
pub(crate) struct Server<C, R, W> {
    connection: Connection<C>,
    actions: Actions,
    input: Input<R>,
    framer: Framer,
    outbox: Outbox<W>,
    tasks: FuturesUnordered<Running>,
    progress: mpsc::Receiver<(TaskId, Progress)>,
    changes: Changes<C>,
    deadline: Deadline,
    shutdown: Option<Shutdown>,
    drain: Duration,
    // Once the end was read ahead.
    stall: Option<Stall>,
    closing: Option<Closing>,
}

/// Nothing is read any more; what is under way may wind up until the time is over.
struct Closing {
    result: Result<Ended, ServeError>,
    over: Pin<Box<Sleep>>,
}

/// Whether a round got anywhere. If not, everything it looked at will wake the task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Moved,
    Stuck,
}

impl Round {
    fn and(self, next: Self) -> Self {
        if self == Self::Moved { self } else { next }
    }
}

impl<C, R, W> Server<C, R, W>
where
    C: Send + Sync + 'static,
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    pub(crate) fn new(bridge: Bridge<C>, options: StdioOptions, reader: R, writer: W) -> Self {
        let StdioOptions { principal, transport, server, shutdown, drain } = options;
        let limits = ScanLimits { message_bytes: server.limits().message_bytes, json: server.limits().json };
        let (reports, progress) = mpsc::channel(PROGRESS);
        let changes = Changes::of(bridge.clone(), principal.clone());
        let deadline = Deadline::new(Arc::clone(bridge.clock()));
        // A report that finds no room is dropped: the next one says more.
        let report = move |task, progress| drop(reports.try_send((task, progress)));
        Self {
            connection: Connection::new(bridge, principal, transport, Arc::new(server), Arc::new(report)),
            actions: Actions::default(),
            input: Input::new(reader),
            framer: Framer::new(limits),
            outbox: Outbox::new(writer),
            tasks: FuturesUnordered::new(),
            progress,
            changes,
            deadline,
            shutdown,
            drain,
            stall: None,
            closing: None,
        }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Served> {
        for _ in 0..ROUNDS {
            let round = self.round(cx);
            if let Some(closing) = &mut self.closing {
                let done = self.connection.is_idle() && self.outbox.is_done();
                if done || closing.over.as_mut().poll(cx).is_ready() {
                    if !self.connection.is_idle() {
                        tracing::warn!(calls = self.tasks.len(), "calls were still under way when the drain was over");
                    }
                    return self.closing.take().map_or(Poll::Pending, |closing| {
                        Poll::Ready(Served { result: closing.result, drained_by: closing.over.deadline() })
                    });
                }
            }
            if round == Round::Stuck {
                return Poll::Pending;
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Everything once. Output comes last, so that what the rest gave leaves in one write.
    fn round(&mut self, cx: &mut Context<'_>) -> Round {
        let round = self
            .poll_shutdown(cx)
            .and(self.poll_tasks(cx))
            .and(self.poll_progress(cx))
            .and(self.poll_changes(cx))
            .and(self.poll_deadline(cx))
            .and(self.poll_stall(cx))
            .and(self.poll_input(cx));
        if round == Round::Stuck || self.outbox.is_large() { self.poll_output(cx).and(round) } else { round }
    }

    fn poll_shutdown(&mut self, cx: &mut Context<'_>) -> Round {
        if !self.shutdown.as_mut().is_some_and(|shutdown| shutdown.as_mut().poll(cx).is_ready()) {
            return Round::Stuck;
        }
        self.close(Ok(Ended::Shutdown));
        Round::Moved
    }

    fn poll_tasks(&mut self, cx: &mut Context<'_>) -> Round {
        for taken in 0..BURST {
            let Poll::Ready(Some((task, done))) = self.tasks.poll_next_unpin(cx) else {
                return if taken == 0 { Round::Stuck } else { Round::Moved };
            };
            // What the call reported comes before its answer.
            while let Ok((task, progress)) = self.progress.try_recv() {
                self.report(task, progress);
            }
            self.connection.finished(task, done, &mut self.actions);
            self.act();
        }
        Round::Moved
    }

    fn poll_progress(&mut self, cx: &mut Context<'_>) -> Round {
        match self.progress.poll_recv(cx) {
            Poll::Ready(Some((task, progress))) => {
                self.report(task, progress);
                Round::Moved
            }
            _ => Round::Stuck,
        }
    }

    fn poll_changes(&mut self, cx: &Context<'_>) -> Round {
        if !self.changes.poll_changed(cx) {
            return Round::Stuck;
        }
        self.connection.tools_changed(&mut self.actions);
        self.act();
        Round::Moved
    }

    fn poll_deadline(&mut self, cx: &mut Context<'_>) -> Round {
        if !self.deadline.poll_due(self.connection.deadline(), cx) {
            return Round::Stuck;
        }
        self.connection.expire(&mut self.actions);
        self.act();
        Round::Moved
    }

    fn poll_stall(&mut self, cx: &mut Context<'_>) -> Round {
        let is_open = self.closing.is_none();
        if !self.stall.as_mut().is_some_and(|stall| is_open && stall.poll_over(cx).is_ready()) {
            return Round::Stuck;
        }
        tracing::warn!("the input ended behind requests that could not be taken up in time; they are not served");
        let end = self.input.give_up();
        self.close(end.map(|()| Ended::InputEnded).map_err(ServeError::Input));
        Round::Moved
    }

    fn poll_input(&mut self, cx: &mut Context<'_>) -> Round {
        for taken in 0..BURST {
            if self.closing.is_some() {
                return if taken == 0 { Round::Stuck } else { Round::Moved };
            }
            if !self.outbox.has_room() || !self.connection.has_room() {
                return if self.poll_ahead(cx) == Round::Moved || taken > 0 { Round::Moved } else { Round::Stuck };
            }
            match self.framer.next() {
                Some(Frame::Message(message)) => self.connection.receive(message, &mut self.actions),
                Some(Frame::Oversized(scan)) => self.connection.receive_oversized(scan, &mut self.actions),
                None => {
                    return if self.poll_read(cx) == Round::Moved || taken > 0 { Round::Moved } else { Round::Stuck };
                }
            }
            self.act();
        }
        Round::Moved
    }

    fn poll_ahead(&mut self, cx: &mut Context<'_>) -> Round {
        if self.input.poll_ahead(cx).is_pending() {
            return Round::Stuck;
        }
        if self.input.has_ended() {
            self.stall.get_or_insert_with(|| Stall::new(self.drain));
        }
        Round::Moved
    }

    fn poll_read(&mut self, cx: &mut Context<'_>) -> Round {
        match self.input.poll_read(self.framer.room(), cx) {
            Poll::Pending => return Round::Stuck,
            Poll::Ready(Ok(0)) => self.end_input(),
            Poll::Ready(Ok(bytes)) => self.framer.filled(bytes),
            Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Poll::Ready(Err(error)) => self.close(Err(ServeError::Input(error))),
        }
        Round::Moved
    }

    fn end_input(&mut self) {
        match self.framer.finish() {
            Some(Frame::Message(message)) => self.connection.receive(message, &mut self.actions),
            Some(Frame::Oversized(scan)) => self.connection.receive_oversized(scan, &mut self.actions),
            None => {}
        }
        self.act();
        self.close(Ok(Ended::InputEnded));
    }

    fn poll_output(&mut self, cx: &mut Context<'_>) -> Round {
        match self.outbox.poll_write(cx) {
            Poll::Pending => return Round::Stuck,
            Poll::Ready(Ok(())) => {
                if let Some(stall) = &mut self.stall {
                    stall.restart();
                }
            }
            Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Poll::Ready(Err(error)) => {
                self.outbox.close();
                let gone = peer_is_gone(&error);
                self.close(if gone { Ok(Ended::OutputClosed) } else { Err(ServeError::Output(error)) });
            }
        }
        Round::Moved
    }

    /// Progress is the first thing to go when the peer does not read.
    fn report(&mut self, task: TaskId, progress: Progress) {
        if self.outbox.has_room() {
            self.connection.progress(task, progress, &mut self.actions);
            self.act();
        }
    }

    /// The first reason to end is the one that counts.
    fn close(&mut self, result: Result<Ended, ServeError>) {
        if self.closing.is_none() {
            // One drain is all there is, also for an end that was seen before what came ahead of it was handled.
            let elapsed = self.stall.as_ref().map_or(Duration::ZERO, Stall::elapsed);
            self.closing = Some(Closing { result, over: Box::pin(sleep(self.drain.saturating_sub(elapsed))) });
            self.shutdown = None;
            self.connection.close(&mut self.actions);
            self.act();
        }
    }

    fn act(&mut self) {
        while let Some(action) = self.actions.pop() {
            match action {
                Action::Send(message) => self.outbox.push(message.as_bytes()),
                Action::Start(task) => self.tasks.push(Running(task)),
            }
        }
    }
}
