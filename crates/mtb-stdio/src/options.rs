use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use mtb_core::{Principal, Transport};
use mtb_mcp::{Elicitation, ProtocolLimits, ServerInfo, ServerOptions};

/// Whom a connection serves, and how.
///
/// Everything that arrives is done in the name of one principal: whoever may start the process.
#[must_use = "options do nothing until they are served"]
pub struct StdioOptions {
    pub(crate) principal: Principal,
    pub(crate) transport: Transport,
    pub(crate) server: ServerOptions,
    pub(crate) shutdown: Option<Shutdown>,
    pub(crate) drain: Duration,
}

pub(crate) type Shutdown = Pin<Box<dyn Future<Output = ()> + Send>>;

impl StdioOptions {
    /// Serves this principal as the server that `info` describes, until the input ends.
    pub fn new(principal: Principal, info: ServerInfo) -> Self {
        Self {
            principal,
            transport: Transport::STDIO,
            server: ServerOptions::new(info),
            shutdown: None,
            drain: Duration::from_secs(2),
        }
    }

    /// Serving ends when this future completes, for example [`shutdown_signal`](crate::shutdown_signal).
    pub fn with_shutdown(mut self, shutdown: impl Future<Output = ()> + Send + 'static) -> Self {
        self.shutdown = Some(Box::pin(shutdown));
        self
    }

    /// Whether held calls ask the person in band, where the client can. Default: offered.
    pub fn with_elicit_confirmations(mut self, elicitation: Elicitation) -> Self {
        self.server = self.server.with_elicit_confirmations(elicitation);
        self
    }

    /// How long a question waits for its answer. Default `None`: as long as its confirmation lives.
    pub fn with_elicitation_timeout(mut self, timeout: Option<Duration>) -> Self {
        self.server = self.server.with_elicitation_timeout(timeout);
        self
    }

    /// Bounds on messages and on what one connection may have under way.
    pub fn with_limits(mut self, limits: ProtocolLimits) -> Self {
        self.server = self.server.with_limits(limits);
        self
    }

    /// How long a client of 2026-07-28 may keep a list of tools. Default 60 seconds.
    pub fn with_list_ttl(mut self, ttl: Duration) -> Self {
        self.server = self.server.with_list_ttl(ttl);
        self
    }

    /// How long calls may take to wind up, and answers to leave, once serving ends. Default 2 seconds.
    ///
    /// When the input ends behind requests that wait because the client does not read, serving goes on until they are
    /// handled, but ends when nothing is read for half of this; the calls have the other half.
    pub fn with_drain(mut self, drain: Duration) -> Self {
        self.drain = drain;
        self
    }

    /// What the audit calls the channel. Default [`Transport::STDIO`].
    pub fn with_transport(mut self, transport: Transport) -> Self {
        self.transport = transport;
        self
    }
}

impl fmt::Debug for StdioOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StdioOptions")
            .field("principal", &self.principal)
            .field("transport", &self.transport)
            .field("drain", &self.drain)
            .finish_non_exhaustive()
    }
}
