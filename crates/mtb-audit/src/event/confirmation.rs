use serde::{Serialize, Serializer};

/// How a person said no to a held call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeclineDetail {
    /// The person declined.
    Declined,
    /// The person closed the question without an answer.
    Dismissed,
    /// The person accepted the form without confirming.
    NotConfirmed,
    /// The host took the confirmation back.
    Revoked,
}

/// Why a held call lost its confirmation without anybody saying no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WithdrawDetail {
    /// The client could not ask.
    ElicitationFailed,
    /// Nobody answered in time.
    ElicitationTimeout,
    /// The call was cancelled.
    Cancelled,
    /// The connection ended.
    Closed,
    /// The token came with a call that could not be looked at.
    Misused,
}

impl DeclineDetail {
    /// The detail in `snake_case`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Declined => "declined",
            Self::Dismissed => "dismissed",
            Self::NotConfirmed => "not_confirmed",
            Self::Revoked => "revoked",
        }
    }
}

impl WithdrawDetail {
    /// The detail in `snake_case`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ElicitationFailed => "elicitation_failed",
            Self::ElicitationTimeout => "elicitation_timeout",
            Self::Cancelled => "cancelled",
            Self::Closed => "closed",
            Self::Misused => "misused",
        }
    }
}

impl Serialize for DeclineDetail {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for WithdrawDetail {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
