use std::pin::pin;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::poll_immediate;
use http::StatusCode;
use http::header::HeaderValue;
use http::request::Parts;
use mtb_core::json::{RequestId, ScanLimits};
use mtb_mcp::Message;
use mtb_mcp::drive::{Caller, Envelope, EnvelopeKind, Exchange, Handshake, Refusal};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::admission::Guest;
use crate::answers::{Answers, Pump};
use crate::attended::Attended;
use crate::body::{self, Arrived};
use crate::gate::{Found, only};
use crate::headers::{Accepts, SESSION_ID, Spoken, check_repeated, is_json, spoken};
use crate::quota::Place;
use crate::respond::{Manner, respond};
use crate::server::Inner;
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
        let (message, guest) = match self.message(head, body, guest).await {
            Ok(arrived) => arrived,
            Err(refusal) => return *refusal,
        };
        let limits = self.server.limits();
        let envelope = Envelope::read(&message, limits);
        trace::message(&envelope);
        let session = only(&head.headers, &SESSION_ID);
        if era == Era::Stateless || envelope.protocol_version().is_some() {
            let refusal = refused_as_modern(head, &envelope);
            return match refusal.or_else(|| self.refused_as_mirrored(head, &envelope, &guest)) {
                // By the connection, so that what was presented with it is spent.
                Some(refusal) => self.alone(envelope.refused(refusal), Era::Stateless, accepts, guest).await,
                None => self.stateless(envelope, accepts, guest).await,
            };
        }
        match (spoken, session) {
            (Spoken::Unknown, _) => {
                // By a connection, so that what was presented with it is spent.
                self.alone(envelope.refused(Refusal::UnknownVersion), Era::Sessions, accepts, guest).await
            }
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

    /// The body of a request, if it is a message by what stands around it, and whoever sent it, if they are still
    /// welcome when it has arrived.
    pub(crate) async fn message(
        &self,
        head: &Parts,
        body: Body,
        guest: Guest,
    ) -> Result<(Bytes, Guest), Box<Response>> {
        if !is_json(&head.headers) {
            let text = "Send `Content-Type: application/json`.";
            return Err(Box::new(status::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, text)));
        }
        let limits = self.server.limits();
        let scan = ScanLimits { message_bytes: limits.message_bytes, json: limits.json };
        let mut reading = pin!(body::read(body, &scan, self.limits.body));
        let arrived = if let Some(arrived) = poll_immediate(reading.as_mut()).await {
            arrived
        } else {
            // Apart from what is being served: an answer to a question has to arrive while that many calls wait for one.
            let place = self.bodies.take(guest.principal().id());
            let Some(_place) = place else { return Err(Box::new(status::too_many())) };
            reading.await
        };
        let refusal = match arrived {
            Arrived::Message(message) => return Ok((message, self.still_welcome(head, guest).await?)),
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
        let mut answers = self.attended(caller, envelope, Arc::new(place));
        answers.leave();
        let over = stream::over(guest.identity, Arc::clone(self.bridge.clock()), self.closing.clone());
        stream::events(stream::of_answers(None, answers, over), self.limits.keep_alive)
    }

    /// A message on a connection of its own, which ends with the client's.
    pub(crate) async fn alone(&self, envelope: Envelope<'_>, era: Era, accepts: Accepts, guest: Guest) -> Response {
        match self.place(&guest, 1) {
            Ok(place) => self.placed(envelope, era, accepts, guest, place).await,
            Err(refusal) => *refusal,
        }
    }

    /// The same, where there is a place for it already.
    async fn placed(
        &self,
        envelope: Envelope<'_>,
        era: Era,
        accepts: Accepts,
        guest: Guest,
        place: Arc<Place>,
    ) -> Response {
        let caller = self.caller(&guest, None, accepts);
        let answers = self.attended(caller, envelope, place);
        respond(answers, self.manner(era, accepts, guest)).await
    }

    /// Before 2026-07-28: the request that begins a session.
    async fn initialize(&self, envelope: Envelope<'_>, accepts: Accepts, guest: Guest) -> Response {
        let Some(handshake) = envelope.handshake() else {
            return self.alone(envelope, Era::Sessions, accepts, guest).await;
        };
        // Before a session is begun, which may end an older one.
        let place = match self.place(&guest, 1) {
            Ok(place) => place,
            Err(refusal) => return *refusal,
        };
        let session = match self.begin(&guest, Some(handshake)) {
            Ok(session) => session,
            Err(refusal) => return *refusal,
        };
        let mut response = self.placed(envelope, Era::Sessions, accepts, guest, place).await;
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
        let (to_client, messages) = Pump::channel();
        match self.pump(session, envelope, accepts, &guest, to_client) {
            Ok(Some(place)) => {
                respond(Answers::pumped(messages, place), self.manner(Era::Sessions, accepts, guest)).await
            }
            Ok(None) => status::accepted(),
            Err(refusal) => *refusal,
        }
    }

    /// Serves a message of a session, whose answers go this way; nothing, where it is about other ones, which it then has
    /// reached.
    pub(crate) fn pump(
        &self,
        session: Arc<Session>,
        envelope: Envelope<'_>,
        accepts: Accepts,
        guest: &Guest,
        to_client: mpsc::Sender<Message>,
    ) -> Result<Option<Arc<Place>>, Box<Response>> {
        let asked = match envelope.kind() {
            EnvelopeKind::Notification { .. } => {
                if let Some(id) = envelope.cancels() {
                    session.cancel(&id, guest.principal(), envelope.message());
                }
                return Ok(None);
            }
            EnvelopeKind::Response { id } => {
                session.answer(id, guest.principal(), envelope.message());
                return Ok(None);
            }
            EnvelopeKind::Request { id, .. } => Asked { requests: vec![id.clone()], cancelled: Vec::new() },
            EnvelopeKind::Batch => self.asked_in(&session, envelope.message()),
            EnvelopeKind::Other => Asked::default(),
        };
        // What only takes back has to arrive while as much as may be is under way.
        let takes_back = asked.requests.is_empty() && !asked.cancelled.is_empty();
        let place = self.place(guest, if takes_back { 0 } else { asked.requests.len().max(1) })?;
        for (id, message) in asked.cancelled {
            session.cancel(&id, guest.principal(), message);
        }
        let caller = self.caller(guest, session.handshake(), accepts);
        if let Some(handshake) = envelope.handshake() {
            session.settle(handshake);
        }
        let exchange = self.exchange(caller, envelope, session.ended.clone(), Arc::clone(&place));
        let held = Arc::clone(&place);
        if let Some(pump) = Pump::of(exchange, session, asked.requests, accepts.events, to_client, held) {
            self.tasks.spawn(pump.run());
        }
        Ok(Some(place))
    }

    /// What a batch is about: nothing, where all of it will be refused. No revision that has batches asks questions, so
    /// that nothing in them is an answer.
    fn asked_in<'m>(&self, session: &Session, message: &'m [u8]) -> Asked<'m> {
        let limits = self.server.limits();
        let mut asked = Asked::default();
        let is_served = session.handshake().is_some_and(Handshake::has_batches)
            && Envelope::batch(message).nth(limits.batch_messages).is_none();
        for item in Envelope::batch(message).filter(|_| is_served) {
            let envelope = Envelope::read(item, limits);
            if let EnvelopeKind::Request { id, .. } = envelope.kind() {
                asked.requests.push(id.clone());
            }
            asked.cancelled.extend(envelope.cancels().map(|id| (id, item)));
        }
        asked
    }

    /// Serves a message for as long as its client listens; its place is taken until everything has ended.
    fn attended(&self, caller: Caller<C>, envelope: Envelope<'_>, place: Arc<Place>) -> Answers {
        let (exchange, serving) = Exchange::new(caller, envelope, self.abort.clone());
        let held = Arc::clone(&place);
        let serving = serving.map(|()| drop(held));
        Answers::own(Attended::new(exchange, serving, &self.tasks), place)
    }

    /// Serves a message until this is cancelled; its place is taken until everything has ended.
    fn exchange(
        &self,
        caller: Caller<C>,
        envelope: Envelope<'_>,
        stop: CancellationToken,
        place: Arc<Place>,
    ) -> Exchange {
        let (exchange, serving) = Exchange::new(caller, envelope, stop);
        self.tasks.spawn(serving.map(|()| drop(place)).in_current_span());
        exchange
    }

    fn manner(&self, era: Era, accepts: Accepts, guest: Guest) -> Manner {
        let (keep_alive, clock) = (self.limits.keep_alive, Arc::clone(self.bridge.clock()));
        Manner { accepts, era, keep_alive, identity: guest.identity, clock }
    }
}

/// What a message of a session is about.
#[derive(Default)]
struct Asked<'m> {
    requests: Vec<RequestId>,
    /// Others that are no longer wanted, and what says so.
    cancelled: Vec<(RequestId, &'m [u8])>,
}

/// Why a request of 2026-07-28 is not served that does not say twice what it has to say twice.
fn refused_as_modern(head: &Parts, envelope: &Envelope<'_>) -> Option<Refusal> {
    if !matches!(envelope.kind(), EnvelopeKind::Request { .. }) || envelope.is_unreadable() {
        return None;
    }
    if envelope.protocol_version().is_none() {
        return Some(Refusal::NoVersionInMeta);
    }
    check_repeated(&head.headers, envelope).err().map(Refusal::HeaderMismatch)
}
