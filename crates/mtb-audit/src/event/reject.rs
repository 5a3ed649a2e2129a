use mtb_core::Issue;
use serde::{Serialize, Serializer};

/// Why a call was refused before anything ran, as the audit tells it. The caller reads less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RejectReason {
    /// Nobody declared such a tool.
    UnknownTool,
    /// The principal holds none of the tool's roles.
    Forbidden,
    /// The arguments do not fit the schema.
    InvalidArguments,
    /// The confirmation token was refused; the detail says why.
    ConfirmationInvalid,
    /// The confirmation token came too late.
    ConfirmationExpired,
    /// Too many confirmations are pending.
    TooManyPending,
}

impl RejectReason {
    /// The reason in `snake_case`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::Forbidden => "forbidden",
            Self::InvalidArguments => "invalid_arguments",
            Self::ConfirmationInvalid => "confirmation_invalid",
            Self::ConfirmationExpired => "confirmation_expired",
            Self::TooManyPending => "too_many_pending",
        }
    }
}

impl Serialize for RejectReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// One reason why arguments do not fit, told without anything the caller wrote: the keyword that refused and where
/// the schema declares it.
///
/// Made from an [`Issue`] only, so that its `path`, which may hold a name the caller invented, cannot get in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IssueRef {
    keyword: Box<str>,
    path: Box<str>,
}

impl IssueRef {
    /// What may be told of an issue.
    #[must_use]
    pub fn of(issue: &Issue) -> Self {
        Self { keyword: issue.keyword.as_str().into(), path: issue.declared.as_str().into() }
    }

    /// The keyword, for example `required`.
    #[must_use]
    pub fn keyword(&self) -> &str {
        &self.keyword
    }

    /// JSON Pointer into the schema as declared.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}
