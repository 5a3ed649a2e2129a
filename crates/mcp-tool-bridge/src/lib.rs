//! Tools for language models, with the checks in front of them: who may call, with which arguments, after whose yes,
//! and what the record says.
//!
//! # What it promises
//! A tool is code plus facts about that code: how much harm one call can do, whether that can be undone, who may use
//! it, which arguments it takes. Here the facts are a declaration, and the code can only be reached through the checks:
//!
//! - A tool nobody classified does not compile: [`Governance`] has no default.
//! - Whoever may not use a tool is not shown it, and gets the answer that an unknown tool gets.
//! - A handler gets arguments that fit the declared schema, or is not called.
//! - What is sensitive waits for a person's yes. The yes is a token that the model never sees, good for one exact call
//!   of one principal, once, for a short time.
//! - Each call that runs leaves a record before it starts and exactly one when it ends, and no record holds content
//!   unless the declaration says so.
//!
//! # Why
//! A model can be talked into anything, so what it may do cannot depend on what it was told. Instructions in a prompt
//! are advice; a path with one way in is not.
//!
//! # What it does not do
//! It guards against the model, not against the host: whoever embeds this crate can show the token to the model, or
//! run code without a tool around it. It does not make a handler do only what its declaration says, does not stop
//! information from leaving through harmless reads, and does not see to it that the person who confirms also reads.
//! Over stdio it does not authenticate: whoever may start the process is the principal.
//!
//! # Example
//! ```
//! use mcp_tool_bridge::{
//!     Bridge, CallOutcome, CallRequest, Governance, JsonSchema, Principal, Reversibility, Sensitivity, Tool,
//!     ToolRegistry, any_of,
//! };
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
//! let registry = ToolRegistry::new();
//! registry.register(
//!     Tool::declare("send_invoice", "Emails an invoice to its customer.", schema, governance)
//!         .summarize(|args| format!("Email invoice {}", args.string("invoiceId").unwrap_or("?")))
//!         .handler(|args, _call| async move { Ok(format!("Invoice {} sent.", args.string("invoiceId")?)) }),
//! )?;
//! let bridge = Bridge::new(registry);
//!
//! // Without the role there is no such tool.
//! let mallory = Principal::new("mallory", ["reader"])?;
//! assert!(bridge.list_tools(&mallory).is_empty());
//!
//! // With it, the call is held: nothing has run yet.
//! let alice = Principal::new("alice", ["billing"])?;
//! let call = CallRequest::new("send_invoice", json!({"invoiceId": "INV-12"}));
//! let CallOutcome::ConfirmationRequired { confirmation, .. } = bridge.call_tool(&alice, call).await else {
//!     panic!("a high-sensitivity call is held");
//! };
//! assert_eq!(confirmation.summary, "Email invoice INV-12");
//!
//! // Once a person has said yes in the host's own interface. A second time it is refused.
//! let token = confirmation.token.expose();
//! assert_eq!(bridge.execute_confirmed(&alice, token).await.status(), "ok");
//! assert_eq!(bridge.execute_confirmed(&alice, token).await.status(), "rejected");
//! # Ok(())
//! # }
//! ```
//! An MCP client asks that person for you: see [`serve_stdio`] and the README's server of 25 lines.
//!
//! # How it fails
//! - Declarations: one [`DefinitionError`] at start-up with every problem of every tool, each with its place and a
//!   remedy. Nothing is half-registered.
//! - Calls: a [`CallOutcome`], always. What the model reads says what it can correct and never why a token was refused.
//! - Handlers: a [`ToolError`] is for the model; any other error or a panic reaches it as one generic sentence.
//! - Everything else errs closed: a store, a sink in mode [`FailureMode::Block`], a clock or a context function that
//!   fails means that the call does not happen.
//!
//! # Features
//! All are additive. The first two are on by default.
//! - `stdio`: MCP over stdin and stdout ([`serve_stdio`]).
//! - `adapt`: existing functions, envelopes and LLM tool definitions as tools ([`adapt()`], [`Envelope`],
//!   [`import_definitions`]).
//! - `schemars`: argument and output schemas derived from Rust types (`Typed`, `ToolBuilder::output_type`).
//! - `http`: MCP over Streamable HTTP, for principals who authenticate with every request (`serve_http`, `http_router`).
//! - `jwt`: the same for access tokens of an authorization server (`JwtBearer`); it brings `http`.
//! - `rmcp`: the bridge as an `rmcp::ServerHandler`, for hosts that run the official Rust SDK (`BridgeHandler`).
//! - `chrono`, `url`, `uuid`: the types of these crates in derived schemas; each brings `schemars`.
//!
//! # Crates
//! This crate has no logic; it re-exports the crates behind it, each also under a short name: `core`, `guard`, `audit`,
//! `bridge`, `adapt`, `mcp`, `stdio`, `http` and `rmcp`. Depend on one of them alone where that is enough.
//!
//! Examples of re-exported items name the small crates (`mtb_core::…`). Here the same items are at
//! `mcp_tool_bridge::…`, and those that are not at the root under the short name (`mcp_tool_bridge::core::…`).

#![cfg_attr(
    not(all(feature = "stdio", feature = "adapt")),
    allow(rustdoc::broken_intra_doc_links, reason = "some links lead to optional crates")
)]

// Declaring.
#[cfg(feature = "schemars")]
pub use mtb_bridge::Typed;
pub use mtb_bridge::{ArgumentSource, Arguments, JsonSchema, Tool, ToolBuilder, ToolDraft, ToolRegistry};
pub use mtb_core::{
    ConfirmMode, DefinitionCode, DefinitionError, DefinitionProblem, Dialect, Governance, Retain, Reversibility, Role,
    Sensitivity, ToolName, UnknownArguments, any_of,
};

// Handling.
pub use mtb_bridge::{
    Call, CancellationToken, ContentBlock, HandlerError, HostContext, Progress, ResourceContents, ResourceLink,
    ToolError, ToolResult, json, text,
};

// Calling.
pub use mtb_bridge::{
    Bridge, BridgeBuilder, BridgeLimits, CallOptions, CallOutcome, CallRequest, Clock, Confirmation, ContextError,
    Failure, ListedTool, Rejection, Summary, SystemClock,
};
pub use mtb_core::{CallId, Issue, Principal, PrincipalId, Timestamp, Transport};

// Confirming.
pub use mtb_guard::{
    Carrier, ConfirmationPolicy, ConfirmationStore, Guard, IrreversibleRule, Lifetimes, LifetimesError, MemoryLimits,
    MemoryStore, Threshold, Token,
};

// Recording.
pub use mtb_audit::{
    AuditEvent, AuditSink, DigestKey, EventKind, FailureMode, MemorySink, NoSinks, SinkError, StderrSink, Trail,
    WriterSink,
};

// Adapting.
#[cfg(feature = "adapt")]
pub use mtb_adapt::{
    Adapter, CheckedDefinition, Definitions, Envelope, GovernanceTable, Governed, ImportOptions, ImportReport,
    InputAdapter, SchemaOptions, adapt, adapt_blocking, check_definitions, import_definitions, import_definitions_with,
};

// Serving.
#[cfg(all(feature = "http", not(feature = "stdio")))]
pub use mtb_http::shutdown_signal;
#[cfg(feature = "http")]
pub use mtb_http::{
    ApiKey, ApiKeyError, ApiKeyHash, ApiKeys, Authenticate, Denied, HttpLimits, HttpOptions, HttpOptionsError,
    HttpServer, Identity, ResourceMetadata, http_router, principal_id, serve_http,
};
#[cfg(feature = "jwt")]
pub use mtb_http::{
    FetchError, FetchKeys, Jwks, JwksTimes, JwtAlgorithm, JwtBearer, JwtBearerError, ResourceServer, RoleClaim,
};
#[cfg(any(feature = "stdio", feature = "rmcp", feature = "http"))]
pub use mtb_mcp::{CONFIRMATION_META_KEY, Elicitation, ProtocolLimits, ServerInfo, ServerOptions};
#[cfg(feature = "rmcp")]
pub use mtb_rmcp::{BridgeHandler, SessionQuestions};
#[cfg(feature = "stdio")]
pub use mtb_stdio::{Ended, ServeError, StdioOptions, serve_stdio, serve_streams, shutdown_signal};

/// What weakens a guarantee, under a name that a review can search for.
pub mod danger {
    pub use mtb_audit::danger::trail_without_sinks;
    #[cfg(feature = "http")]
    pub use mtb_http::danger::Anonymous;
}

#[cfg(feature = "adapt")]
pub use mtb_adapt as adapt;
pub use mtb_audit as audit;
pub use mtb_bridge as bridge;
pub use mtb_core as core;
pub use mtb_guard as guard;
#[cfg(feature = "http")]
pub use mtb_http as http;
#[cfg(any(feature = "stdio", feature = "rmcp", feature = "http"))]
pub use mtb_mcp as mcp;
#[cfg(feature = "rmcp")]
pub use mtb_rmcp as rmcp;
#[cfg(feature = "stdio")]
pub use mtb_stdio as stdio;

/// The Rust blocks of the README compile.
#[cfg(all(doctest, feature = "stdio", feature = "adapt", feature = "jwt"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
