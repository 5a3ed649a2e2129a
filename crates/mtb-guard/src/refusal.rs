use std::fmt;

use mtb_core::{CallId, ToolName};
use thiserror::Error;

/// A token that was refused. For the audit; the model reads the same sentence for every one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the confirmation was refused: {reason}")]
pub struct Refusal {
    /// Exactly why.
    pub reason: RefusalReason,
    /// The call it stood for, as far as the store can tell.
    pub call_id: Option<CallId>,
    /// The tool it stood for, as far as the store can tell.
    pub tool: Option<ToolName>,
}

/// Why a token was refused: the first of the checks, in their order, that did not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefusalReason {
    /// The store knows no such token.
    Unknown,
    /// It was presented before.
    Consumed,
    /// It came too late, or more than a minute before it was issued.
    Expired,
    /// It belongs to somebody else.
    PrincipalMismatch,
    /// It was to come back another way.
    CarrierMismatch,
    /// It was issued for another tool.
    ToolMismatch,
    /// The tool is not declared as it was when the person was asked.
    ToolChanged,
    /// It was issued for other arguments.
    ArgumentsMismatch,
    /// What the store gave back does not open: it is damaged, changed or another's.
    RecordInvalid,
    /// The store, or the clock, failed.
    StoreUnavailable,
}

impl RefusalReason {
    /// The reason as the audit writes it, for example `principal_mismatch`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Consumed => "consumed",
            Self::Expired => "expired",
            Self::PrincipalMismatch => "principal_mismatch",
            Self::CarrierMismatch => "carrier_mismatch",
            Self::ToolMismatch => "tool_mismatch",
            Self::ToolChanged => "tool_changed",
            Self::ArgumentsMismatch => "arguments_mismatch",
            Self::RecordInvalid => "record_invalid",
            Self::StoreUnavailable => "store_unavailable",
        }
    }
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
