use std::borrow::Cow;

use crate::message::ErrorCode;
use crate::version::Version;
use crate::wire::json::Object;
use crate::wording;

/// Why a message is answered with a JSON-RPC error.
pub(crate) enum RpcError {
    /// Not JSON.
    Parse,
    /// JSON, but no message that can be taken.
    InvalidRequest(&'static str),
    /// No such method, in this revision.
    MethodNotFound,
    /// The method is fine and its `params` are not.
    InvalidParams(Cow<'static, str>),
    /// Too much is open already.
    Internal(&'static str),
    /// 2026-07-28/basic, Error Codes: what the transport says of the message differs from what stands in it.
    #[cfg(feature = "drive")]
    HeaderMismatch(&'static str),
    /// 2026-07-28/basic, Error Codes: a revision that requests cannot name here.
    UnsupportedVersion {
        /// As the caller wrote it, cut and escaped.
        requested: String,
    },
}

impl RpcError {
    pub(crate) fn params(text: &'static str) -> Self {
        Self::InvalidParams(Cow::Borrowed(text))
    }

    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Self::Parse => ErrorCode::Parse,
            Self::InvalidRequest(_) => ErrorCode::InvalidRequest,
            Self::MethodNotFound => ErrorCode::MethodNotFound,
            Self::InvalidParams(_) => ErrorCode::InvalidParams,
            Self::Internal(_) => ErrorCode::Internal,
            #[cfg(feature = "drive")]
            Self::HeaderMismatch(_) => ErrorCode::HeaderMismatch,
            Self::UnsupportedVersion { .. } => ErrorCode::UnsupportedVersion,
        }
    }

    fn message(&self) -> &str {
        match self {
            Self::Parse => wording::PARSE_ERROR,
            Self::InvalidRequest(text) | Self::Internal(text) => text,
            #[cfg(feature = "drive")]
            Self::HeaderMismatch(text) => text,
            Self::MethodNotFound => wording::METHOD_NOT_FOUND,
            Self::InvalidParams(text) => text,
            Self::UnsupportedVersion { .. } => wording::UNSUPPORTED_VERSION,
        }
    }

    /// Writes the members of the error object.
    pub(crate) fn write(&self, body: &mut Object<'_>) {
        body.raw("code", self.code().as_str());
        body.text("message", self.message());
        if let Self::UnsupportedVersion { requested } = self {
            body.object("data", |data| {
                data.array("supported", |supported| supported.text(Version::MODERN.as_str()));
                data.text("requested", requested);
            });
        }
    }
}
