//! What drivers on tokio share: this is not needed to speak the protocol, only to wait for it.
//!
//! A driver moves bytes and polls. What it waits for beside its own streams is the same everywhere: [tasks](Running),
//! [deadlines](Deadline) of questions, [changes](Changes) of the tools. A transport that gives each request a channel
//! of its own needs no more than an [`Exchange`].

mod changes;
mod deadline;
mod exchange;
mod running;

pub use changes::Changes;
pub use deadline::Deadline;
pub use exchange::{Caller, Exchange, Handshake};
pub use running::Running;
