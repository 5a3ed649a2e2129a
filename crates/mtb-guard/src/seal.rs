use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use mtb_core::Timestamp;
use sha2::Sha256;

use crate::record::{Bound, Sealed};
use crate::token::{Token, TokenHash};

const INFO: &[u8] = b"mcp-tool-bridge/confirmation/1";
const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// What is under the seal: what would run, and until when.
pub(crate) struct Content {
    pub(crate) expires_at: Timestamp,
    /// The canonical text of the arguments.
    pub(crate) arguments: String,
}

/// The seal could not be made, or does not open.
#[derive(Debug)]
pub(crate) struct Broken;

/// Seals what a token stands for. Only the token opens it, and only beside exactly these bound fields.
pub(crate) fn seal(token: &Token, bound: &Bound, content: &Content) -> Result<Sealed, Broken> {
    let (cipher, nonce) = cipher(token)?;
    let mut plain = content.expires_at.as_millis().to_le_bytes().to_vec();
    plain.extend_from_slice(content.arguments.as_bytes());
    let aad = bound.encode(&token.hash());
    let sealed = cipher.encrypt(&nonce, Payload { msg: &plain, aad: &aad }).map_err(|_| Broken)?;
    Ok(Sealed::from_bytes(sealed))
}

/// Opens a seal. A hash that is not this token's does not open it either: it was sealed beside its own.
pub(crate) fn open(token: &Token, hash: &TokenHash, bound: &Bound, sealed: &Sealed) -> Result<Content, Broken> {
    let (cipher, nonce) = cipher(token)?;
    let aad = bound.encode(hash);
    let plain = cipher.decrypt(&nonce, Payload { msg: sealed.as_bytes(), aad: &aad }).map_err(|_| Broken)?;
    let (millis, arguments) = plain.split_first_chunk().ok_or(Broken)?;
    let arguments = String::from_utf8(arguments.to_vec()).map_err(|_| Broken)?;
    Ok(Content { expires_at: Timestamp::from_millis(i64::from_le_bytes(*millis)), arguments })
}

/// Key and nonce from the token's bytes. Each token seals once, so no key meets its nonce twice.
fn cipher(token: &Token) -> Result<(XChaCha20Poly1305, XNonce), Broken> {
    let mut derived = [0; KEY_BYTES + NONCE_BYTES];
    Hkdf::<Sha256>::new(None, token.secret().bytes()).expand(INFO, &mut derived).map_err(|_| Broken)?;
    let (key, nonce) = derived.split_first_chunk::<KEY_BYTES>().ok_or(Broken)?;
    let nonce: [u8; NONCE_BYTES] = nonce.try_into().map_err(|_| Broken)?;
    Ok((XChaCha20Poly1305::new(&Key::from(*key)), XNonce::from(nonce)))
}

#[cfg(test)]
mod tests {
    use mtb_core::{CallId, Digest, Fingerprint, PrincipalId, Timestamp, ToolName};

    use super::{Content, open, seal};
    use crate::carrier::Carrier;
    use crate::record::{Bound, Sealed};
    use crate::token::Token;

    const END: Timestamp = Timestamp::from_millis(1_790_942_700_000);

    fn bound() -> Bound {
        Bound {
            format: Bound::FORMAT,
            principal: PrincipalId::new("alice").unwrap(),
            tool: ToolName::new("send_invoice").unwrap(),
            call_id: CallId::from_bytes([1; 16]),
            issued_at: Timestamp::from_millis(1_790_942_400_000),
            expires_at: END,
            carrier: Carrier::Host,
            fingerprint: Fingerprint::from_bytes([2; 32]),
        }
    }

    fn sealed(token: &Token, arguments: &str) -> Sealed {
        seal(token, &bound(), &Content { expires_at: END, arguments: arguments.to_owned() }).unwrap()
    }

    #[test]
    fn only_its_own_token_opens_a_seal() {
        let (token, other) = (Token::random().unwrap(), Token::random().unwrap());
        let sealed = sealed(&token, "{}");
        assert!(open(&other, &token.hash(), &bound(), &sealed).is_err());
        assert!(open(&token, &other.hash(), &bound(), &sealed).is_err());
        let short = Sealed::from_bytes(&sealed.as_bytes()[..7]);
        assert!(open(&token, &token.hash(), &bound(), &short).is_err());
        let content = open(&token, &token.hash(), &bound(), &sealed).unwrap();
        assert_eq!((content.expires_at, content.arguments.as_str()), (END, "{}"));
    }

    #[test]
    fn equal_arguments_look_different_under_two_tokens() {
        let [one, two] = [(); 2].map(|()| sealed(&Token::random().unwrap(), r#"{"invoiceId":"INV-12"}"#));
        let equal = one.as_bytes().iter().zip(two.as_bytes()).filter(|(left, right)| left == right).count();
        assert!(equal < 8, "{equal} of {} bytes are equal", one.as_bytes().len());
    }

    #[test]
    fn the_seal_of_a_format_never_changes() {
        let token = Token::read(&format!("mtb_{}", "A".repeat(43))).unwrap();
        let sealed = sealed(&token, r#"{"invoiceId":"INV-12"}"#);
        // Stored confirmations open only as long as this is so.
        assert_eq!(
            Digest::of(sealed.as_bytes()).to_string(),
            "dbbb7b3033925a226b1a7494103e726ec0d4e2dfc7e551cfe84680466a290e89"
        );
    }
}
