//! MCP (Model Context Protocol) spoken by a governed bridge, without any I/O: messages in, messages and calls out.
//!
//! # What it promises
//! - **One definite answer.** Every request whose `id` can be read gets exactly one answer under that id, or none once
//!   it was cancelled: also a tool that panics, a value that no number holds, a message that is too long. A second
//!   request under an id in flight is refused, and the first goes on. A batch of too many messages is refused as one.
//! - **Bounded cost.** A message is scanned once, within its [limits](ProtocolLimits), before anything is built of it.
//!   Calls, questions, subscriptions and batches have limits of their own, and past each there is an answer.
//! - **One principal.** Everything that arrives on a [`Connection`] is done in the name of whoever it was opened for.
//!   A person's answer counts only where the question was asked.
//! - **Schemas as declared.** They reach the client byte for byte.
//!
//! # Why
//! The answer path decides what a model learns and what a person confirms, so it is part of the guard.
//!
//! # What it speaks
//! Of the server's side of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28 what governed tools need:
//! `initialize`, `server/discover`, `ping`, `tools/list`, `tools/call`, `subscriptions/listen`, elicitation,
//! cancellation, progress. Older revisions get what they know; the rest becomes text or is left out.
//!
//! A held call is put to a person by `elicitation/create` or an `input_required` result, where the client can ask.
//! Everywhere else its result carries the token to the host, under [`CONFIRMATION_META_KEY`] in `_meta`.
//!
//! # What it does not do
//! It reads and writes nothing, runs no task and waits for nothing: see `mtb-stdio`. It has no resources, prompts,
//! sampling or completion. It logs nothing.
//!
//! ```
//! use std::sync::Arc;
//!
//! use mtb_bridge::{Bridge, JsonSchema, Tool, ToolRegistry};
//! use mtb_core::{Governance, Principal, Reversibility, Sensitivity, Transport, any_of};
//! use mtb_mcp::{Action, Actions, Connection, ServerInfo, ServerOptions};
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
//! let info = ServerInfo { name: "example".into(), version: "1.0.0".into(), title: None, instructions: None };
//! let options = Arc::new(ServerOptions::new(info));
//! let alice = Principal::new("alice", ["reader"])?;
//! let no_progress = Arc::new(|_task, _progress| {});
//! let mut connection = Connection::new(Bridge::new(registry), alice, Transport::DIRECT, options, no_progress);
//!
//! let mut actions = Actions::new();
//! let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","_meta":{
//!     "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
//! connection.receive(call, &mut actions);
//!
//! let mut sent = Vec::new();
//! while let Some(action) = actions.pop() {
//!     match action {
//!         Action::Send(message) => sent.push(String::from_utf8(message.into_bytes())?),
//!         Action::Start(task) => {
//!             let done = task.work.await;
//!             connection.finished(task.id, done, &mut actions);
//!         }
//!     }
//! }
//! assert_eq!(sent.len(), 1);
//! assert!(sent[0].starts_with(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"#));
//! # Ok(())
//! # }
//! ```
//!
//! # How it fails
//! What is no JSON is -32700, what is no request -32600, an unknown method -32601, whatever is wrong inside `params`
//! -32602, each with a fixed text. What a tool, its arguments or its confirmation did wrong is a result that the model
//! reads. Both quote what the caller named (a tool, a property), cut and without control characters, and never a value.

mod actions;
mod answer;
mod batches;
mod connection;
#[cfg(feature = "drive")]
pub mod drive;
mod era;
mod identity;
mod incoming;
mod message;
mod meta;
mod params;
mod protocol_limits;
mod question;
mod reply_to;
mod rpc_error;
mod running;
mod server_options;
mod task;
mod version;
mod wire;
mod wording;

pub use actions::{Action, Actions};
pub use connection::Connection;
pub use message::{ErrorCode, Message, MessageKind};
pub use meta::{CONFIRMATION_META_KEY, STATUS_META_KEY};
pub use protocol_limits::ProtocolLimits;
pub use server_options::{Elicitation, ServerInfo, ServerOptions};
pub use task::{ProgressOut, Task, TaskDone, TaskId};
