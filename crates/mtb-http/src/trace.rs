//! What tracing sees of a request: which kind it is, how it ended, and which trace of the client's it belongs to. What
//! clients invent does not come in: methods that are none, names, ids of messages and sessions.

use std::future::Future;

use axum::response::Response;
use futures_util::FutureExt as _;
use http::Method;
use mtb_mcp::drive::{Envelope, EnvelopeKind};
use tracing::field::Empty;
use tracing::{Instrument as _, Span, info_span};

/// Methods that are served.
const METHODS: [&str; 8] = [
    "initialize",
    "notifications/cancelled",
    "notifications/initialized",
    "ping",
    "server/discover",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
];

/// Serves a request within a span of its own; what a call logs is in it, too. Names are those of
/// <https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp>, where there are any.
///
/// No future around `served`, which would hold it twice, and be moved around with it.
pub(crate) fn traced(http_method: &Method, served: impl Future<Output = Response>) -> impl Future<Output = Response> {
    let span = info_span!(
        "mcp.request",
        http.request.method = known(http_method),
        http.response.status_code = Empty,
        mcp.method.name = Empty,
        trace_id = Empty,
        parent_span_id = Empty,
    );
    served.instrument(span.clone()).map(move |response| {
        span.record("http.response.status_code", response.status().as_u16());
        response
    })
}

/// What its body is.
pub(crate) fn message(envelope: &Envelope<'_>) {
    let span = Span::current();
    if span.is_disabled() {
        return;
    }
    span.record("mcp.method.name", kind(envelope.kind()));
    if let Some(parent) = envelope.trace_parent() {
        span.record("trace_id", parent.trace_id());
        span.record("parent_span_id", parent.parent_id());
    }
}

/// Methods are content, too, where they are none that anybody knows.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "_OTHER",
    }
}

fn kind(kind: EnvelopeKind<'_>) -> &'static str {
    match kind {
        EnvelopeKind::Request { method, .. } | EnvelopeKind::Notification { method } => {
            METHODS.into_iter().find(|known| *known == method).unwrap_or("unknown")
        }
        EnvelopeKind::Response { .. } => "response",
        EnvelopeKind::Batch => "batch",
        EnvelopeKind::Other => "malformed",
    }
}
