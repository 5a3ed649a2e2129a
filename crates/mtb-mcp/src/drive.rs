//! What drivers on tokio share: this is not needed to speak the protocol, only to wait for it.
//!
//! A driver moves bytes and polls. What it waits for beside its own streams is the same everywhere: [tasks](Running),
//! [deadlines](Deadline) of questions, [changes](Changes) of the tools. A transport that gives each request a channel
//! of its own needs no more than an [`Exchange`], and an [`Envelope`] where it has to know whose a message is.

mod changes;
mod deadline;
mod envelope;
mod exchange;
mod inbox;
mod queue;
mod refusal;
mod running;
mod shutdown_signal;
mod trace_parent;

pub use changes::Changes;
pub use deadline::Deadline;
pub use envelope::{Envelope, EnvelopeKind};
pub use exchange::{Caller, Exchange, Handshake};
pub use inbox::Inbox;
pub use refusal::{Header, Refusal};
pub use running::Running;
pub use shutdown_signal::shutdown_signal;
pub use trace_parent::TraceParent;

use crate::message::Message;

/// Tells a client, on the stream of its session, that tools came or went.
#[must_use]
pub fn tools_changed() -> Message {
    crate::wire::notifications::tools_changed()
}
