//! What a governed tool *is*, checked once and for all: its name, how much harm it can do, who may use it, and which
//! arguments it accepts.
//!
//! Everything here is a pure function of its input: no I/O, no clock, no randomness, no async.
//!
//! - A [`Declaration`] exists only checked: its constructor reports every problem of a [`DeclarationDraft`] at once.
//! - [`can_access`] is the one access rule. The list of tools and the call both ask it.
//! - [`Schema`] holds an argument or output schema that was refused at start-up unless it is strict, and explains
//!   what does not fit without ever quoting a value.
//! - [`CanonicalJson`] is the one form in which arguments are hashed, confirmed, stored and handed to a tool.
//! - [`json::scan()`] reads one JSON message in one pass, at bounded cost, before any tree exists.
//!
//! It does not run tools, ask anybody or record anything: see `mtb-bridge`, `mtb-guard` and `mtb-audit`.

mod access;
mod call;
mod declaration;
mod definition_error;
mod digest;
mod fingerprint;
mod governance;
pub mod json;
mod name;
mod pointer;
mod principal;
mod retention;
mod role;
mod schema;
mod text;
mod timestamp;
mod unreadable;

pub use access::can_access;
pub use call::{CallId, Transport};
pub use declaration::{ConfirmMode, Declaration, DeclarationDraft, MAX_TIMEOUT};
pub use definition_error::{DefinitionCode, DefinitionError, DefinitionProblem, DefinitionTable, ToolProblems};
pub use digest::Digest;
pub use fingerprint::Fingerprint;
pub use governance::{Governance, Reversibility, Sensitivity};
pub use json::canonical::CanonicalJson;
pub use name::ToolName;
pub use pointer::{KeepPointer, escape_token};
pub use principal::{Principal, PrincipalError, PrincipalId};
pub use retention::{Retain, Retention};
pub use role::{AnyOf, Role, RoleError, Roles, any_of};
pub use schema::{
    Allowances, Dialect, Issue, MAX_BACKTRACKED_BYTES, MAX_BACKTRACKED_MATCHES, MAX_ISSUES, MAX_PATTERN_STEPS,
    MAX_SCHEMA_BYTES, MAX_SCHEMA_CHAIN, MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS, Schema, SchemaProblem, SchemaRole,
    SchemaSource, UnknownArguments, decode,
};
pub use text::{cut, printable};
pub use timestamp::Timestamp;
