//! A governed bridge over MCP's Streamable HTTP, for many people: each request is served in the name of whoever sent it.
//!
//! # What it promises
//! - **Nobody is let in by default.** [`HttpOptions`] cannot be made without an [`Authenticate`]. It is asked for every
//!   request; when it fails, panics or is slow, the answer is 503.
//! - **One principal's things stay theirs.** Sessions, questions and cancellations are bound to the [`PrincipalId`] that
//!   began them, not to a credential: a refreshed token keeps its session, another person's gets 404.
//! - **No page on the web can use a visitor's machine.** `Host` and `Origin` are checked before anything else.
//! - **What stands beside a message says what stands in it.** A request of 2026-07-28 whose headers differ from it is
//!   refused: version, method, name, and the arguments that a schema marks with `x-mcp-header` (to be let in by
//!   [`JsonSchema::allow_keywords`](mtb_bridge::JsonSchema::allow_keywords)).
//! - **Bounded cost.** Bodies, sessions, streams, requests at a time and requests a minute have limits, each principal's
//!   own, and past each there is an answer.
//! - **The audit shows how calls end.** A client of 2026-07-28 that hangs up cancels its call; an older one does not.
//!
//! [`PrincipalId`]: mtb_core::PrincipalId

mod answers;
mod attended;
pub mod auth;
mod body;
mod gate;
mod headers;
mod legacy_sse;
mod mirrored;
mod options;
mod post;
mod quota;
mod respond;
mod serve;
mod server;
mod session;
mod status;
mod stream;
mod trace;

pub use auth::{
    ApiKey, ApiKeyError, ApiKeyHash, ApiKeys, Authenticate, Denied, Identity, ResourceMetadata, danger, principal_id,
};
#[cfg(feature = "jwt")]
pub use auth::{
    FetchError, FetchKeys, Jwks, JwksTimes, JwtAlgorithm, JwtBearer, JwtBearerError, ResourceServer, RoleClaim,
};
pub use options::{HttpLimits, HttpOptions, HttpOptionsError};
pub use serve::serve_http;
pub use server::{HttpServer, http_router};
