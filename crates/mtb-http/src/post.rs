use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use http::header::HeaderValue;
use http::request::Parts;
use mtb_core::json::{RequestId, ScanLimits};
use mtb_mcp::drive::{Caller, Envelope, EnvelopeKind, Exchange, Refusal};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

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
use crate::{stream, trace};

impl<C: Send + Sync + 'static> Inner<C> {
    /// A message, or a batch of them.
    pub(crate) async fn post(self: Arc<Self>, head: &Parts, body: Body, guest: Guest) -> Response {
        let accepts = Accepts::of(&head.headers);
        if !accepts.json && !accepts.events {
            let text = "Accept `application/json`, and `text/event-stream` for what comes before an answer.";
            return status::plain(StatusCode::NOT_ACCEPTABLE, text);
        }
        let spoken = spoken(&head.headers);
        let era = if spoken == Spoken::Modern { Era::Stateless } else { Era::Sessions };
        let message = match self.message(head, body).await {
            Ok(message) => message,
            Err(refusal) => return *refusal,
        };
        let limits = self.server.limits();
        let envelope = Envelope::read(&message, limits);
        trace::message(&envelope);
        let session = only(&head.headers, &SESSION_ID);
        if era == Era::Stateless || envelope.protocol_version().is_some() {
            let refusal = refused_as_modern(head, &envelope);
            if let Some(refusal) = refusal.or_else(|| self.refused_as_mirrored(head, &envelope, &guest)) {
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

    /// The body of a request, if it is a message by what stands around it.
    pub(crate) async fn message(&self, head: &Parts, body: Body) -> Result<Bytes, Box<Response>> {
        if !is_json(&head.headers) {
            let text = "Send `Content-Type: application/json`.";
            return Err(Box::new(status::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, text)));
        }
        let limits = self.server.limits();
        let scan = ScanLimits { message_bytes: limits.message_bytes, json: limits.json };
        let refusal = match body::read(body, &scan, self.limits.body).await {
            Arrived::Message(message) => return Ok(message),
            Arrived::TooLong(id) => {
                status::message(StatusCode::PAYLOAD_TOO_LARGE, Refusal::TooLong.message(id.as_ref()))
            }
            Arrived::TooSlow => status::plain(StatusCode::REQUEST_TIMEOUT, "The body took too long to arrive."),
            Arrived::Broken => status::plain(StatusCode::BAD_REQUEST, "The body did not arrive."),
        };
        Err(Box::new(refusal))
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
            return status::events_needed();
        }
        let Some(place) = self.streams.take(guest.principal().id()) else { return status::too_many_streams() };
        let caller = self.caller(&guest, None, accepts);
        let mut answers = self.attended(caller, envelope, place);
        answers.leave();
        let over = stream::over(guest.identity, Arc::clone(self.bridge.clock()), self.closing.clone());
        stream::events(stream::of_answers(None, answers, over), self.limits.keep_alive)
    }

    /// A message on a connection of its own, which ends with the client's.
    pub(crate) async fn alone(&self, envelope: Envelope<'_>, era: Era, accepts: Accepts, guest: Guest) -> Response {
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
        let session = match self.begin(&guest, Some(handshake)) {
            Ok(session) => session,
            Err(refusal) => return *refusal,
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
        let Some(ids) = self.asked_in(&session, &envelope) else { return status::accepted() };
        let Some(place) = self.place(&guest) else { return too_many() };
        let caller = self.caller(&guest, session.handshake(), accepts);
        let exchange = self.exchange(caller, envelope, session.ended.clone(), place);
        let (to_client, messages) = Pump::channel();
        self.tasks.spawn(Pump { exchange, session, ids, streams: accepts.events, to_client }.run());
        respond(Answers::Pumped(messages), self.manner(Era::Sessions, accepts, guest)).await
    }

    /// The requests that a message of a session is; none, where it is about other ones, which it then has reached.
    pub(crate) fn asked_in(&self, session: &Session, envelope: &Envelope<'_>) -> Option<Vec<RequestId>> {
        match envelope.kind() {
            EnvelopeKind::Notification { .. } => {
                if let Some(id) = envelope.cancels() {
                    session.cancel(&id, envelope.message());
                }
                None
            }
            EnvelopeKind::Response { id } => {
                session.answer(id, envelope.message());
                None
            }
            EnvelopeKind::Request { id, .. } => Some(vec![id.clone()]),
            EnvelopeKind::Batch => Some(self.batched(session, envelope.message())),
            EnvelopeKind::Other => Some(Vec::new()),
        }
    }

    /// The requests of a batch. What in it is about other requests of the session reaches them.
    fn batched(&self, session: &Session, message: &[u8]) -> Vec<RequestId> {
        let limits = self.server.limits();
        let items = Envelope::batch(message).take(limits.batch_messages);
        // A batch in a batch is answered with an error, whatever is in it.
        let asked = items.map(|item| Envelope::read(item, limits)).filter(|it| it.kind() != EnvelopeKind::Batch);
        asked.filter_map(|envelope| self.asked_in(session, &envelope)).flatten().collect()
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
    pub(crate) fn exchange(
        &self,
        caller: Caller<C>,
        envelope: Envelope<'_>,
        stop: CancellationToken,
        place: Place,
    ) -> Exchange {
        let (exchange, serving) = Exchange::new(caller, envelope, stop);
        let served = async move {
            serving.await;
            drop(place);
        };
        self.tasks.spawn(served.in_current_span());
        exchange
    }

    fn manner(&self, era: Era, accepts: Accepts, guest: Guest) -> Manner {
        let (keep_alive, clock) = (self.limits.keep_alive, Arc::clone(self.bridge.clock()));
        Manner { accepts, era, keep_alive, identity: guest.identity, clock }
    }
}

pub(crate) fn too_many() -> Response {
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
