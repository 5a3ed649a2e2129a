//! Messages as events, for as long as the one who reads them may.

use std::convert::Infallible;
use std::future::{Future, pending, poll_fn, ready};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::{StreamExt as _, once, unfold};
use futures_util::{FutureExt as _, Stream};
use http::{HeaderName, HeaderValue};
use mtb_bridge::{Bridge, Clock};
use mtb_core::Principal;
use mtb_mcp::Message;
use mtb_mcp::drive::{Changes, Deadline, tools_changed};
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::answers::Answers;
use crate::auth::Identity;
use crate::quota::Place;

/// Tells proxies not to gather events before they pass them on.
static BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// When a stream ends, whatever it is of.
pub(crate) type Over = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The credential is no longer good, or this is cancelled.
pub(crate) fn over(identity: Identity, clock: Arc<dyn Clock>, ended: CancellationToken) -> Over {
    Box::pin(async move {
        tokio::select! {
            () = ended.cancelled() => {}
            () = lapse(identity, clock) => {}
        }
    })
}

/// The credential is no longer good.
pub(crate) async fn lapse(identity: Identity, clock: Arc<dyn Clock>) {
    let mut deadline = Deadline::new(clock);
    let expired = poll_fn(|cx| if deadline.poll_due(identity.expires(), cx) { Poll::Ready(()) } else { Poll::Pending });
    let revoked = async {
        match identity.revoked() {
            Some(revoked) => revoked.cancelled().await,
            None => pending().await,
        }
    };
    tokio::select! {
        () = revoked => {}
        () = expired => {}
    }
}

/// The answer to a request, and what comes before it.
pub(crate) fn of_answers(
    first: Option<Message>,
    answers: Answers,
    over: Over,
) -> impl Stream<Item = Message> + Send + 'static {
    unfold((first, answers, over.fuse()), |(mut first, mut answers, mut over)| async move {
        if let Some(first) = first.take() {
            return Some((first, (None, answers, over)));
        }
        loop {
            tokio::select! {
                message = answers.next() => return message.map(|message| (message, (None, answers, over))),
                // What there is to say to that comes next, and then nothing.
                () = &mut over => answers.close(),
            }
        }
    })
}

/// What a session is told of changes.
pub(crate) fn of_changes<C: Send + Sync + 'static>(
    bridge: Bridge<C>,
    principal: Principal,
    over: Over,
    guards: (DropGuard, Place),
) -> impl Stream<Item = Message> + Send + 'static {
    let changes = Changes::of(bridge, principal);
    unfold((changes, over, guards), |(mut changes, mut over, guards)| async move {
        let another = poll_fn(|cx| if changes.poll_changed(cx) { Poll::Ready(()) } else { Poll::Pending });
        tokio::select! {
            () = &mut over => None,
            () = another => Some((tools_changed(), (changes, over, guards))),
        }
    })
}

/// When the stream of a client of HTTP+SSE ends.
pub(crate) struct Ends {
    /// At once.
    pub(crate) over: Over,
    /// When everything has been said that has come by then.
    pub(crate) drained: Over,
}

/// What a client of HTTP+SSE is told: the answers to all of its requests, and of changes. Whatever ends it ends the
/// session.
pub(crate) fn of_session<C: Send + Sync + 'static>(
    bridge: Bridge<C>,
    principal: Principal,
    messages: mpsc::Receiver<Message>,
    ends: Ends,
    guards: impl Send + 'static,
) -> impl Stream<Item = Message> + Send + 'static {
    let changes = Changes::of(bridge, principal);
    let Ends { over, drained } = ends;
    let all = (messages, changes, over, drained.fuse(), guards);
    unfold(all, |(mut messages, mut changes, mut over, mut drained, guards)| async move {
        let another = poll_fn(|cx| if changes.poll_changed(cx) { Poll::Ready(()) } else { Poll::Pending });
        let mut another = pin!(another);
        let message = loop {
            tokio::select! {
                () = &mut over => break None,
                () = &mut drained => messages.close(),
                message = messages.recv() => break message,
                () = &mut another => break Some(tools_changed()),
            }
        };
        message.map(|message| (message, (messages, changes, over, drained, guards)))
    })
}

/// Messages as events.
pub(crate) fn events(messages: impl Stream<Item = Message> + Send + 'static, keep_alive: Duration) -> Response {
    written(messages.map(|message| event(&message)), keep_alive)
}

/// The same, after this one.
pub(crate) fn events_after(
    first: Event,
    messages: impl Stream<Item = Message> + Send + 'static,
    keep_alive: Duration,
) -> Response {
    written(once(ready(first)).chain(messages.map(|message| event(&message))), keep_alive)
}

/// A message is one line of UTF-8.
fn event(message: &Message) -> Event {
    Event::default().data(String::from_utf8_lossy(message.as_bytes()))
}

fn written(events: impl Stream<Item = Event> + Send + 'static, keep_alive: Duration) -> Response {
    let events = events.map(Ok::<_, Infallible>);
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(keep_alive)).into_response();
    response.headers_mut().insert(BUFFERING.clone(), HeaderValue::from_static("no"));
    response
}
