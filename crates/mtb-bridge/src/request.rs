use std::fmt;

use mtb_core::{CanonicalJson, Transport, json};
use mtb_guard::Carrier;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::call::ProgressSink;

/// A call as it comes in: nothing of it was checked, not even that there is a tool of this name.
pub struct CallRequest {
    pub(crate) name: String,
    pub(crate) arguments: RawArguments,
    pub(crate) token: Option<PresentedToken>,
    pub(crate) options: CallOptions,
}

impl CallRequest {
    /// A call of this tool with these arguments.
    #[must_use]
    pub fn new(name: &str, arguments: impl Into<RawArguments>) -> Self {
        Self { name: name.to_owned(), arguments: arguments.into(), token: None, options: CallOptions::new() }
    }

    /// The same call with a token that a person's yes released.
    #[must_use]
    pub fn with_token(mut self, token: &str) -> Self {
        self.token = Some(PresentedToken(token.to_owned()));
        self
    }

    /// The same call with these options.
    #[must_use]
    pub fn with_options(mut self, options: CallOptions) -> Self {
        self.options = options;
        self
    }
}

/// Whatever the caller wrote is content, the name included.
impl fmt::Debug for CallRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallRequest").field("options", &self.options).finish_non_exhaustive()
    }
}

/// A token somebody sent. Never shown.
pub(crate) struct PresentedToken(pub(crate) String);

impl PresentedToken {
    /// What stands for a token that should have come along and did not. It is none that was ever issued.
    pub(crate) fn none() -> Self {
        Self(String::new())
    }
}

impl fmt::Debug for PresentedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PresentedToken(…)")
    }
}

/// How a call arrives and how it can be followed.
#[derive(Clone)]
pub struct CallOptions {
    pub(crate) transport: Transport,
    pub(crate) carrier: Carrier,
    pub(crate) cancellation: Option<CancellationToken>,
    pub(crate) progress: Option<ProgressSink>,
}

impl CallOptions {
    /// A direct call of the host, confirmed through the host, that nobody cancels or follows.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "how a call is carried is said, not defaulted")]
    pub fn new() -> Self {
        Self { transport: Transport::DIRECT, carrier: Carrier::Host, cancellation: None, progress: None }
    }

    /// The channel, as the audit names it.
    #[must_use]
    pub fn transport(mut self, transport: Transport) -> Self {
        self.transport = transport;
        self
    }

    /// How the question would be asked, and how a presented token was carried. A token of one carrier is refused
    /// through the other.
    #[must_use]
    pub fn carrier(mut self, carrier: Carrier) -> Self {
        self.carrier = carrier;
        self
    }

    /// Cancels the call when it fires.
    #[must_use]
    pub fn cancellation(mut self, cancellation: CancellationToken) -> Self {
        self.cancellation = Some(cancellation);
        self
    }

    /// Where the handler's progress goes.
    #[must_use]
    pub fn progress(mut self, sink: ProgressSink) -> Self {
        self.progress = Some(sink);
        self
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions")
            .field("transport", &self.transport)
            .field("carrier", &self.carrier)
            .finish_non_exhaustive()
    }
}

/// Arguments as they came, as JSON text or as a value. Not checked, and never shown.
pub struct RawArguments(Raw);

enum Raw {
    Text(String),
    Value(Value),
}

impl RawArguments {
    /// JSON text, exactly as it arrived.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self(Raw::Text(text.into()))
    }

    pub(crate) fn canonical(self, limits: &json::Limits) -> Result<CanonicalJson, json::JsonError> {
        match self.0 {
            Raw::Text(text) => CanonicalJson::from_text(&text, limits),
            Raw::Value(value) => CanonicalJson::from_value(&value, limits),
        }
    }
}

impl From<Value> for RawArguments {
    fn from(value: Value) -> Self {
        Self(Raw::Value(value))
    }
}

impl From<Map<String, Value>> for RawArguments {
    fn from(members: Map<String, Value>) -> Self {
        Self(Raw::Value(Value::Object(members)))
    }
}

impl fmt::Debug for RawArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RawArguments(…)")
    }
}
