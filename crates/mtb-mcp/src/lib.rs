//! MCP spoken by a governed bridge, without any I/O.

mod actions;
mod connection;
mod protocol_limits;
mod server_options;
mod task;

pub use actions::{Action, Actions};
pub use connection::Connection;
pub use protocol_limits::ProtocolLimits;
pub use server_options::{Elicitation, ServerInfo, ServerOptions};
pub use task::{ProgressOut, Task, TaskDone, TaskId};
