//! HTTP+SSE, the transport of 2024-11-05: one stream carries everything to the client, which posts what it has to say
//! (2024-11-05/basic/transports).

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use axum::response::sse::Event;
use http::request::Parts;
use http::{Method, Uri};
use mtb_mcp::drive::{Envelope, EnvelopeKind};

use crate::answers::Pump;
use crate::headers::Accepts;
use crate::server::Inner;
use crate::session::Session;
use crate::status::{self, Era};
use crate::stream::{self, Ends};
use crate::trace;

/// Where the stream is.
pub(crate) const STREAM: &str = "/sse";
/// Where a client posts, with the id of its session.
pub(crate) const MESSAGES: &str = "/messages";
/// What the id of a session is called there.
const SESSION: &str = "sessionId";

/// A client that posts reads whatever its stream brings.
const READS: Accepts = Accepts { json: true, events: true };

impl<C: Send + Sync + 'static> Inner<C> {
    /// A stream, and the session that lives as long.
    pub(crate) async fn legacy_stream(self: Arc<Self>, head: Parts, _body: Body) -> Response {
        if head.method != Method::GET {
            return status::not_allowed("GET");
        }
        let guest = match self.welcome(&head).await {
            Ok(guest) => guest,
            Err(refusal) => return *refusal,
        };
        if !Accepts::of(&head.headers).events {
            return status::events_needed();
        }
        let Some(place) = self.streams.take(guest.principal().id()) else { return status::too_many_streams() };
        let session = match self.begin(&guest, None) {
            Ok(session) => session,
            Err(refusal) => return *refusal,
        };
        let (to_client, messages) = Pump::channel();
        session.carry(to_client);
        let first = Event::default().event("endpoint").data(format!("{MESSAGES}?{SESSION}={}", session.id));
        let principal = guest.principal().clone();
        let over = self.while_open(guest.identity, &session, session.stream());
        let (closing, served) = (self.closing.clone(), Arc::clone(&session));
        let drained = Box::pin(async move {
            closing.cancelled().await;
            served.idle().await;
        });
        let ends = Ends { over, drained };
        // A shutdown waits until what there is to say has been taken.
        let guards = (Departure { server: Arc::clone(&self), session }, place, self.tasks.token());
        let messages = stream::of_session(self.bridge.clone(), principal, messages, ends, guards);
        stream::events_after(first, messages, self.limits.keep_alive)
    }

    /// A message of such a session. What is to be said to it goes out on the stream.
    pub(crate) async fn legacy_message(self: Arc<Self>, head: Parts, body: Body) -> Response {
        if head.method != Method::POST {
            return status::not_allowed("POST");
        }
        let guest = match self.welcome(&head).await {
            Ok(guest) => guest,
            Err(refusal) => return *refusal,
        };
        let (message, guest) = match self.message(&head, body, guest).await {
            Ok(arrived) => arrived,
            Err(refusal) => return *refusal,
        };
        // Now that it is there: meanwhile the session may have ended, and whoever sent it may be somebody else.
        let found = session_of(&head.uri).and_then(|id| self.sessions.find(id, guest.principal().id()));
        let Some((session, to_client)) = found.and_then(|session| Some((Arc::clone(&session), session.carrier()?)))
        else {
            return status::no_such_session();
        };
        let envelope = Envelope::read(&message, self.server.limits());
        trace::message(&envelope);
        if envelope.protocol_version().is_some() {
            return status::not_for_sessions();
        }
        if envelope.kind() == EnvelopeKind::Other {
            return self.alone(envelope, Era::Sessions, READS, guest).await;
        }
        match self.pump(session, envelope, READS, &guest, to_client) {
            Ok(_) => status::accepted(),
            Err(refusal) => *refusal,
        }
    }
}

/// Ends a session with its stream.
struct Departure<C> {
    server: Arc<Inner<C>>,
    session: Arc<Session>,
}

impl<C> Drop for Departure<C> {
    fn drop(&mut self) {
        self.server.sessions.end(&self.session);
    }
}

/// The session that a client posts to. It lets nobody in: whoever posts says who they are, too.
fn session_of(uri: &Uri) -> Option<&str> {
    let parameters = uri.query()?.split('&').filter_map(|parameter| parameter.split_once('='));
    let mut ids = parameters.filter(|(name, _)| *name == SESSION).map(|(_, id)| id);
    ids.next().filter(|_| ids.next().is_none())
}
