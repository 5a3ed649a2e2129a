use serde::{Deserialize, Serialize};

/// The one line that a server prints once it listens, which the load generator reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    /// Where it listens: an address and a port.
    pub address: String,
    /// Its process.
    pub process: u32,
    /// What lets somebody in, one for each principal. A server without governance takes any.
    pub keys: Vec<String>,
}
