use std::time::Duration;

use crate::identity::Identity;
use crate::protocol_limits::ProtocolLimits;

/// What a server says of itself. Clients show it; nobody should trust it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerInfo {
    /// A name for programs.
    pub name: String,
    /// The version of the server, not of the protocol.
    pub version: String,
    /// A name for people.
    pub title: Option<String>,
    /// What a model should know before it uses the tools.
    pub instructions: Option<String>,
}

/// Whether held calls ask the person in band, through the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elicitation {
    /// Where the client says that it can ask.
    Offered,
    /// Never: the host gets the token and asks in its own interface.
    Off,
}

/// How a server speaks.
///
/// ```
/// use mtb_mcp::{Elicitation, ServerInfo, ServerOptions};
///
/// let info = ServerInfo { name: "billing".into(), version: "1.0.0".into(), title: None, instructions: None };
/// let options = ServerOptions::new(info).with_elicit_confirmations(Elicitation::Off);
/// assert_eq!(options.limits().message_bytes, 1024 * 1024);
/// ```
#[derive(Debug, Clone)]
#[must_use = "options do nothing until a connection has them"]
pub struct ServerOptions {
    pub(crate) info: ServerInfo,
    pub(crate) identity: Identity,
    pub(crate) elicitation: Elicitation,
    pub(crate) elicitation_timeout: Option<Duration>,
    pub(crate) limits: ProtocolLimits,
    pub(crate) list_ttl: Duration,
}

impl ServerOptions {
    /// A server of this name that offers elicitation, with the default limits.
    pub fn new(info: ServerInfo) -> Self {
        Self {
            identity: Identity::of(&info),
            info,
            elicitation: Elicitation::Offered,
            elicitation_timeout: None,
            limits: ProtocolLimits::default(),
            list_ttl: Duration::from_secs(60),
        }
    }

    /// Whether held calls ask the person in band, where the client can. Default: offered.
    pub fn with_elicit_confirmations(mut self, elicitation: Elicitation) -> Self {
        self.elicitation = elicitation;
        self
    }

    /// How long a question to a client before 2026-07-28 waits for its answer. Default `None`: as long as its
    /// confirmation lives.
    pub fn with_elicitation_timeout(mut self, timeout: Option<Duration>) -> Self {
        self.elicitation_timeout = timeout;
        self
    }

    /// Bounds on messages and on what one connection may have under way.
    pub fn with_limits(mut self, limits: ProtocolLimits) -> Self {
        self.limits = limits;
        self
    }

    /// How long a client of 2026-07-28 may keep a list of tools. Default 60 seconds.
    pub fn with_list_ttl(mut self, ttl: Duration) -> Self {
        self.list_ttl = ttl;
        self
    }

    /// What the server says of itself.
    #[must_use]
    pub fn info(&self) -> &ServerInfo {
        &self.info
    }

    /// The bounds.
    #[must_use]
    pub fn limits(&self) -> &ProtocolLimits {
        &self.limits
    }
}
