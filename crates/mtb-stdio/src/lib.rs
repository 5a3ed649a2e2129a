//! A governed bridge served over MCP's stdio transport, for one principal.
//!
//! Every request whose id can be read gets one definite answer, also when the line is not JSON-RPC, too long, too
//! deep, or when the tool panics. stdout carries the protocol and nothing else. What a client can cost is bounded: an
//! over-long line is looked through and not kept, and what a client that does not read asks for has to wait. It is read
//! ahead by 1 MiB at most, so that the end of its input is seen.
//!
//! What is said is up to `mtb-mcp`, which does no I/O; here is the I/O. It does not decide who the principal is: on
//! stdio that is whoever may start the process, and the host says so. It installs no signal handler and no panic
//! hook; [`shutdown_signal`] is there for binaries that want one.
//!
//! ```
//! use mtb_bridge::{Bridge, ToolRegistry};
//! use mtb_core::Principal;
//! use mtb_mcp::ServerInfo;
//! use mtb_stdio::{Ended, StdioOptions, serve_streams};
//! use tokio::io::{AsyncReadExt, AsyncWriteExt};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let info = ServerInfo { name: "notes".into(), version: "1.0.0".into(), title: None, instructions: None };
//! let options = StdioOptions::new(Principal::new("alice", ["reader"])?, info);
//! let bridge = Bridge::new(ToolRegistry::new());
//!
//! // A binary says `serve_stdio(bridge, options.with_shutdown(shutdown_signal()))`.
//! let (mut client, server) = tokio::io::duplex(1024);
//! let (reader, writer) = tokio::io::split(server);
//! let served = tokio::spawn(serve_streams(bridge, options, reader, writer));
//!
//! client.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").await?;
//! client.shutdown().await?;
//! let mut answer = String::new();
//! client.read_to_string(&mut answer).await?;
//! assert_eq!(answer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
//! assert_eq!(served.await??, Ended::InputEnded);
//! # Ok(())
//! # }
//! ```
//!
//! # How it fails
//! A client that goes away is no failure: see [`Ended`]. A stream that fails otherwise is a [`ServeError`]. Either way
//! the calls in flight are cancelled and the audit has the end of each.

#[cfg(unix)]
mod descriptors;
#[cfg(not(unix))]
#[path = "elsewhere.rs"]
mod descriptors;
mod ended;
mod framing;
mod options;
mod pump;
mod serve;
mod stdio;
mod streams;

pub use ended::{Ended, ServeError};
pub use mtb_mcp::drive::shutdown_signal;
pub use options::StdioOptions;
pub use stdio::serve_stdio;
pub use streams::serve_streams;

pub use mtb_mcp::{Elicitation, ProtocolLimits, ServerInfo};
