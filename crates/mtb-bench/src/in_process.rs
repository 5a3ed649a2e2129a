//! What a governed call costs inside one process, without a transport: next to what it is made of, and with many tools
//! next to few.
//!
//! Both are ratios within a round, and the median of many rounds counts, since other work on the machine is never the
//! same from one round to the next.
//!
//! The audit of the calls keeps its events in memory, as [`LastEvents`](crate::LastEvents) does; what no call can do
//! without counts two events that are written.

mod figures;
mod part;
mod stand;

pub use figures::Figures;
pub use stand::{Stand, bridge, principal, tool_name};
