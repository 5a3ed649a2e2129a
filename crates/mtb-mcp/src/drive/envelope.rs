use std::borrow::Cow;
use std::fmt;

use mtb_core::json::{RequestId, RootKind, batch_items, member, scan};

use super::{Handshake, Refusal, TraceParent};
use crate::connection::spoils_a_batch;
use crate::era::Client;
use crate::incoming::Incoming;
use crate::meta;
use crate::params::{Params, is_object, string};
use crate::protocol_limits::ProtocolLimits;

/// What a driver may go by before a message is served: by what stands around it, it finds the connection that the
/// message belongs to. Nothing is checked here but its form.
///
/// ```
/// use mtb_mcp::ProtocolLimits;
/// use mtb_mcp::drive::{Envelope, EnvelopeKind};
///
/// let call = br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ping"}}"#;
/// let envelope = Envelope::read(call, &ProtocolLimits::default());
/// assert!(matches!(envelope.kind(), EnvelopeKind::Request { method: "tools/call", .. }));
/// assert_eq!(envelope.name().as_deref(), Some("ping"));
/// assert_eq!(envelope.protocol_version(), None);
/// ```
pub struct Envelope<'m> {
    message: &'m [u8],
    /// Nothing for an array.
    incoming: Option<Incoming<'m>>,
    /// Whether it is an array that can be read.
    is_batch: bool,
}

/// What a message is, by its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvelopeKind<'e> {
    /// A request.
    Request {
        /// Its id.
        id: &'e RequestId,
        /// Its method.
        method: &'e str,
    },
    /// A notification.
    Notification {
        /// Its method.
        method: &'e str,
    },
    /// An answer to a question.
    Response {
        /// The id of the question.
        id: &'e RequestId,
    },
    /// An array of messages; see [`Envelope::batch`]. What is wrong with one of them spoils no other.
    Batch,
    /// Nothing of these. A connection answers it.
    Other,
}

impl<'m> Envelope<'m> {
    /// Reads what is around a message, within these limits.
    #[must_use]
    pub fn read(message: &'m [u8], limits: &ProtocolLimits) -> Self {
        let scan = scan(message, &limits.scan());
        let is_array = scan.root == RootKind::Array;
        let is_batch = is_array && !scan.fault.is_some_and(|fault| spoils_a_batch(fault.fault));
        Self { message, incoming: (!is_array).then(|| Incoming::read(message, scan)), is_batch }
    }

    /// Of a request, where they can be read.
    fn params(&self) -> Option<&Params<'m>> {
        match &self.incoming {
            Some(Incoming::Request { params, .. }) => params.as_ref().ok(),
            _ => None,
        }
    }

    /// Whether the `params` of a request cannot be read: a connection says why, whatever stands in them.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        matches!(&self.incoming, Some(Incoming::Request { params: Err(_), .. }))
    }

    /// The message.
    #[must_use]
    pub fn message(&self) -> &'m [u8] {
        self.message
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> EnvelopeKind<'_> {
        match &self.incoming {
            None if self.is_batch => EnvelopeKind::Batch,
            Some(Incoming::Request { id, method, .. }) => EnvelopeKind::Request { id, method },
            Some(Incoming::Notification { method, .. }) => EnvelopeKind::Notification { method },
            Some(Incoming::Response { id, .. }) => EnvelopeKind::Response { id },
            None | Some(Incoming::Stray | Incoming::Malformed { .. }) => EnvelopeKind::Other,
        }
    }

    /// The protocol version by which a request or a notification describes itself. What is there and no string is an
    /// empty one.
    #[must_use]
    pub fn protocol_version(&self) -> Option<Cow<'m, str>> {
        let version = match &self.incoming {
            Some(Incoming::Notification { params, .. }) => {
                let meta = member((*params)?, "_meta").filter(|meta| is_object(meta));
                member(meta?, meta::PROTOCOL_VERSION)
            }
            _ => self.params()?.meta.protocol_version,
        };
        Some(string(Some(version?)).unwrap_or_default())
    }

    /// The trace that a request says it is a part of.
    #[must_use]
    pub fn trace_parent(&self) -> Option<TraceParent> {
        TraceParent::parse(&string(self.params()?.meta.trace_parent)?)
    }

    /// The name of the tool that a request is about.
    #[must_use]
    pub fn name(&self) -> Option<Cow<'m, str>> {
        string(self.params()?.name)
    }

    /// The arguments of a call, as they stand there.
    #[must_use]
    pub fn arguments(&self) -> Option<&'m str> {
        self.params()?.arguments
    }

    /// What an `initialize` will settle, if it can be served.
    #[must_use]
    pub fn handshake(&self) -> Option<Handshake> {
        match self.kind() {
            EnvelopeKind::Request { method: "initialize", .. } => {
                Client::of_handshake(self.params()?).ok().map(Handshake)
            }
            _ => None,
        }
    }

    /// Which request this says is no longer wanted.
    #[must_use]
    pub fn cancels(&self) -> Option<RequestId> {
        match &self.incoming {
            Some(Incoming::Notification { method, params }) if method == "notifications/cancelled" => {
                RequestId::from_json(member((*params)?, "requestId")?)
            }
            _ => None,
        }
    }

    /// The same message, to be answered with this and not served. What was presented with a request is spent all the same.
    #[must_use]
    pub fn refused(mut self, refusal: Refusal) -> Self {
        let error = refusal.error();
        match &mut self.incoming {
            Some(Incoming::Request { params: Ok(params), .. }) => params.refused = Some(error),
            // It cannot be read: it is refused for that.
            Some(Incoming::Request { params: Err(_), .. }) => {}
            other => (*other, self.is_batch) = (Some(Incoming::Malformed { id: None, error }), false),
        }
        self
    }

    /// The message as it was read, unless it is a batch.
    pub(super) fn into_incoming(self) -> Option<Incoming<'m>> {
        self.incoming
    }

    /// The messages of a batch.
    pub fn batch(message: &'m [u8]) -> impl Iterator<Item = &'m [u8]> {
        batch_items(message).map(|span| message.get(span).unwrap_or_default())
    }
}

/// A message holds content, so only its form is shown.
impl fmt::Debug for Envelope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Envelope").field("kind", &self.kind()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{Envelope, EnvelopeKind};
    use crate::protocol_limits::ProtocolLimits;

    fn read(text: &str) -> Envelope<'_> {
        Envelope::read(text.as_bytes(), &ProtocolLimits::default())
    }

    #[test]
    fn tells_messages_apart() {
        for (text, kind) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#, "Request"),
            (r#"{"jsonrpc":"2.0","method":"x"}"#, "Notification"),
            (r#"{"jsonrpc":"2.0","id":"q","result":{}}"#, "Response"),
            (r#"{"jsonrpc":"2.0","id":"q","error":{}}"#, "Response"),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#, "Batch"),
            (r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, "Other"),
            (r#"{"id":1,"method":"x"}"#, "Other"),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"x"}"#, "Other"),
            ("[1e400]", "Batch"),
            ("[1e400", "Other"),
            ("7", "Other"),
            ("", "Other"),
            ("{", "Other"),
        ] {
            let found = format!("{:?}", read(text).kind());
            assert!(found.starts_with(kind), "{text}: {found}");
        }
    }

    #[test]
    fn finds_what_is_around_a_message() {
        let meta = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
        for (params, version, name, arguments) in [
            (format!(r#"{{"name":"a","_meta":{meta}}}"#), Some("2026-07-28"), Some("a"), None),
            (r#"{"name":7,"_meta":{"io.modelcontextprotocol/protocolVersion":7}}"#.to_owned(), Some(""), None, None),
            (r#"{"arguments":{"name":"b"}}"#.to_owned(), None, None, Some(r#"{"name":"b"}"#)),
            (r#"{"name":"a","_meta":[],"arguments":{}}"#.to_owned(), None, None, None),
            ("[]".to_owned(), None, None, None),
            ("7".to_owned(), None, None, None),
        ] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
            let envelope = read(&text);
            assert_eq!(envelope.protocol_version().as_deref(), version, "{params}");
            assert_eq!(envelope.name().as_deref(), name, "{params}");
            assert_eq!(envelope.arguments(), arguments, "{params}");
            assert_eq!(envelope.is_unreadable(), params.starts_with(['[', '7']) || params.contains(":[]"), "{params}");
            assert!(envelope.handshake().is_none() && envelope.cancels().is_none());
        }
    }

    #[test]
    fn knows_the_trace_of_a_request() {
        let of = |meta: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{meta}}}}}"#);
            read(&text).trace_parent().map(|parent| parent.trace_id().to_owned())
        };
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert_eq!(of(&format!(r#"{{"traceparent":"{parent}"}}"#)).as_deref(), Some(&parent[3..35]));
        for meta in ["{}", "[]", r#"{"traceparent":"what a client says"}"#, r#"{"traceparent":7}"#] {
            assert_eq!(of(meta), None, "{meta}");
        }
    }

    #[test]
    fn a_notification_may_say_its_version_too() {
        let version = |meta: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0","method":"x","params":{{"_meta":{meta}}}}}"#);
            read(&text).protocol_version().map(std::borrow::Cow::into_owned)
        };
        let described = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
        assert_eq!(version(described).as_deref(), Some("2026-07-28"));
        assert_eq!((version("{}"), version("[]")), (None, None));
    }

    #[test]
    fn knows_whom_a_cancellation_is_for() {
        let cancels = |method: &str, id: &str| {
            read(&format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"requestId":{id}}}}}"#)).cancels()
        };
        assert_eq!(cancels("notifications/cancelled", "7").unwrap().as_json(), "7");
        assert_eq!(cancels("notifications/cancelled", "null"), None);
        assert_eq!(cancels("notifications/progress", "7"), None);
    }

    #[test]
    fn a_handshake_is_read_of_initialize_alone() {
        let handshake = |method: &str, version: &str| {
            let params = format!(r#"{{"protocolVersion":{version},"capabilities":{{"elicitation":{{}}}}}}"#);
            read(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#)).handshake()
        };
        let settled = handshake("initialize", "\"2025-06-18\"").unwrap();
        assert_eq!(settled.protocol_version(), "2025-06-18");
        assert_eq!(handshake("initialize", "\"2026-07-28\"").unwrap().protocol_version(), "2025-11-25");
        assert_eq!(handshake("initialize", "7"), None);
        assert_eq!(handshake("tools/list", "\"2025-06-18\""), None);
    }

    #[test]
    fn a_batch_is_its_messages() {
        let items: Vec<_> = Envelope::batch(br#"[ {"a":1}, 7 ,[]]"#).collect();
        assert_eq!(items, [&br#"{"a":1}"#[..], b"7", b"[]"]);
        assert!(matches!(read("[]").kind(), EnvelopeKind::Batch));
        assert_eq!(Envelope::batch(b"[]").count(), 0);
    }
}
