//! MCP spoken by a governed bridge, without any I/O.

mod actions;
mod answer;
mod batches;
mod connection;
mod era;
mod identity;
mod incoming;
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
pub use meta::{CONFIRMATION_META_KEY, STATUS_META_KEY};
pub use protocol_limits::ProtocolLimits;
pub use server_options::{Elicitation, ServerInfo, ServerOptions};
pub use task::{ProgressOut, Task, TaskDone, TaskId};
