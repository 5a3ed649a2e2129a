use mtb_core::json::RequestId;

use crate::message::Message;
use crate::rpc_error::RpcError;
use crate::wire::message;
use crate::wording::{self, around};

/// Why a driver serves a message to nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It has more bytes than a message may have.
    TooLong,
    /// A response, where nothing was asked.
    NothingAsked,
    /// A request of 2026-07-28, by what stands around it, that does not say so itself.
    NoVersionInMeta,
    /// It stands beside the name of a version that is not known.
    UnknownVersion,
    /// A header of 2026-07-28 is missing, is there twice or cannot be read, or says something else than the message.
    HeaderMismatch(Header),
}

/// The headers of 2026-07-28 that repeat what is in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Header {
    /// `MCP-Protocol-Version`.
    ProtocolVersion,
    /// `Mcp-Method`.
    Method,
    /// `Mcp-Name`.
    Name,
    /// One of the `Mcp-Param-…` that repeat arguments.
    Argument,
}

impl Refusal {
    /// The answer that says so.
    #[must_use]
    pub fn message(self, id: Option<&RequestId>) -> Message {
        message::error(id, &self.error())
    }

    pub(super) fn error(self) -> RpcError {
        match self {
            Self::TooLong => RpcError::InvalidRequest(wording::TOO_LONG),
            Self::NothingAsked => RpcError::InvalidRequest(around::NOTHING_ASKED),
            Self::UnknownVersion => RpcError::InvalidRequest(around::UNKNOWN_VERSION),
            Self::NoVersionInMeta => RpcError::params(around::NO_VERSION_IN_META),
            Self::HeaderMismatch(header) => RpcError::HeaderMismatch(match header {
                Header::ProtocolVersion => around::BAD_VERSION_HEADER,
                Header::Method => around::BAD_METHOD_HEADER,
                Header::Name => around::BAD_NAME_HEADER,
                Header::Argument => around::BAD_ARGUMENT_HEADER,
            }),
        }
    }
}
