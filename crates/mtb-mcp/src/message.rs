use std::fmt;

/// One message to the client: one JSON value, without a line break inside or at its end.
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    text: Vec<u8>,
    kind: MessageKind,
}

/// What a message is, for drivers to which that makes a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageKind {
    /// What a request gave, or the answers of a batch.
    Result,
    /// Why a request, or what cannot be read, was not served.
    Error(ErrorCode),
    /// A request to the client. Its answer carries this id, which nobody can guess.
    Question(Box<str>),
    /// What needs no answer.
    Notification,
}

/// The codes of JSON-RPC and MCP that answers carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// -32700: no JSON.
    Parse,
    /// -32600: no message that can be taken.
    InvalidRequest,
    /// -32601: no such method, in this revision.
    MethodNotFound,
    /// -32602: the method is fine and its `params` are not.
    InvalidParams,
    /// -32603: too much is open already.
    Internal,
    /// -32020: the headers of a request say something else than its message.
    HeaderMismatch,
    /// -32022: a revision that requests cannot name.
    UnsupportedVersion,
}

impl Message {
    pub(crate) fn new(text: Vec<u8>, kind: MessageKind) -> Self {
        Self { text, kind }
    }

    /// The JSON.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.text
    }

    /// The JSON.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.text
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> &MessageKind {
        &self.kind
    }

    /// Whether it is the one answer to a request, or to a batch of them.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        matches!(self.kind, MessageKind::Result | MessageKind::Error(_))
    }
}

/// A message holds content, so only its length is shown.
impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Message({} bytes)", self.text.len())
    }
}

impl ErrorCode {
    /// The number, as it is written.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Parse => "-32700",
            Self::InvalidRequest => "-32600",
            Self::MethodNotFound => "-32601",
            Self::InvalidParams => "-32602",
            Self::Internal => "-32603",
            Self::HeaderMismatch => "-32020",
            Self::UnsupportedVersion => "-32022",
        }
    }
}
