//! Answers that are none of the protocol's: what is wrong with a request, for whoever wrote the client.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, StatusCode};
use mtb_mcp::{ErrorCode, Message, MessageKind};

use crate::auth::Denied;
use crate::gate::Foreign;
use crate::pieces::{InPieces, PIECE};
use crate::quota::Place;

/// A sentence, as text.
pub(crate) fn plain(status: StatusCode, text: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

fn with(mut response: Response, name: HeaderName, value: HeaderValue) -> Response {
    response.headers_mut().insert(name, value);
    response
}

pub(crate) fn foreign(which: Foreign) -> Response {
    let (text, option) = match which {
        Foreign::Host => ("`Host` is no name of this server.", "with_hosts"),
        Foreign::Origin => ("Pages of this origin may not use this server.", "with_origins"),
    };
    tracing::debug!(header = ?which, option, "a request is refused for what this option does not declare");
    plain(StatusCode::FORBIDDEN, text)
}

pub(crate) fn denied(why: Denied) -> Response {
    match why {
        Denied::Unauthorized(challenge) => {
            let response = plain(StatusCode::UNAUTHORIZED, "Credentials that this server knows are needed.");
            with(response, WWW_AUTHENTICATE, challenge)
        }
        Denied::Forbidden(challenge) => {
            let response = plain(StatusCode::FORBIDDEN, "These credentials are not good for this.");
            with(response, WWW_AUTHENTICATE, challenge)
        }
        Denied::Malformed => plain(StatusCode::BAD_REQUEST, "`Authorization` cannot be read, or is there twice."),
        Denied::Unavailable => later(
            StatusCode::SERVICE_UNAVAILABLE,
            "Who calls cannot be found out now. Nothing was done.",
            Duration::from_secs(5),
        ),
    }
}

/// A request was taken by credentials that are no longer good. 401 would have its client send it again.
pub(crate) fn lapsed() -> Response {
    let text = "These credentials are no longer good. What was asked goes on, and its answer is not given.";
    plain(StatusCode::FORBIDDEN, text)
}

/// What may be tried again after so long.
pub(crate) fn later(status: StatusCode, text: &'static str, wait: Duration) -> Response {
    let seconds = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0)).max(1);
    with(plain(status, text), RETRY_AFTER, HeaderValue::from(seconds))
}

pub(crate) fn busy(text: &'static str, wait: Duration) -> Response {
    later(StatusCode::TOO_MANY_REQUESTS, text, wait)
}

pub(crate) fn not_allowed(allowed: &'static str) -> Response {
    let response = plain(StatusCode::METHOD_NOT_ALLOWED, "This method is not served here.");
    with(response, ALLOW, HeaderValue::from_static(allowed))
}

/// A message that is the whole answer.
pub(crate) fn message(status: StatusCode, message: Message) -> Response {
    json(status, Body::from(message.into_bytes()))
}

/// The same, with a place that is taken until it has been handed on; what is short is handed on at once.
pub(crate) fn held_message(status: StatusCode, answer: Message, place: impl FnOnce() -> Arc<Place>) -> Response {
    if answer.as_bytes().len() <= PIECE {
        return message(status, answer);
    }
    json(status, Body::new(InPieces::of(answer.into_bytes().into(), place())))
}

fn json(status: StatusCode, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// JSON that everybody may read, and keep for a while.
pub(crate) fn document(text: String) -> Response {
    let response = json(StatusCode::OK, Body::from(text));
    with(response, CACHE_CONTROL, HeaderValue::from_static("max-age=3600"))
}

/// Which era an answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    Sessions,
    Stateless,
}

/// The status of an answer (2026-07-28/basic/transports/streamable-http; before, only what is no request is told by it).
pub(crate) fn of(kind: &MessageKind, era: Era) -> StatusCode {
    let MessageKind::Error(code) = kind else { return StatusCode::OK };
    match (code, era) {
        (ErrorCode::Parse | ErrorCode::InvalidRequest, _) => StatusCode::BAD_REQUEST,
        (_, Era::Sessions) => StatusCode::OK,
        (ErrorCode::MethodNotFound, Era::Stateless) => StatusCode::NOT_FOUND,
        (ErrorCode::Internal, Era::Stateless) => StatusCode::INTERNAL_SERVER_ERROR,
        (_, Era::Stateless) => StatusCode::BAD_REQUEST,
    }
}

/// What needs no answer has arrived.
pub(crate) fn accepted() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

pub(crate) fn unknown_version() -> Response {
    plain(StatusCode::BAD_REQUEST, "`MCP-Protocol-Version` names no version that is spoken here.")
}

pub(crate) fn session_needed() -> Response {
    let text = "Begin with `initialize` and send its `Mcp-Session-Id` with what follows, once; or send requests of \
                2026-07-28, which need none.";
    plain(StatusCode::BAD_REQUEST, text)
}

pub(crate) fn no_such_session() -> Response {
    plain(StatusCode::NOT_FOUND, "There is no such session. Begin another with `initialize`.")
}

pub(crate) fn events_needed() -> Response {
    plain(StatusCode::NOT_ACCEPTABLE, "Accept `text/event-stream` for this.")
}

pub(crate) fn too_many_streams() -> Response {
    busy("Too many streams are open.", Duration::from_secs(1))
}

pub(crate) fn too_early(wait: Duration) -> Response {
    busy("Too many requests in a short time. Nothing was done.", wait)
}

pub(crate) fn too_many() -> Response {
    busy("Too many requests are being served. Nothing was done.", Duration::from_secs(1))
}

pub(crate) fn not_for_sessions() -> Response {
    plain(
        StatusCode::BAD_REQUEST,
        "Requests of 2026-07-28 stand by themselves: post them to the endpoint of the server.",
    )
}
