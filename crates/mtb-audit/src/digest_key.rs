use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use mtb_core::Digest;
use sha2::Sha256;
use thiserror::Error;

/// A secret of the host that turns digests into HMAC-SHA256.
///
/// A plain digest of arguments that are easy to guess (a yes or no, one of ten names) can be guessed by whoever reads
/// the log: hash every candidate and compare. With a key, only its holder can. Events of one key compare with each
/// other; a new key starts over.
///
/// ```
/// use mtb_audit::DigestKey;
///
/// assert!(DigestKey::new(b"too short").is_err());
/// let key = DigestKey::new(b"0123456789abcdef").unwrap();
/// assert_eq!(format!("{key:?}"), "DigestKey(..)");
/// ```
#[derive(Clone)]
pub struct DigestKey(Hmac<Sha256>);

/// Why bytes are not a key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a digest key has at least 16 bytes: generate it at random and keep it with the other secrets")]
pub struct DigestKeyError;

impl DigestKey {
    /// The shortest key, in bytes.
    pub const MIN_BYTES: usize = 16;

    /// A key of these bytes.
    ///
    /// # Errors
    /// When there are fewer than 16.
    pub fn new(key: &[u8]) -> Result<Self, DigestKeyError> {
        if key.len() < Self::MIN_BYTES {
            return Err(DigestKeyError);
        }
        Hmac::new_from_slice(key).map(Self).map_err(|_| DigestKeyError)
    }

    pub(crate) fn digest(&self, bytes: &[u8]) -> Digest {
        Digest::from_bytes(self.0.clone().chain_update(bytes).finalize().into_bytes().into())
    }
}

impl fmt::Debug for DigestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DigestKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use mtb_core::Digest;

    use super::DigestKey;

    #[test]
    fn short_keys_are_refused() {
        for length in [0, 1, 15] {
            assert!(DigestKey::new(&vec![7; length]).is_err(), "{length}");
        }
        for length in [16, 64, 65, 1000] {
            assert!(DigestKey::new(&vec![7; length]).is_ok(), "{length}");
        }
    }

    #[test]
    fn is_hmac_sha256() {
        // RFC 4231, section 4.2 (test case 1).
        let key = DigestKey::new(&[0x0b; 20]).unwrap();
        let expected = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7";
        assert_eq!(key.digest(b"Hi There").to_string(), expected);
    }

    #[test]
    fn depends_on_the_key_and_on_every_byte() {
        let (one, two) = (DigestKey::new(&[1; 16]).unwrap(), DigestKey::new(&[2; 16]).unwrap());
        assert_ne!(one.digest(b"a"), two.digest(b"a"));
        assert_ne!(one.digest(b"a"), one.digest(b"b"));
        assert_ne!(one.digest(b"a"), Digest::of(b"a"));
        assert_eq!(one.digest(b"a"), one.clone().digest(b"a"));
    }

    #[test]
    fn prints_nothing_of_the_key() {
        assert_eq!(format!("{:?}", DigestKey::new(b"very-secret-bytes").unwrap()), "DigestKey(..)");
    }
}
