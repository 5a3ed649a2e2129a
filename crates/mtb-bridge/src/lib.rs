//! The one path of a governed tool call.
//!
//! A [`Tool`] is a declaration plus a handler that nobody can reach. A [`Bridge`] lists tools only to those who may
//! use them, and runs a call only after access, validation, confirmation and an audit record, in this order. The
//! steps are private types, one for each state, each made only by the step before it; only the last can run a
//! handler. There is no other way in.
//!
//! It does not speak a protocol: `mtb-mcp` does. It does not know people: the host does, and calls
//! [`Bridge::execute_confirmed`] or [`Bridge::revoke_confirmation`] once somebody has decided.
//!
//! ```
//! use mtb_bridge::{Bridge, CallOutcome, CallRequest, JsonSchema, Tool, ToolRegistry};
//! use mtb_core::{Governance, Principal, Reversibility, Sensitivity, any_of};
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let schema = JsonSchema::value(json!({
//!     "type": "object",
//!     "properties": {"invoiceId": {"type": "string", "pattern": "^INV-[0-9]+$"}},
//!     "required": ["invoiceId"],
//!     "additionalProperties": false,
//! }));
//! let governance = Governance {
//!     sensitivity: Sensitivity::High,
//!     reversibility: Reversibility::Irreversible, // an email cannot be unsent
//!     roles: any_of(["billing"]),
//! };
//! let send_invoice = Tool::declare("send_invoice", "Emails an invoice to its customer.", schema, governance)
//!     .summarize(|args| format!("Email invoice {}", args.string("invoiceId").unwrap_or("?")))
//!     .handler(|args, _call| async move { Ok(format!("Invoice {} sent.", args.string("invoiceId")?)) });
//!
//! let registry = ToolRegistry::new();
//! registry.register(send_invoice)?;
//! let bridge = Bridge::new(registry);
//!
//! let alice = Principal::new("alice", ["billing"])?;
//! let call = CallRequest::new("send_invoice", json!({"invoiceId": "INV-12"}));
//! let CallOutcome::ConfirmationRequired { confirmation, .. } = bridge.call_tool(&alice, call).await else {
//!     panic!("a high-sensitivity call is held");
//! };
//! assert_eq!(confirmation.summary, "Email invoice INV-12");
//!
//! // Once a person has said yes in the host's own interface:
//! let outcome = bridge.execute_confirmed(&alice, confirmation.token.expose()).await;
//! assert_eq!(outcome.status(), "ok");
//! # Ok(())
//! # }
//! ```
//!
//! # How it fails
//! Every end of a call is a [`CallOutcome`], never an `Err` and never a panic. Declarations fail together, in one
//! [`DefinitionError`](mtb_core::DefinitionError), before anything is registered.
//!
//! # Features
//! - `schemars`: argument schemas derived from Rust types.

mod arguments;
mod bridge;
mod call;
mod clock;
mod content;
mod handler;
mod host_context;
mod listing;
mod outcome;
mod path;
mod registry;
mod request;
mod result;
mod review;
mod tool;
mod tool_error;
mod warning;

#[cfg(feature = "schemars")]
pub use arguments::Typed;
pub use arguments::{ArgumentSource, Arguments, JsonSchema, MissingArgument};
pub use bridge::{Bridge, BridgeBuilder, BridgeLimits, ContextError};
pub use call::{Call, Progress, ProgressSink};
pub use clock::{Clock, SystemClock};
pub use content::{ContentBlock, ResourceContents, ResourceLink};
pub use handler::HandlerError;
pub use host_context::{HostContext, IntoTool};
pub use listing::ListedTool;
pub use outcome::{CallOutcome, Confirmation, Failure, Rejection, Summary};
pub use registry::{Subscription, ToolRegistry};
pub use request::{CallOptions, CallRequest, RawArguments};
pub use result::{ToolResult, json, text};
pub use review::ReviewTable;
pub use tool::{Tool, ToolBuilder, ToolDraft};
pub use tool_error::ToolError;

pub use mtb_audit::{DeclineDetail, WithdrawDetail};
pub use mtb_guard::Carrier;
pub use tokio_util::sync::CancellationToken;
