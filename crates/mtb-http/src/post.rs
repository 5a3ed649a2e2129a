use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use http::header::HeaderValue;
use http::request::Parts;
use mtb_core::json::{RequestId, ScanLimits};
use mtb_mcp::drive::{Caller, Envelope, EnvelopeKind, Exchange, Refusal};
use tokio_util::sync::CancellationToken;

use crate::answers::{Answers, Pump};
use crate::attended::Attended;
use crate::body::{self, Arrived};
use crate::gate::{Found, only};
use crate::headers::{Accepts, SESSION_ID, Spoken, check_repeated, is_json, spoken};
use crate::quota::Place;
use crate::respond::{Manner, respond};
use crate::server::{Guest, Inner};
use crate::session::Session;
use crate::status::{self, Era};
use crate::stream;

impl<C: Send + Sync + 'static> Inner<C> {
    /// A message, or a batch of them.
    pub(crate) async fn post(self: Arc<Self>, head: &Parts, body: Body, guest: Guest) -> Response {
        if !is_json(&head.headers) {
            let text = "Send `Content-Type: application/json`.";
            return status::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, text);
        }
        let accepts = Accepts::of(&head.headers);
        if !accepts.json && !accepts.events {
            let text = "Accept `application/json`, and `text/event-stream` for what comes before an answer.";
            return status::plain(StatusCode::NOT_ACCEPTABLE, text);
        }
        let spoken = spoken(&head.headers);
        let era = if spoken == Spoken::Modern { Era::Stateless } else { Era::Sessions };
        let limits = self.server.limits();
        let scan = ScanLimits { message_bytes: limits.message_bytes, json: limits.json };
        let message = match body::read(body, &scan, self.limits.body).await {
            Arrived::Message(message) => message,
            Arrived::TooLong(id) => {
                return status::message(StatusCode::PAYLOAD_TOO_LARGE, Refusal::TooLong.message(id.as_ref()));
            }
            Arrived::TooSlow => return status::plain(StatusCode::REQUEST_TIMEOUT, "The body took too long to arrive."),
            Arrived::Broken => return status::plain(StatusCode::BAD_REQUEST, "The body did not arrive."),
        };
        let envelope = Envelope::read(&message, limits);
        let session = only(&head.headers, &SESSION_ID);
        if era == Era::Stateless || envelope.protocol_version().is_some() {
            if let Some(refusal) = refused_as_modern(head, &envelope) {
                return refusal;
            }
            return self.stateless(envelope, accepts, guest).await;
        }
        match (spoken, session) {
            (Spoken::Unknown, _) => status::unknown_version(),
            (_, Found::One(id)) => match self.sessions.find(id, guest.principal().id()) {
                Some(session) => self.in_session(session, envelope, accepts, guest).await,
                None => status::no_such_session(),
            },
            (_, Found::Nothing) => match envelope.kind() {
                EnvelopeKind::Request { method: "initialize", .. } => self.initialize(envelope, accepts, guest).await,
                // What is no message is told so, with or without a session.
                EnvelopeKind::Other => self.alone(envelope, Era::Sessions, accepts, guest).await,
                _ => status::session_needed(),
            },
            (_, Found::Unusable) => status::session_needed(),
        }
    }

    /// 2026-07-28: a request that stands by itself.
    async fn stateless(&self, envelope: Envelope<'_>, accepts: Accepts, guest: Guest) -> Response {
        match envelope.kind() {
            // None of those that are posted means anything here: a call is cancelled by hanging up.
            EnvelopeKind::Notification { .. } => status::accepted(),
            EnvelopeKind::Response { .. } => {
                status::message(StatusCode::BAD_REQUEST, Refusal::NothingAsked.message(None))
            }
            EnvelopeKind::Request { method: "subscriptions/listen", .. } => self.listen(envelope, accepts, guest),
            EnvelopeKind::Request { .. } | EnvelopeKind::Batch | EnvelopeKind::Other => {
                self.alone(envelope, Era::Stateless, accepts, guest).await
            }
        }
    }

    /// A stream of changes.
    fn listen(&self, envelope: Envelope<'_>, accepts: Accepts, guest: Guest) -> Response {
        if !accepts.events {
            return status::plain(StatusCode::NOT_ACCEPTABLE, "Accept `text/event-stream` for this.");
        }
        let Some(place) = self.streams.take(guest.principal().id()) else {
            return status::busy("Too many streams are open.", Duration::from_secs(1));
        };
        let caller = self.caller(&guest, None, accepts);
        let mut answers = self.attended(caller, envelope, place);
        answers.leave();
        let over = stream::over(guest.identity, Arc::clone(self.bridge.clock()), self.closing.clone());
        stream::events(stream::of_answers(None, answers, over), self.limits.keep_alive)
    }

    /// A message on a connection of its own, which ends with the client's.
    async fn alone(&self, envelope: Envelope<'_>, era: Era, accepts: Accepts, guest: Guest) -> Response {
        let Some(place) = self.place(&guest) else { return too_many() };
        let caller = self.caller(&guest, None, accepts);
        let answers = self.attended(caller, envelope, place);
        respond(answers, self.manner(era, accepts, guest)).await
    }

    /// Before 2026-07-28: the request that begins a session.
    async fn initialize(&self, envelope: Envelope<'_>, accepts: Accepts, guest: Guest) -> Response {
        let Some(handshake) = envelope.handshake() else {
            return self.alone(envelope, Era::Sessions, accepts, guest).await;
        };
        let Ok(session) = self.sessions.begin(guest.principal().id(), handshake, self.abort.child_token()) else {
            let text = "There is no room for another session. Nothing was done.";
            return status::later(StatusCode::SERVICE_UNAVAILABLE, text, Duration::from_secs(5));
        };
        let mut response = self.alone(envelope, Era::Sessions, accepts, guest).await;
        match HeaderValue::from_str(&session.id) {
            Ok(id) if response.status() == StatusCode::OK => {
                response.headers_mut().insert(SESSION_ID.clone(), id);
            }
            _ => self.sessions.end(&session),
        }
        response
    }

    /// A message of a session.
    async fn in_session(
        &self,
        session: Arc<Session>,
        envelope: Envelope<'_>,
        accepts: Accepts,
        guest: Guest,
    ) -> Response {
        let ids = match envelope.kind() {
            EnvelopeKind::Notification { .. } => {
                if let Some(id) = envelope.cancels() {
                    session.cancel(&id, envelope.message());
                }
                return status::accepted();
            }
            EnvelopeKind::Response { id } => {
                session.answer(id, envelope.message());
                return status::accepted();
            }
            EnvelopeKind::Request { id, .. } => vec![id.clone()],
            EnvelopeKind::Batch => self.batched(&session, envelope.message()),
            EnvelopeKind::Other => Vec::new(),
        };
        let Some(place) = self.place(&guest) else { return too_many() };
        let caller = self.caller(&guest, Some(session.handshake), accepts);
        let exchange = self.exchange(caller, envelope, session.ended.clone(), place);
        let (to_client, messages) = Pump::channel();
        self.tasks.spawn(Pump { exchange, session, ids, streams: accepts.events, to_client }.run());
        respond(Answers::Pumped(messages), self.manner(Era::Sessions, accepts, guest)).await
    }

    /// The requests of a batch. What in it is about other requests of the session reaches them.
    fn batched(&self, session: &Session, message: &[u8]) -> Vec<RequestId> {
        let mut ids = Vec::new();
        for item in Envelope::batch(message).take(self.server.limits().batch_messages) {
            let envelope = Envelope::read(item, self.server.limits());
            match envelope.kind() {
                EnvelopeKind::Request { id, .. } => ids.push(id.clone()),
                EnvelopeKind::Response { id } => session.answer(id, item),
                EnvelopeKind::Notification { .. } => {
                    if let Some(id) = envelope.cancels() {
                        session.cancel(&id, item);
                    }
                }
                EnvelopeKind::Batch | EnvelopeKind::Other => {}
            }
        }
        ids
    }

    /// Serves a message for as long as its client listens; its place is taken until everything has ended.
    fn attended(&self, caller: Caller<C>, envelope: Envelope<'_>, place: Place) -> Answers {
        let (exchange, serving) = Exchange::new(caller, envelope, self.abort.clone());
        let serving = async move {
            serving.await;
            drop(place);
        };
        Answers::Own(Attended::new(exchange, serving, &self.tasks))
    }

    /// Serves a message until this is cancelled; its place is taken until everything has ended.
    fn exchange(&self, caller: Caller<C>, envelope: Envelope<'_>, stop: CancellationToken, place: Place) -> Exchange {
        let (exchange, serving) = Exchange::new(caller, envelope, stop);
        self.tasks.spawn(async move {
            serving.await;
            drop(place);
        });
        exchange
    }

    fn manner(&self, era: Era, accepts: Accepts, guest: Guest) -> Manner {
        let (keep_alive, clock) = (self.limits.keep_alive, Arc::clone(self.bridge.clock()));
        Manner { accepts, era, keep_alive, identity: guest.identity, clock }
    }
}

fn too_many() -> Response {
    status::busy("Too many requests are being served. Nothing was done.", Duration::from_secs(1))
}

/// The answer to a request of 2026-07-28 that does not say twice what it has to say twice.
fn refused_as_modern(head: &Parts, envelope: &Envelope<'_>) -> Option<Response> {
    let EnvelopeKind::Request { id, .. } = envelope.kind() else { return None };
    let refusal = if envelope.protocol_version().is_none() {
        Refusal::NoVersionInMeta
    } else {
        Refusal::HeaderMismatch(check_repeated(&head.headers, envelope).err()?)
    };
    Some(status::message(StatusCode::BAD_REQUEST, refusal.message(Some(id))))
}
