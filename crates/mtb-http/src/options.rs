use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use mtb_core::Transport;
use mtb_mcp::ServerOptions;
use thiserror::Error;

use crate::auth::Authenticate;
use crate::gate::Gate;
use crate::legacy_sse;

/// Whom a server lets in, where, and how much of it.
///
/// There is no way to make them without saying who is let in. This compiles, and without its `ApiKeys` it does not:
///
/// ```
/// use mtb_http::{ApiKeys, HttpOptions};
/// use mtb_mcp::{ServerInfo, ServerOptions};
///
/// let info = ServerInfo { name: "billing".into(), version: "1.0.0".into(), title: None, instructions: None };
/// let options = HttpOptions::new(ServerOptions::new(info), ApiKeys::new())
///     .with_hosts(["mcp.example.com"])?
///     .with_origins(["https://app.example.com"])?;
/// // The names of this machine are known already; everything else is declared, name by name.
/// assert!(options.with_hosts(["*.example.com"]).is_err());
/// # Ok::<(), mtb_http::HttpOptionsError>(())
/// ```
///
/// ```compile_fail
/// # use mtb_http::HttpOptions;
/// # use mtb_mcp::{ServerInfo, ServerOptions};
/// # let info = ServerInfo { name: "billing".into(), version: "1.0.0".into(), title: None, instructions: None };
/// let options = HttpOptions::new(ServerOptions::new(info));
/// ```
#[derive(Clone)]
#[must_use = "options do nothing until they are served"]
pub struct HttpOptions {
    pub(crate) server: ServerOptions,
    pub(crate) authenticate: Arc<dyn Authenticate>,
    pub(crate) transport: Transport,
    pub(crate) path: String,
    pub(crate) health: Option<String>,
    pub(crate) legacy_sse: bool,
    pub(crate) gate: Gate,
    pub(crate) limits: HttpLimits,
    pub(crate) drain: Duration,
}

/// Bounds on what one principal, and all of them together, may cost. Past each of them there is a definite answer.
///
/// ```
/// use std::time::Duration;
///
/// use mtb_http::HttpLimits;
///
/// let limits = HttpLimits { requests: 16, session_age: Duration::from_secs(60 * 60), ..HttpLimits::default() };
/// assert_eq!((limits.requests, limits.requests_per_minute.get()), (16, 600));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpLimits {
    /// Longest that finding out who calls may take; then 503. Default 5 s.
    pub authentication: Duration,
    /// Longest that the body of a request may take to arrive; then 408. Default 30 s.
    pub body: Duration,
    /// Requests of one principal in a minute, which may come at once; then 429. Default 600.
    pub requests_per_minute: NonZeroU32,
    /// Requests of one principal that are served at the same time, each of a batch counted, until their answers have been
    /// handed on; then 429. As many bodies may be on their way. Default 256.
    pub requests: usize,
    /// Streams of one principal that tell of changes; then 429. Default 16.
    pub streams: usize,
    /// Sessions of one principal. Past it the one that was idle for the longest time ends. Default 64.
    pub sessions_of_one: usize,
    /// Sessions in all. Past it whoever has most loses the idlest to whoever has fewer; else 503. Default 10,000.
    pub sessions: usize,
    /// A session that was not used for so long ends. Default 30 minutes.
    pub session_idle: Duration,
    /// No session lives longer. Default 24 hours.
    pub session_age: Duration,
    /// How often a stream without news shows that it lives. Default 15 s.
    pub keep_alive: Duration,
    /// Connections that [`serve_http`](crate::serve_http) keeps at the same time; others wait. Default 4,096.
    pub connections: usize,
    /// Longest that the head of a request may take to arrive, and that a connection may take nothing of what is sent to
    /// it; then [`serve_http`](crate::serve_http) closes it. Default 30 s.
    pub stalled: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            authentication: Duration::from_secs(5),
            body: Duration::from_secs(30),
            requests_per_minute: NonZeroU32::MIN.saturating_add(599),
            requests: 256,
            streams: 16,
            sessions_of_one: 64,
            sessions: 10_000,
            session_idle: Duration::from_secs(30 * 60),
            session_age: Duration::from_secs(24 * 60 * 60),
            keep_alive: Duration::from_secs(15),
            connections: 4_096,
            stalled: Duration::from_secs(30),
        }
    }
}

impl HttpOptions {
    /// What clients are told of the server, and is not so: they would be refused without knowing why.
    pub(crate) fn contradictions(&self) -> Vec<String> {
        let Some(metadata) = self.authenticate.metadata() else { return Vec::new() };
        let (host, path) = metadata.resource();
        let unknown = (!self.gate.is_ours(host)).then(|| {
            format!("`{host}` of the resource is refused as a name of this server: declare it by `with_hosts`")
        });
        let elsewhere = (path != self.path.trim_end_matches('/')).then(|| {
            let is = &self.path;
            format!(
                "the resource is at `{path}`, and this server at `{is}`: say so by `with_path`, unless a proxy does"
            )
        });
        unknown.into_iter().chain(elsewhere).collect()
    }
}

/// Why an option cannot be used. `Debug` gives the same text as `Display`.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HttpOptionsError {
    /// Not the name of a host.
    #[error("`{0}` is no host; write `mcp.example.com` or `mcp.example.com:8443`, each name by itself")]
    Host(String),
    /// Not an origin.
    #[error("`{0}` is no origin; write `https://app.example.com`, without a path, each one by itself")]
    Origin(String),
    /// Not a path.
    #[error("`{0}` is no path; write `/mcp`, without parameters and not `/` alone")]
    Path(String),
    /// Something else is there.
    #[error("`{0}` is taken: by the endpoint, by the health of the server, or by what clients look for at that place")]
    TakenPath(String),
}

impl fmt::Debug for HttpOptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl HttpOptions {
    /// A server that speaks like this to whomever `authenticate` knows. It answers at `/mcp`, under names of this
    /// machine only.
    pub fn new(server: ServerOptions, authenticate: impl Authenticate) -> Self {
        Self {
            server,
            authenticate: Arc::new(authenticate),
            transport: Transport::named("http"),
            path: "/mcp".to_owned(),
            health: None,
            legacy_sse: false,
            gate: Gate::loopback(),
            limits: HttpLimits::default(),
            drain: Duration::from_secs(2),
        }
    }

    /// The names under which clients may address the server, beside those of this machine: `mcp.example.com` at any
    /// port, or `mcp.example.com:8443`. Others are answered with 403.
    ///
    /// # Errors
    /// When one of them is no name of a host.
    pub fn with_hosts(mut self, hosts: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, HttpOptionsError> {
        self.gate.add_hosts(hosts).map_err(HttpOptionsError::Host)?;
        Ok(self)
    }

    /// The origins whose pages may address the server, beside those of this machine: `https://app.example.com`. Others
    /// are answered with 403; what is no page says no origin. Their browsers ask for more than that: answers to their
    /// preflights (CORS) are the host's or its proxy's.
    ///
    /// # Errors
    /// When one of them is no origin.
    pub fn with_origins(
        mut self,
        origins: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, HttpOptionsError> {
        self.gate.add_origins(origins).map_err(HttpOptionsError::Origin)?;
        Ok(self)
    }

    /// Where the server answers. Default `/mcp`.
    ///
    /// # Errors
    /// When it is no path, or has parameters.
    pub fn with_path(mut self, path: &str) -> Result<Self, HttpOptionsError> {
        self.path = free(path, self.health.as_deref())?;
        Ok(self)
    }

    /// Answers `GET` at this path with 200 and nothing else, to anybody who addresses the server by one of its names: a
    /// probe that asks by an address has to say `Host: localhost`. Default: there is no such place.
    ///
    /// # Errors
    /// When it is no path, or has parameters.
    pub fn with_health(mut self, path: &str) -> Result<Self, HttpOptionsError> {
        self.health = Some(free(path, Some(&self.path))?);
        Ok(self)
    }

    /// Serves clients of HTTP+SSE, too, the transport of 2024-11-05 that later revisions deprecate: at `/sse` and
    /// `/messages`, beside what is served otherwise. Whom it lets in and what that may cost is the same. Default: not.
    pub fn with_legacy_sse(mut self, legacy_sse: bool) -> Self {
        self.legacy_sse = legacy_sse;
        self
    }

    /// Bounds on what principals may cost.
    pub fn with_limits(mut self, limits: HttpLimits) -> Self {
        self.limits = limits;
        self
    }

    /// How long requests may take to end once the server shuts down. Default 2 seconds.
    pub fn with_drain(mut self, drain: Duration) -> Self {
        self.drain = drain;
        self
    }

    /// What the audit calls the channel. Default `http`.
    pub fn with_transport(mut self, transport: Transport) -> Self {
        self.transport = transport;
        self
    }

    /// The bounds.
    #[must_use]
    pub fn limits(&self) -> &HttpLimits {
        &self.limits
    }
}

/// A path at which nothing else is.
fn free(path: &str, taken: Option<&str>) -> Result<String, HttpOptionsError> {
    let path = checked(path)?;
    let reserved = [legacy_sse::STREAM, legacy_sse::MESSAGES].contains(&&*path) || path.starts_with("/.well-known/");
    if reserved || taken == Some(&path) { Err(HttpOptionsError::TakenPath(path)) } else { Ok(path) }
}

fn checked(path: &str) -> Result<String, HttpOptionsError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '~');
    let fits = path.starts_with('/') && path.len() > 1 && !path.contains("//") && path.chars().all(is_plain);
    if fits { Ok(path.to_owned()) } else { Err(HttpOptionsError::Path(path.to_owned())) }
}

/// Shows nothing of who is let in.
impl fmt::Debug for HttpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpOptions")
            .field("path", &self.path)
            .field("gate", &self.gate)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{HttpOptionsError, checked, free};

    #[test]
    fn a_path_is_for_one_thing() {
        for path in ["/sse", "/messages", "/.well-known/oauth-protected-resource", "/health"] {
            assert_eq!(free(path, Some("/health")), Err(HttpOptionsError::TakenPath(path.to_owned())));
        }
        assert_eq!(free("/health", Some("/mcp")).as_deref(), Ok("/health"));
        assert!(matches!(free("health", None), Err(HttpOptionsError::Path(_))));
    }

    #[test]
    fn a_path_is_plain() {
        for path in ["", "/", "mcp", "/mcp?x", "/{mcp}", "/a b", "//mcp", "/a//b", "/*"] {
            assert!(checked(path).is_err(), "{path}");
        }
        for path in ["/mcp", "/v1/mcp", "/a-b_c.d~e/"] {
            assert_eq!(checked(path).as_deref(), Ok(path));
        }
    }
}
