//! A governed bridge as an [`rmcp::ServerHandler`], for hosts that already run the official Rust SDK and its transports.
//!
//! # What it promises
//! Each `tools/call` and `tools/list` that the SDK hands over is served by the protocol layer of `mtb-mcp`, on a
//! connection of its own, in the name of one principal: the same checks, the same carriers, the same wording and the
//! same `_meta` as over `mtb-stdio`. Beyond what the SDK does by itself,
//!
//! - a tool that panics is answered;
//! - a call that is cancelled, or whose client goes away, ends its question too, and has its end in the audit;
//! - `params` of a call that are of a wrong form are told as such, with -32602, and a token that came along is spent;
//! - an integer of more than 64 bits is refused, and so is every number that the SDK may have made of
//!   one (2^64 and more, -2^63 and less);
//! - calls in flight, open questions and subscriptions have the limits of [`ServerOptions`](mtb_mcp::ServerOptions), for
//!   a handler and all its clones together;
//! - a client that does not read holds up neither time-outs nor cancellations, and keeps no place of a call that has
//!   ended: a report of progress that it does not take within 100 ms is left out once there is more to say;
//! - a session is begun by one principal: `initialize` by another, or by nobody that can be told, is refused;
//! - a session is told of changes that whoever began it can see, and of no others.
//!
//! [`BridgeHandler`] takes the place of a host's own `ServerHandler`: it has tools, and no resources or prompts.
//!
//! # Why
//! The SDK's transports are there, and hosts have reasons to keep them. What it does to a request before anybody can
//! look at it stays as it is: use `mtb-stdio` where that matters.
//!
//! # What the SDK's transports do not protect
//! All but four of these (unread answers, dropped streams, wrong `params` of `subscriptions/listen`, features of
//! `serde_json`) have a test in `tests/rmcp`, which fails when a release of the SDK changes it.
//!
//! | input | what comes of it |
//! |---|---|
//! | two requests under one id in flight | both run; the first to end is answered and cancels the other |
//! | an envelope that is wrong (`jsonrpc`, `id`, `method`, `params` or `_meta` of a wrong type) | -32600 without the id: the caller waits |
//! | what its reader cannot read (no JSON, `1e400`, more than 128 levels), also with an id | no answer |
//! | a batch, where 2025-03-26 has them | -32600 without an id |
//! | a notification or a response before `initialize` | the server ends |
//! | a request of 2026-07-28, then `initialize` | is answered, but what follows has to describe itself |
//! | a cursor that is no text, `"arguments": null` | as if it were not there |
//! | `initialize` or `subscriptions/listen` with wrong `params` | -32601 |
//! | a key given twice in the arguments | the last one counts |
//! | a schema | keeps its meaning, not its text |
//! | the end of the input while a call runs | its handler is told five seconds later |
//! | a message past the limit | is read whole, at many times its size, before it is refused |
//! | answers that the client does not read | are kept, all of them: nothing tells when they have left |
//! | logs at `DEBUG`, notifications at `INFO`, and errors at `WARN` (the name of a tool that nobody has) | hold content |
//! | arguments of a host whose `serde_json` has the features `raw_value` or `arbitrary_precision` switched on | members with one of its own names (`$serde_json::private::…`) are read as something else |
//! | HTTP: another person's answer in a session | is taken, so nothing is asked there unless the host [says](SessionQuestions) that it guards sessions |
//! | HTTP: another person's `notifications/cancelled` in a session | cancels the call |
//! | HTTP: another person's `GET` with a `Last-Event-ID`, or `DELETE`, in a session | takes its answers, or ends it |
//! | HTTP: a client that drops the stream of its request | the call goes on |
//!
//! ```
//! use mtb_bridge::{Bridge, JsonSchema, Tool, ToolRegistry};
//! use mtb_core::{Governance, Principal, Reversibility, Sensitivity, any_of};
//! use mtb_mcp::{ServerInfo, ServerOptions};
//! use mtb_rmcp::BridgeHandler;
//! use rmcp::ServiceExt as _;
//! use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, duplex};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let governance = Governance {
//!     sensitivity: Sensitivity::None,
//!     reversibility: Reversibility::Reversible,
//!     roles: any_of(["reader"]),
//! };
//! let ping = Tool::declare("ping", "Answers.", JsonSchema::no_arguments(), governance);
//! let registry = ToolRegistry::new();
//! registry.register(ping.handler(|_arguments, _call| async { Ok("pong") }))?;
//!
//! let alice = Principal::new("alice", ["reader"])?;
//! let info = ServerInfo { name: "example".into(), version: "1.0.0".into(), title: None, instructions: None };
//! let handler = BridgeHandler::for_principal(Bridge::new(registry), alice, ServerOptions::new(info));
//!
//! // Any transport of the SDK; here its lines, over a pipe.
//! let (client, server) = duplex(4096);
//! tokio::spawn(async move {
//!     if let Ok(running) = handler.serve(server).await {
//!         running.waiting().await.ok();
//!     }
//! });
//!
//! let (reader, mut writer) = tokio::io::split(client);
//! let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","_meta":{
//!     "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
//! writer.write_all(format!("{}\n", call.replace('\n', " ")).as_bytes()).await?;
//! let answer = BufReader::new(reader).lines().next_line().await?.ok_or("an answer")?;
//! assert!(answer.contains(r#""text":"pong""#), "{answer}");
//! # Ok(())
//! # }
//! ```
//!
//! # How it fails
//! A request whose principal cannot be told is refused with -32603, and nothing is done. What the SDK's types cannot
//! carry is -32603 too. Everything else is as `mtb-mcp` says.

mod handler;
mod message;
mod open;
mod relay;
mod who;

pub use handler::{BridgeHandler, SessionQuestions};
