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

/// Opens a seal.
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
