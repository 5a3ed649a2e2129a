//! An audit trail of tool calls: who called what, when, through which channel, how it ended, and why not.
//!
//! # What it promises
//! - **No content, unless a declaration says so.** Arguments are told as a digest, results as "error or not", failures
//!   as a kind. Fields are kept only by the JSON Pointers of the declaration ([`Retain`](mtb_core::Retain)), reduced
//!   and bounded; values under [secret-looking names](is_secret_key) are masked even then.
//! - **What the caller invents is content.** An unknown tool name is told as length and digest, a refused argument by
//!   the schema's keyword and place.
//! - **A start is recorded before it happens.** In mode [`FailureMode::Block`], [`Trail::record`] fails when any sink
//!   failed, and the caller must not go on.
//! - **Every sink is asked**, at the same time, whatever the others do. A sink that panics has failed, no more.
//!
//! # Why
//! A log that keeps arguments and results in full is a second copy of every message and document that tools touch, in
//! the one place that nobody thinks of when data is deleted.
//!
//! # What it does not do
//! It neither decides nor runs anything, and reads no clock: moments come from the caller. It does not make lines
//! durable beyond what the sink's writer does, does not sign or chain them, and does not bound a sink's time.
//! Digests without a [`DigestKey`] can be guessed where the arguments can be.
//!
//! # Example
//! ```
//! use mtb_audit::{EventKind, MemorySink, Trail};
//! use mtb_core::{
//!     CallId, CanonicalJson, DeclarationDraft, Governance, Principal, Retain, Reversibility, SchemaSource, Sensitivity,
//!     Timestamp, Transport, any_of,
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let schema = SchemaSource::text(
//!     r#"{
//!         "type": "object",
//!         "properties": {"messageId": {"type": "string"}, "note": {"type": "string"}},
//!         "additionalProperties": false
//!     }"#,
//! );
//! let governance = Governance {
//!     sensitivity: Sensitivity::None,
//!     reversibility: Reversibility::Reversible,
//!     roles: any_of(["reader"]),
//! };
//! let mut draft = DeclarationDraft::new("read_mail", "Reads a message.", schema, governance);
//! draft.retain = Retain::nothing().argument("/messageId");
//! let read_mail = draft.check()?;
//!
//! let sink = MemorySink::default();
//! let trail = Trail::to(sink.clone());
//!
//! let alice = Principal::new("alice", ["reader"])?;
//! let arguments = CanonicalJson::from_text(r#"{"messageId": "m-1", "note": "private"}"#, &Default::default())?;
//! let call_id = CallId::from_bytes([7; 16]);
//! let mut scope = trail.scope(call_id, Transport::DIRECT, &alice, &read_mail);
//! trail.arguments(&mut scope, &read_mail, &arguments);
//! let now = Timestamp::from_millis(1_790_942_400_000);
//! trail.record(&scope, now, EventKind::CallStarted { confirmed: false }).await?;
//!
//! let line = String::from_utf8(mtb_audit::json_line(&sink.events()[0])?)?;
//! assert!(line.contains(r#""args":{"/messageId":"m-1"}"#));
//! assert!(!line.contains("private"));
//! # Ok(())
//! # }
//! ```
//!
//! # How it fails
//! [`NotRecorded`] names the sinks that failed; their own words go to a `tracing` warning, or to stderr when no
//! subscriber is set. [`NoSinks`] and [`DigestKeyError`] are mistakes of the host's set-up. Nothing panics.

pub mod danger;
mod digest_key;
mod event;
mod failure_mode;
mod kept;
mod reduce;
mod scope;
mod secret_keys;
mod sink;
mod trail;
mod warning;

pub use digest_key::{DigestKey, DigestKeyError};
pub use event::AuditEvent;
pub use event::confirmation::{DeclineDetail, WithdrawDetail};
pub use event::kind::EventKind;
pub use event::outcome::{ErrorRecord, FailureKind, MAX_ERROR_CHARS, ResultRecord, error_record, result_record};
pub use event::reject::{IssueRef, RejectReason};
pub use event::tool::{AuditedTool, UnknownTool};
pub use failure_mode::{FailureMode, NotRecorded};
pub use kept::Kept;
pub use reduce::{MAX_KEPT_CHARS, MAX_KEPT_DEPTH, MAX_KEPT_ITEMS, MAX_KEPT_VALUES, REDACTED};
pub use scope::CallScope;
pub use secret_keys::is_secret_key;
pub use sink::line::json_line;
pub use sink::memory::MemorySink;
pub use sink::stderr::StderrSink;
pub use sink::writer::WriterSink;
pub use sink::{AuditSink, SinkError};
pub use trail::{NoSinks, Trail};
