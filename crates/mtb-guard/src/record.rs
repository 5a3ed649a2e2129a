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

#[cfg(test)]
mod tests {
    use mtb_core::{CallId, Digest, Fingerprint, PrincipalId, Timestamp, ToolName};
    use proptest::prelude::*;

    use super::{Bound, Sealed};
    use crate::carrier::Carrier;
    use crate::token::TokenHash;

    /// Reads an encoding back. That this is possible is why no two records share one.
    fn decode(mut bytes: &[u8]) -> Option<(TokenHash, Bound)> {
        fn part<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
            let (part, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            Some(*part)
        }
        fn text(bytes: &mut &[u8]) -> Option<String> {
            let length = usize::try_from(u64::from_le_bytes(part(bytes)?)).ok()?;
            let (text, rest) = bytes.split_at_checked(length)?;
            *bytes = rest;
            String::from_utf8(text.to_vec()).ok()
        }
        bytes = bytes.strip_prefix(b"mtb-guard record")?;
        let format = u16::from_le_bytes(part(&mut bytes)?);
        let hash = TokenHash::from_bytes(part(&mut bytes)?);
        let bound = Bound {
            format,
            principal: PrincipalId::new(&text(&mut bytes)?).ok()?,
            tool: ToolName::new(&text(&mut bytes)?).ok()?,
            carrier: text(&mut bytes)?.parse().ok()?,
            call_id: CallId::from_bytes(part(&mut bytes)?),
            issued_at: Timestamp::from_millis(i64::from_le_bytes(part(&mut bytes)?)),
            expires_at: Timestamp::from_millis(i64::from_le_bytes(part(&mut bytes)?)),
            fingerprint: Fingerprint::from_bytes(part(&mut bytes)?),
        };
        bytes.is_empty().then_some((hash, bound))
    }

    prop_compose! {
        fn bounds()(
            format: u16,
            principal in "[a-c\u{e9}:]{1,20}",
            tool in "[a-c_.-]{1,128}",
            call_id: [u8; 16],
            issued_at: i64,
            expires_at: i64,
            carrier in prop::sample::select(&Carrier::ALL[..]),
            fingerprint: [u8; 32],
        ) -> Bound {
            Bound {
                format,
                principal: PrincipalId::new(&principal).unwrap(),
                tool: ToolName::new(&tool).unwrap(),
                call_id: CallId::from_bytes(call_id),
                issued_at: Timestamp::from_millis(issued_at),
                expires_at: Timestamp::from_millis(expires_at),
                carrier,
                fingerprint: Fingerprint::from_bytes(fingerprint),
            }
        }
    }

    proptest! {
        #[test]
        fn no_two_records_have_the_same_encoding(bound in bounds(), hash: [u8; 32]) {
            let hash = TokenHash::from_bytes(hash);
            prop_assert_eq!(decode(&bound.encode(&hash)), Some((hash, bound)));
        }
    }

    #[test]
    fn the_encoding_of_a_format_never_changes() {
        let bound = Bound {
            format: Bound::FORMAT,
            principal: PrincipalId::new("alice").unwrap(),
            tool: ToolName::new("send_invoice").unwrap(),
            call_id: CallId::from_bytes([1; 16]),
            issued_at: Timestamp::from_millis(1_790_942_400_000),
            expires_at: Timestamp::from_millis(1_790_942_700_000),
            carrier: Carrier::Elicited,
            fingerprint: Fingerprint::from_bytes([2; 32]),
        };
        let encoded = bound.encode(&TokenHash::from_bytes([3; 32]));
        // Stored confirmations open only as long as this is so. Another encoding is another format.
        let digest = "ac1301921f47ba34fe583cf356ac388b1e44eeea217494c0ca14e7461f885d7d";
        assert_eq!((Bound::FORMAT, Digest::of(&encoded).to_string().as_str()), (1, digest));
    }

    #[test]
    fn sealed_bytes_are_not_printed() {
        assert_eq!(format!("{:?}", Sealed::from_bytes(*b"private")), "Sealed(7 bytes)");
    }
}
