//! Messages as events, for as long as the one who reads them may.

use std::convert::Infallible;
use std::future::{Future, poll_fn, ready};
use std::pin::Pin;
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
        let mut deadline = Deadline::new(clock);
        let expired =
            poll_fn(|cx| if deadline.poll_due(identity.expires(), cx) { Poll::Ready(()) } else { Poll::Pending });
        let revoked = async {
            match identity.revoked() {
                Some(revoked) => revoked.cancelled().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = ended.cancelled() => {}
            () = revoked => {}
            () = expired => {}
        }
    })
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

/// What a client of HTTP+SSE is told: the answers to all of its requests, and of changes. Whatever ends it ends the
/// session.
pub(crate) fn of_session<C: Send + Sync + 'static>(
    bridge: Bridge<C>,
    principal: Principal,
    messages: mpsc::Receiver<Message>,
    over: Over,
    guards: impl Send + 'static,
) -> impl Stream<Item = Message> + Send + 'static {
    let changes = Changes::of(bridge, principal);
    unfold((messages, changes, over, guards), |(mut messages, mut changes, mut over, guards)| async move {
        let another = poll_fn(|cx| if changes.poll_changed(cx) { Poll::Ready(()) } else { Poll::Pending });
        let message = tokio::select! {
            () = &mut over => None,
            message = messages.recv() => message,
            () = another => Some(tools_changed()),
        };
        message.map(|message| (message, (messages, changes, over, guards)))
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
