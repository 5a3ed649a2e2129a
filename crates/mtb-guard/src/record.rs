use std::fmt;

use mtb_core::{CallId, Fingerprint, PrincipalId, Timestamp, ToolName};

use crate::carrier::Carrier;
use crate::token::TokenHash;

/// What a store keeps of one confirmation that nobody has answered yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Under which it is found.
    pub hash: TokenHash,
    /// What a reader of the store may know. Bound to the seal: a changed field does not open.
    pub bound: Bound,
    /// The arguments, useless without the token.
    pub sealed: Sealed,
}

/// What a confirmation is bound to, as far as a store may know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The version of this format: [`Bound::FORMAT`].
    pub format: u16,
    /// Whose it is.
    pub principal: PrincipalId,
    /// Which tool would run.
    pub tool: ToolName,
    /// Which call it continues.
    pub call_id: CallId,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// From this moment on it is good for nothing.
    pub expires_at: Timestamp,
    /// How the person is asked.
    pub carrier: Carrier,
    /// The tool as it was declared when the question was asked.
    pub fingerprint: Fingerprint,
}

impl Bound {
    /// The version that this library writes, and the only one it reads.
    pub const FORMAT: u16 = 1;

    /// Every field and the hash, so that no two of them give the same bytes: texts have their length before them.
    pub(crate) fn encode(&self, hash: &TokenHash) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(256);
        bytes.extend_from_slice(b"mtb-guard record");
        bytes.extend_from_slice(&self.format.to_le_bytes());
        bytes.extend_from_slice(hash.as_bytes());
        for text in [self.principal.as_str(), self.tool.as_str(), self.carrier.as_str()] {
            bytes.extend_from_slice(&u64::try_from(text.len()).unwrap_or(u64::MAX).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        bytes.extend_from_slice(self.call_id.as_bytes());
        bytes.extend_from_slice(&self.issued_at.as_millis().to_le_bytes());
        bytes.extend_from_slice(&self.expires_at.as_millis().to_le_bytes());
        bytes.extend_from_slice(self.fingerprint.as_bytes());
        bytes
    }
}

/// Bytes that only the token opens.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed(Box<[u8]>);

impl Sealed {
    /// Sealed bytes read back from where they were stored.
    #[must_use]
    pub fn from_bytes(bytes: impl Into<Box<[u8]>>) -> Self {
        Self(bytes.into())
    }

    /// The bytes, for storing.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealed({} bytes)", self.0.len())
    }
}

/// What is left of a confirmation that was answered, or that nobody answered in time: enough to trace a replay to
/// its call, and nothing to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tombstone {
    /// Which tool it was for.
    pub tool: ToolName,
    /// Which call it was for.
    pub call_id: CallId,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When it would have expired, or did.
    pub expires_at: Timestamp,
}

impl From<&Bound> for Tombstone {
    fn from(bound: &Bound) -> Self {
        Self {
            tool: bound.tool.clone(),
            call_id: bound.call_id,
            issued_at: bound.issued_at,
            expires_at: bound.expires_at,
        }
    }
}
