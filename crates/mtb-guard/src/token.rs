use std::fmt;
use std::hint::black_box;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use mtb_core::Digest;

const PREFIX: &str = "mtb_";

/// 32 random bytes that stand for a person's yes, written `mtb_` and 43 characters of base64url.
///
/// It is never shown by `Debug`, cannot be cloned, and is compared by nobody: the store knows its hash. Its memory is
/// overwritten when it is dropped, as well as safe code can.
pub struct Token {
    text: String,
    secret: Secret,
}

/// The random bytes, from which the key of the seal is derived.
pub(crate) struct Secret(Box<[u8; 32]>);

/// The SHA-256 of a token's text: what a store knows of it. Written as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash(Digest);

/// The operating system gave no random bytes.
#[derive(Debug)]
pub(crate) struct NoRandomness;

impl Token {
    pub(crate) fn random() -> Result<Self, NoRandomness> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
        Ok(Self { text: format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(bytes)), secret: Secret(Box::new(bytes)) })
    }

    /// Reads what somebody presented. `None` for whatever no token looks like.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let encoded = text.strip_prefix(PREFIX)?;
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(encoded).ok()?;
        Some(Self { text: text.to_owned(), secret: Secret(Box::new(bytes.try_into().ok()?)) })
    }

    /// The text, for the one who asks a person. Never for the model.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    pub(crate) fn hash(&self) -> TokenHash {
        TokenHash(Digest::of(self.text.as_bytes()))
    }

    pub(crate) fn secret(&self) -> &Secret {
        &self.secret
    }
}

impl Secret {
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl TokenHash {
    /// A hash read back from where it was stored.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Digest::from_bytes(bytes))
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        let mut text = std::mem::take(&mut self.text).into_bytes();
        text.fill(0);
        self.secret.0.fill(0);
        // Looked at, so that overwriting them is not optimised away.
        black_box((text, &self.secret.0));
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Token;

    #[test]
    fn tokens_are_distinct_and_of_one_form() {
        let tokens: Vec<_> = (0..100).map(|_| Token::random().unwrap()).collect(); // case 123
        for token in &tokens {
            let encoded = token.expose().strip_prefix("mtb_").unwrap();
            assert_eq!(encoded.len(), 43);
            assert!(encoded.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
            assert_eq!(Token::read(token.expose()).unwrap().hash(), token.hash());
        }
        assert_eq!(tokens.iter().map(Token::expose).collect::<BTreeSet<_>>().len(), 100);
    }

    #[test]
    fn a_hash_tells_nothing_of_the_token() {
        let token = Token::random().unwrap(); // case 124
        let hash = token.hash().to_string();
        assert_eq!(hash.len(), 64);
        assert!(hash.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)));
        assert!(!hash.contains(&token.expose()[4..12]));
        assert_eq!(format!("{token:?}"), "Token(…)");
        assert_eq!(format!("{:?}", token.hash()), token.hash().to_string());
        assert!(!token.hash().to_string().contains(&token.expose()[4..12]));
    }

    #[test]
    fn what_is_no_token_is_not_read() {
        let good = Token::random().unwrap();
        let long = format!("{}A", good.expose());
        let upper = good.expose().replacen("mtb_", "MTB_", 1);
        // The last character holds 4 bits. Were its other 2 ignored, one token would have four texts.
        let loose = format!("mtb_{}B", "A".repeat(42));
        assert!(Token::read(&format!("mtb_{}", "A".repeat(43))).is_some());
        let padded = format!("{}=", &good.expose()[..46]);
        for text in ["", "mtb_", "mtb_nope", &good.expose()[4..], &good.expose()[..46], &long, &upper, &padded, &loose]
        {
            assert!(Token::read(text).is_none(), "{text}");
        }
    }
}
