//! Confirmations that a model cannot give itself.
//!
//! A sensitive call is held, and a [`Token`] is issued that stands for a person's yes. The token belongs to one
//! principal, one tool as it was declared, the exact arguments and one way of asking; it works once, for a short
//! time. Presenting it spends it, whatever happens next.
//!
//! What a store keeps is useless to whoever reads it: arguments are sealed with a key derived from the token, and the
//! store sees only the token's hash. Every field it does see is bound to the seal, so a changed row does not open.
//!
//! It does not decide who may use a tool, and it runs nothing: see `mtb-bridge`. A host that shows the token to the
//! model gives the guard away. Whoever can *write* to the store can bring a spent row back.
//!
//! ```
//! use std::sync::Arc;
//!
//! use mtb_core::{
//!     CallId, CanonicalJson, DeclarationDraft, Governance, PrincipalId, Reversibility, SchemaSource, Sensitivity,
//!     Timestamp, any_of,
//! };
//! use mtb_guard::{Carrier, Guard, HeldCall, MemoryStore, RefusalReason};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let schema = SchemaSource::text(
//!     r#"{"type": "object", "properties": {"id": {"type": "string"}}, "additionalProperties": false}"#,
//! );
//! let governance = Governance {
//!     sensitivity: Sensitivity::High,
//!     reversibility: Reversibility::Irreversible,
//!     roles: any_of(["billing"]),
//! };
//! let send_invoice = DeclarationDraft::new("send_invoice", "Emails an invoice.", schema, governance).check()?;
//! let arguments = CanonicalJson::from_text(r#"{"id": "INV-12"}"#, &Default::default())?;
//! let alice = PrincipalId::new("alice")?;
//! let noon = Timestamp::from_millis(1_790_942_400_000);
//!
//! let guard = Guard::new(Arc::new(MemoryStore::default()));
//! let held = HeldCall {
//!     principal: &alice,
//!     declaration: &send_invoice,
//!     arguments: &arguments,
//!     call_id: CallId::from_bytes([7; 16]),
//!     carrier: Carrier::Host,
//! };
//! let issued = guard.issue(&held, noon).await?;
//!
//! let claimed = guard.take(issued.token.expose(), noon).await.claim(&alice, Carrier::Host, None, noon)?;
//! let confirmed = claimed.confirm(&send_invoice, Some(&arguments))?;
//! assert_eq!(confirmed.into_arguments(), arguments);
//!
//! let replay = guard.take(issued.token.expose(), noon).await.claim(&alice, Carrier::Host, None, noon);
//! assert_eq!(replay.unwrap_err().reason, RefusalReason::Consumed);
//! # Ok(())
//! # }
//! ```
//!
//! # How it fails
//! Closed. A store that errs, panics or answers with somebody else's row refuses the token; without randomness no
//! token is issued. Every refusal has exactly one [`RefusalReason`], for the audit and not for the model. Why a store
//! failed is a `tracing` warning for the operator, on stderr when nobody subscribed.
//!
//! # Features
//! - `conformance`: checks that any [`ConfirmationStore`] can run in its own tests.

mod carrier;
#[cfg(feature = "conformance")]
pub mod conformance;
mod guard;
mod lifetimes;
mod memory;
mod policy;
mod record;
mod refusal;
mod seal;
mod store;
mod sync;
mod token;
mod warning;

pub use carrier::{Carrier, CarrierError};
pub use guard::{Claimed, Confirmed, Guard, HeldCall, IssueError, Issued, Presented, Unanswered};
pub use lifetimes::{DEFAULT_LIFETIME, Lifetimes, LifetimesError, MAX_LIFETIME};
pub use memory::{MemoryLimits, MemoryLimitsError, MemoryStore};
pub use policy::{ConfirmationPolicy, Decision, IrreversibleRule, Threshold};
pub use record::{Bound, Record, Sealed, Tombstone};
pub use refusal::{Refusal, RefusalReason};
pub use store::{ConfirmationStore, Put, Quota, StoreError, Take};
pub use token::{Token, TokenHash};
