use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{MethodRouter, any, get};
use http::request::Parts;
use http::{Method, StatusCode};
use mtb_bridge::Bridge;
use mtb_core::Transport;
use mtb_mcp::drive::{Caller, Handshake};
use mtb_mcp::{Elicitation, ServerOptions};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::admission::Guest;
use crate::auth::{Authenticate, Identity};
use crate::gate::{Found, Gate, only};
use crate::headers::{Accepts, SESSION_ID, Spoken, spoken};
use crate::options::{HttpLimits, HttpOptions};
use crate::quota::{Place, Places, Rate};
use crate::session::{Session, Sessions};
use crate::stream::Over;
use crate::{legacy_sse, status, stream, trace};

/// A bridge, served over HTTP: mount its [`router`](Self::router), and [`shut_down`](Self::shut_down) when the host
/// does. [`serve_http`](crate::serve_http) does both.
///
/// Shut it down within axum's own shutdown, not after it: axum waits for open streams, and nothing else ends those.
///
/// ```
/// use axum::Router;
/// use axum::routing::get;
/// use mtb_bridge::{Bridge, ToolRegistry};
/// use mtb_http::{ApiKeys, HttpOptions, HttpServer};
/// use mtb_mcp::{ServerInfo, ServerOptions};
/// use tokio::net::TcpListener;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let info = ServerInfo { name: "orders".into(), version: "1.0.0".into(), title: None, instructions: None };
/// let options = HttpOptions::new(ServerOptions::new(info), ApiKeys::new());
/// let mcp = HttpServer::new(Bridge::new(ToolRegistry::<()>::new()), options);
/// let app = Router::new().route("/hello", get(|| async { "Hello" })).merge(mcp.router());
///
/// let listener = TcpListener::bind("127.0.0.1:0").await?;
/// # let address = listener.local_addr()?;
/// let (stop, stopped) = tokio::sync::oneshot::channel::<()>(); // or `shutdown_signal()`
/// let ending = async move {
///     let _ = stopped.await;
///     mcp.shut_down().await;
/// };
/// let serving = tokio::spawn(axum::serve(listener, app).with_graceful_shutdown(ending).into_future());
/// # use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
/// # let mut asked = tokio::net::TcpStream::connect(address).await?;
/// # asked.write_all(b"POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await?;
/// # let mut answer = String::new();
/// # asked.read_to_string(&mut answer).await?;
/// // Whoever posts to `/mcp` without a key is not let in.
/// assert!(answer.starts_with("HTTP/1.1 401"));
/// stop.send(()).map_err(|()| "it has ended")?;
/// serving.await??;
/// # Ok(())
/// # }
/// ```
pub struct HttpServer<C> {
    inner: Arc<Inner<C>>,
}

/// What all requests have in common.
pub(crate) struct Inner<C> {
    pub(crate) bridge: Bridge<C>,
    pub(crate) limits: HttpLimits,
    pub(crate) server: Arc<ServerOptions>,
    /// The same, for clients that read one message only.
    not_asking: Arc<ServerOptions>,
    transport: Transport,
    pub(crate) authenticate: Arc<dyn Authenticate>,
    gate: Gate,
    path: String,
    health: Option<String>,
    legacy_sse: bool,
    pub(crate) rate: Rate,
    requests: Places,
    /// Bodies that are on their way.
    pub(crate) bodies: Places,
    pub(crate) streams: Places,
    pub(crate) sessions: Sessions,
    /// Everything that outlives the request it began with.
    pub(crate) tasks: TaskTracker,
    /// Cancelled when nothing new is to begin.
    pub(crate) closing: CancellationToken,
    /// Cancelled when what is under way has had its time.
    pub(crate) abort: CancellationToken,
    pub(crate) drain: Duration,
}

/// The router of a bridge, for a host that needs no orderly shutdown. Open streams hold up one of axum's until their
/// clients hang up; [`HttpServer`] ends them.
///
/// The runtime that serves it has to be tokio's.
pub fn http_router<C: Send + Sync + 'static>(bridge: Bridge<C>, options: HttpOptions) -> Router {
    HttpServer::new(bridge, options).router()
}

impl<C: Send + Sync + 'static> HttpServer<C> {
    /// Serves nothing until its router is mounted.
    #[must_use]
    pub fn new(bridge: Bridge<C>, options: HttpOptions) -> Self {
        for contradiction in options.contradictions() {
            tracing::warn!("{contradiction}");
        }
        let HttpOptions { server, authenticate, transport, path, health, legacy_sse, gate, limits, drain } = options;
        let not_asking = server.clone().with_elicit_confirmations(Elicitation::Off);
        let inner = Inner {
            bridge,
            server: Arc::new(server),
            not_asking: Arc::new(not_asking),
            transport,
            authenticate,
            gate,
            path,
            health,
            legacy_sse,
            rate: Rate::per_minute(limits.requests_per_minute),
            requests: Places::for_each(limits.requests),
            bodies: Places::for_each(limits.requests),
            streams: Places::for_each(limits.streams),
            sessions: Sessions::within(limits.clone()),
            limits,
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
            abort: CancellationToken::new(),
            drain,
        };
        Self { inner: Arc::new(inner) }
    }

    /// Its routes, to be merged into the host's: the well-known places that tell clients where tokens are to be had begin
    /// at the root. All of them are behind the checks of `Host` and `Origin`.
    pub fn router(&self) -> Router {
        let mut router = Router::new().route(&self.inner.path, self.at(Inner::endpoint));
        if self.inner.legacy_sse {
            router = router.route(legacy_sse::STREAM, self.at(Inner::legacy_stream));
            router = router.route(legacy_sse::MESSAGES, self.at(Inner::legacy_message));
        }
        if let Some(health) = &self.inner.health {
            router = router.route(health, get(|| async { StatusCode::OK }));
        }
        if let Some(metadata) = self.inner.authenticate.metadata() {
            for place in metadata.places() {
                let document = metadata.document().to_owned();
                router = router.route(&place, get(|| async move { status::document(document) }));
            }
        }
        let inner = Arc::clone(&self.inner);
        router.layer(from_fn(move |request: Request, next: Next| {
            let inner = Arc::clone(&inner);
            async move { inner.admit(request, next).await }
        }))
    }

    /// What is served at a place.
    fn at<F: Future<Output = Response> + Send + 'static>(
        &self,
        serve: fn(Arc<Inner<C>>, Parts, Body) -> F,
    ) -> MethodRouter {
        let inner = Arc::clone(&self.inner);
        any(move |request: Request| {
            let inner = Arc::clone(&inner);
            async move {
                let (head, body) = request.into_parts();
                trace::traced(&head.method.clone(), serve(inner, head, body)).await
            }
        })
    }

    /// Begins nothing new, ends streams, gives what is under way the drain, and cancels what is left. It is over when
    /// everything has ended and is recorded, or after twice that time.
    pub async fn shut_down(&self) {
        self.close();
        // What is too slow is told so, and then left.
        let _ = timeout(self.inner.drain, self.inner.tasks.wait()).await;
        self.inner.abort.cancel();
        let _ = timeout(self.inner.drain, self.inner.tasks.wait()).await;
    }

    pub(crate) fn close(&self) {
        self.inner.closing.cancel();
        self.inner.tasks.close();
    }

    /// Whether this is the path of the endpoint.
    pub(crate) fn is_at(&self, path: &str) -> bool {
        self.inner.path == path
    }

    /// The same as the router's answer at the path of the endpoint.
    pub(crate) fn answer(&self, request: Request) -> impl Future<Output = Response> + Send + use<C> {
        let inner = Arc::clone(&self.inner);
        async move {
            let (mut head, body) = request.into_parts();
            let mut response = match inner.gate.check(&head) {
                Ok(()) => trace::traced(&head.method, inner.serve(&head, body)).await,
                Err(which) => status::foreign(which),
            };
            // hyper reads the next request into the room that the headers of an answer had.
            let mut headers = std::mem::take(&mut head.headers);
            headers.clear();
            headers.extend(std::mem::take(response.headers_mut()));
            *response.headers_mut() = headers;
            response
        }
    }

    pub(crate) fn inner(&self) -> &Inner<C> {
        &self.inner
    }
}

impl<C: Send + Sync + 'static> Inner<C> {
    /// Before anything else, whatever the path.
    async fn admit(&self, request: Request, next: Next) -> Response {
        let (head, body) = request.into_parts();
        match self.gate.check(&head) {
            Ok(()) => next.run(Request::from_parts(head, body)).await,
            Err(which) => status::foreign(which),
        }
    }

    async fn endpoint(self: Arc<Self>, head: Parts, body: Body) -> Response {
        self.serve(&head, body).await
    }

    async fn serve(self: Arc<Self>, head: &Parts, body: Body) -> Response {
        if !matches!(head.method, Method::POST | Method::GET | Method::DELETE) {
            return status::not_allowed("POST, GET, DELETE");
        }
        let guest = match self.welcome(head).await {
            Ok(guest) => guest,
            Err(refusal) => return *refusal,
        };
        match head.method {
            Method::POST => self.post(head, body, guest).await,
            Method::GET => self.get(head, guest),
            _ => self.delete(head, &guest),
        }
    }

    /// The stream on which a session is told of changes.
    fn get(&self, head: &Parts, guest: Guest) -> Response {
        let session = match self.session(head, &guest) {
            Ok(session) => session,
            Err(refusal) => return *refusal,
        };
        if !Accepts::of(&head.headers).events {
            return status::events_needed();
        }
        let Some(place) = self.streams.take(guest.principal().id()) else { return status::too_many_streams() };
        let principal = guest.principal().clone();
        let ended = session.stream();
        let over = self.while_open(guest.identity, &session, ended.clone());
        let closing = self.closing.clone();
        let over = Box::pin(async move {
            tokio::select! {
                () = over => {}
                () = closing.cancelled() => {}
            }
        });
        let changes = stream::of_changes(self.bridge.clone(), principal, over, (ended.drop_guard(), place));
        stream::events(changes, self.limits.keep_alive)
    }

    /// When a stream of a session ends: with its credential, with its session, or when this is cancelled.
    pub(crate) fn while_open(&self, identity: Identity, session: &Arc<Session>, ended: CancellationToken) -> Over {
        let over = stream::over(identity, Arc::clone(self.bridge.clock()), ended);
        let session = Arc::clone(session);
        Box::pin(async move {
            tokio::select! {
                () = over => {}
                () = session.grow_old() => {}
            }
        })
    }

    fn delete(&self, head: &Parts, guest: &Guest) -> Response {
        match self.session(head, guest) {
            Ok(session) => {
                self.sessions.end(&session);
                status::plain(StatusCode::OK, "The session has ended.")
            }
            Err(refusal) => *refusal,
        }
    }

    /// The session that a request without a message is about.
    fn session(&self, head: &Parts, guest: &Guest) -> Result<Arc<Session>, Box<Response>> {
        let refusal = match (spoken(&head.headers), only(&head.headers, &SESSION_ID)) {
            (Spoken::Modern, _) => status::not_allowed("POST"),
            (Spoken::Unknown, _) => status::unknown_version(),
            (_, Found::One(id)) => match self.sessions.find(id, guest.principal().id()) {
                Some(session) => return Ok(session),
                None => status::no_such_session(),
            },
            (_, Found::Nothing | Found::Unusable) => status::session_needed(),
        };
        Err(Box::new(refusal))
    }

    /// A new session, if there is room.
    pub(crate) fn begin(&self, guest: &Guest, handshake: Option<Handshake>) -> Result<Arc<Session>, Box<Response>> {
        let begun = self.sessions.begin(guest.principal().id(), handshake, self.abort.child_token());
        begun.map_err(|_| {
            let text = "There is no room for another session. Nothing was done.";
            Box::new(status::later(StatusCode::SERVICE_UNAVAILABLE, text, Duration::from_secs(5)))
        })
    }

    /// Room for so many requests that came as one, the first of which has been counted.
    pub(crate) fn place(&self, guest: &Guest, requests: usize) -> Result<Arc<Place>, Box<Response>> {
        let principal = guest.principal().id();
        self.rate.take(principal, requests.saturating_sub(1)).map_err(|wait| Box::new(status::too_early(wait)))?;
        let place = self.requests.take_several(principal, requests);
        place.map(Arc::new).ok_or_else(|| Box::new(status::too_many()))
    }

    /// In whose name a message is served.
    pub(crate) fn caller(&self, guest: &Guest, handshake: Option<Handshake>, accepts: Accepts) -> Caller<C> {
        Caller {
            bridge: self.bridge.clone(),
            principal: guest.principal().clone(),
            transport: self.transport,
            options: Arc::clone(if accepts.events || handshake.is_none() { &self.server } else { &self.not_asking }),
            handshake,
        }
    }
}

impl<C> Clone for HttpServer<C> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

/// Shows nothing of the bridge, or of who is let in.
impl<C> fmt::Debug for HttpServer<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServer").field("path", &self.inner.path).finish_non_exhaustive()
    }
}
