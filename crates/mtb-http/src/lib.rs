//! A governed bridge over MCP's Streamable HTTP, for many people: each request is served in the name of whoever sent it.
//!
//! # What it promises
//! - **Nobody is let in by default.** [`HttpOptions`] cannot be made without an [`Authenticate`]. It is asked for every
//!   request; when it fails, panics or is slow, the answer is 503.
//! - **One principal's things stay theirs.** Sessions, questions and cancellations are bound to the [`PrincipalId`] that
//!   began them, not to a credential: a refreshed token keeps its session, another person's gets 404.
//! - **No page on the web can use a visitor's machine.** `Host` and `Origin` are checked before anything else; where a
//!   browser sends no `Origin`, `Sec-Fetch-Site` is.
//! - **What stands beside a message says what stands in it.** A request of 2026-07-28 whose headers differ from it is
//!   refused: version, method, name, and the arguments that a schema marks with `x-mcp-header` (to be let in by
//!   [`JsonSchema::allow_keywords`](mtb_bridge::JsonSchema::allow_keywords)).
//! - **Bounded cost.** Bodies, sessions, streams, requests at a time and requests a minute have limits, each principal's
//!   own, and past each there is an answer.
//! - **The audit shows how calls end.** A client of 2026-07-28 that hangs up cancels its call; an older one does not.
//!
//! # Why
//! Servers for one person trust whoever started them. A server for many has to know with every request who sends it, and
//! keep apart what belongs to different people, also where the protocol lets anybody say the id of a session or of a
//! question.
//!
//! # What it does not do
//! - No TLS: [`serve_http`] is for clients on the same machine or a proxy in front of it, which then is what `Host` and
//!   `Origin` are believed of.
//! - It issues no tokens, and asks no issuer whether a token was revoked: `JwtBearer` takes what is signed and not expired.
//! - Streams are not resumed. What was missed is gone; the audit knows how the call ended.
//! - What it counts is in the memory of one process: rates, sessions and confirmations, unless the bridge has another
//!   store for those.
//!
//! # Example
//! ```
//! use mtb_bridge::{Bridge, ToolRegistry};
//! use mtb_core::Principal;
//! use mtb_http::{ApiKey, ApiKeys, HttpOptions, serve_http};
//! use mtb_mcp::{ServerInfo, ServerOptions};
//! use tokio::net::TcpListener;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (keys, key) = (ApiKeys::new(), ApiKey::generate()?);
//! keys.add(key.hash(), Principal::new("ada", ["support"])?, None);
//! let info = ServerInfo { name: "orders".into(), version: "1.0.0".into(), title: None, instructions: None };
//! let options = HttpOptions::new(ServerOptions::new(info), keys);
//!
//! let listener = TcpListener::bind("127.0.0.1:0").await?;
//! let address = listener.local_addr()?;
//! let (stop, stopped) = tokio::sync::oneshot::channel::<()>(); // or `shutdown_signal()`
//! let bridge = Bridge::new(ToolRegistry::<()>::new());
//! let serving = tokio::spawn(serve_http(bridge, options, listener, async { drop(stopped.await) }));
//! # use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
//! # let mut asked = tokio::net::TcpStream::connect(address).await?;
//! # asked.write_all(b"POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await?;
//! # let mut answer = String::new();
//! # asked.read_to_string(&mut answer).await?;
//! // Whoever posts to it without a key is not let in.
//! assert!(answer.starts_with("HTTP/1.1 401"));
//! drop(stop);
//! serving.await?;
//! # Ok(())
//! # }
//! ```
//!
//! # How it fails
//! What is wrong with a request is its answer: 400 with a JSON-RPC error where there is a message to answer, 401 and 403
//! with a challenge, 404 for a session that is not this principal's, 405, 406, 408, 413 and 415 as they mean, 429 with
//! `Retry-After` past a limit, 503 where it cannot be found out who calls, where there is no room, or while the server
//! shuts down. Nothing was done then. Options that cannot be meant are errors when they are made.
//!
//! Credentials that lapse while a request is served end it, in 2026-07-28. What a session has under way goes on, and is
//! not told to them: the stream ends, or the answer is 403 without a challenge where only JSON is accepted.
//!
//! # Features
//! - `jwt`: access tokens of an authorization server (`JwtBearer`), with the keys of their issuer over TLS (`Jwks`).
//!
//! [`PrincipalId`]: mtb_core::PrincipalId

mod admission;
mod answers;
mod attended;
pub mod auth;
mod body;
mod gate;
mod headers;
mod legacy_sse;
mod mirrored;
mod options;
mod pieces;
mod post;
mod quota;
mod respond;
mod serve;
mod server;
mod session;
mod status;
mod stream;
mod trace;

#[doc(inline)]
pub use auth::{
    ApiKey, ApiKeyError, ApiKeyHash, ApiKeys, Authenticate, Denied, Identity, ResourceMetadata, danger, principal_id,
};
#[cfg(feature = "jwt")]
#[doc(inline)]
pub use auth::{
    FetchError, FetchKeys, Jwks, JwksTimes, JwtAlgorithm, JwtBearer, JwtBearerError, ResourceServer, RoleClaim,
};
pub use mtb_mcp::drive::shutdown_signal;
pub use options::{HttpLimits, HttpOptions, HttpOptionsError};
pub use serve::serve_http;
pub use server::{HttpServer, http_router};
