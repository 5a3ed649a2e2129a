/// Why a token is not good. Operators see which it is; a client sees it only once the signature is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    /// It is no signed token, or too long.
    Malformed,
    /// It is signed in a way that is not pinned.
    Algorithm,
    /// It does not say by which key.
    NoKey,
    /// The issuer has no such key for signatures of this kind.
    UnknownKey,
    Signature,
    Issuer,
    Audience,
    /// It is of another kind: not for whoever bears it, or no access token.
    Bound,
    Kind,
    /// It is not of anybody.
    Subject,
    /// It does not say until when it is good.
    NoExpiry,
    Expired,
    NotYet,
}

impl Problem {
    /// What whoever sent it may read.
    pub(super) fn told(self) -> Option<&'static str> {
        match self {
            Self::Expired => Some("The token has expired"),
            Self::NotYet => Some("The token is not good yet"),
            Self::Audience => Some("The token is for another server"),
            Self::Malformed
            | Self::Algorithm
            | Self::NoKey
            | Self::UnknownKey
            | Self::Signature
            | Self::Issuer
            | Self::Bound
            | Self::Kind
            | Self::Subject
            | Self::NoExpiry => None,
        }
    }
}
