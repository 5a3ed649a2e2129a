use std::fmt;

use super::RequestId;

/// The member `jsonrpc` of an envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// There is none.
    Absent,
    /// The string `2.0`.
    Two,
    /// Anything else.
    Other,
}

/// The member `id` of an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdField {
    /// There is none.
    Absent,
    /// `null`.
    Null,
    /// A string of at most 1 KiB, or an integral number that 64 bits hold.
    Id(RequestId),
    /// Anything else.
    Invalid,
}

impl IdField {
    /// The id, if there is one that an answer can carry.
    #[must_use]
    pub fn request_id(&self) -> Option<&RequestId> {
        match self {
            Self::Id(id) => Some(id),
            Self::Absent | Self::Null | Self::Invalid => None,
        }
    }
}

/// The member `method` of an envelope. `Debug` shows no more of a name than its length.
#[derive(Clone, PartialEq, Eq)]
pub enum MethodField {
    /// There is none.
    Absent,
    /// A string of at most 256 bytes, decoded.
    Name(String),
    /// Anything else.
    Invalid,
}

impl fmt::Debug for MethodField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("Absent"),
            Self::Name(name) => write!(f, "Name({} bytes)", name.len()),
            Self::Invalid => f.write_str("Invalid"),
        }
    }
}
