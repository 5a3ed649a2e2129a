//! Existing code under governance, without rewriting it.
//!
//! - [`Envelope`] reads the result envelopes of older code, such as `{ success, data, error }`: a failed one becomes a
//!   [`ToolError`](mtb_bridge::ToolError) that the model reads, a successful one becomes the answer.
//! - [`adapt`] and [`adapt_blocking`] wrap an existing function into a handler: the arguments are mapped to what it
//!   expects, and what it returns is mapped to an answer. Its own errors are for the operator only.
//! - [`import_definitions`] turns tool definitions written for an LLM API and one dispatcher into tools. What those
//!   formats do not say is said in a [`GovernanceTable`], for every tool: when one is unclassified, none starts.
//!   [`import_definitions_with`] takes [`ImportOptions`] for schemas that need a widening and for what a person reads
//!   before a call runs, and [`check_definitions`] reports what an import would refuse, before anything is classified.
//!
//! # Why
//! Most tools exist already, with their own input shape, their own way of reporting failure and definitions that say
//! nothing about harm or roles. Rewriting them is where governance projects end.
//!
//! # What it does not do
//! It gives no way around the path: what comes out are handlers and tools like any others, checked by the same rules.
//! It does not guess governance from names, descriptions or the hints of a definition.
//!
//! # Example
//! ```
//! use mtb_adapt::{GovernanceTable, import_definitions};
//! use mtb_bridge::{Arguments, Bridge, Call, CallRequest, ToolRegistry};
//! use mtb_core::{Governance, Principal, Reversibility, Sensitivity, ToolName, any_of};
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let definitions = json!([{
//!     "name": "search_orders",
//!     "description": "Finds orders by customer.",
//!     "input_schema": {
//!         "type": "object",
//!         "properties": {"customer": {"type": "string"}},
//!         "required": ["customer"],
//!         "additionalProperties": false,
//!     },
//! }]);
//! let governance = GovernanceTable::new().tool(
//!     "search_orders",
//!     Governance {
//!         sensitivity: Sensitivity::None,
//!         reversibility: Reversibility::Reversible,
//!         roles: any_of(["support"]),
//!     },
//! );
//! let dispatch = |name: ToolName, arguments: Arguments, _call: Call| async move {
//!     Ok(format!("{name} for {}: none", arguments.string("customer")?))
//! };
//!
//! let registry = ToolRegistry::new();
//! registry.register_all(import_definitions(&definitions, dispatch, &governance)?)?;
//! let bridge = Bridge::new(registry);
//! let sam = Principal::new("sam", ["support"])?;
//! let outcome = bridge.call_tool(&sam, CallRequest::new("search_orders", json!({"customer": "Ada"}))).await;
//! assert_eq!(outcome.status(), "ok");
//! # Ok(())
//! # }
//! ```
//!
//! # How it fails
//! Importing gives one [`DefinitionError`](mtb_core::DefinitionError) with every problem of every definition and of
//! the governance, and no tool. Adapted functions fail as handlers do, with a
//! [`HandlerError`](mtb_bridge::HandlerError).

mod adapted;
mod catalogue;
mod check;
mod definition;
mod envelope;
mod governance_table;
mod import;
mod object;
mod options;
mod part;

pub use adapted::{AdaptedFuture, Adapter, InputAdapter, adapt, adapt_blocking};
pub use check::{CheckedDefinition, ImportReport, check_definitions};
pub use envelope::Envelope;
pub use governance_table::{GovernanceTable, Governed};
pub use import::{import_definitions, import_definitions_with};
pub use options::{ImportOptions, SchemaOptions};
pub use part::Definitions;
