use std::fmt;

use mtb_core::{Declaration, cut};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::kept::Kept;
use crate::reduce::reduce;

/// The longest kept text of a failure, in characters; an ellipsis says that more was there.
pub const MAX_ERROR_CHARS: usize = 500;

/// What is told of a result: whether it was an error, and the declared fields.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultRecord {
    is_error: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<Kept>,
}

/// Reduces a result to what the declaration keeps: without declared pointers, nothing but whether it was an error.
#[must_use]
pub fn result_record(declaration: &Declaration, structured: Option<&Value>, is_error: bool) -> ResultRecord {
    let kept = structured.and_then(|value| reduce(value, declaration.retention().result()));
    ResultRecord { is_error, kept }
}

impl ResultRecord {
    /// Whether the tool called its own result an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// The declared fields of the structured result.
    #[must_use]
    pub fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }
}

/// How a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The tool said so, in words the model may read.
    ToolError,
    /// The tool failed in another way, or panicked.
    Exception,
    /// The time limit passed.
    Timeout,
    /// The call was cancelled, its caller went away, or the process is stopping.
    Aborted,
    /// The audit could not record that the call starts.
    AuditUnavailable,
    /// The host could not make the context of the call.
    Context,
    /// The result was too large to answer.
    ResultTooLarge,
    /// The result does not fit the declared output schema.
    InvalidOutput,
    /// Too many calls were running.
    Overloaded,
}

impl FailureKind {
    /// The kind in `snake_case`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ToolError => "tool_error",
            Self::Exception => "exception",
            Self::Timeout => "timeout",
            Self::Aborted => "aborted",
            Self::AuditUnavailable => "audit_unavailable",
            Self::Context => "context",
            Self::ResultTooLarge => "result_too_large",
            Self::InvalidOutput => "invalid_output",
            Self::Overloaded => "overloaded",
        }
    }
}

impl Serialize for FailureKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What is told of a failure: its kind, and its text if the declaration keeps errors. `Debug` shows no text.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct ErrorRecord {
    kind: FailureKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Box<str>>,
}

/// Reduces a failure to what the declaration keeps: the kind, and the text, cut at 500 characters, only where the
/// declaration keeps errors. Texts are written from arguments more often than not.
#[must_use]
pub fn error_record(declaration: &Declaration, kind: FailureKind, text: Option<&str>) -> ErrorRecord {
    let kept = text.filter(|_| declaration.retention().keeps_errors());
    ErrorRecord { kind, message: kept.map(|text| cut(text, MAX_ERROR_CHARS).into()) }
}

impl ErrorRecord {
    /// A failure that has no text to tell.
    #[must_use]
    pub const fn without_text(kind: FailureKind) -> Self {
        Self { kind, message: None }
    }

    /// How the call failed.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        self.kind
    }

    /// The text, if the declaration keeps errors.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}

impl fmt::Debug for ErrorRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.message.as_ref().map(|message| message.len());
        f.debug_struct("ErrorRecord").field("kind", &self.kind).field("message_bytes", &bytes).finish()
    }
}
