use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderValue;
use http::request::Parts;
use mtb_bridge::{Clock, SystemClock};
use mtb_core::{Principal, PrincipalId, Timestamp};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::{Authenticate, Denied, Identity, bearer};

/// What every key begins with, so that scanners of leaked secrets know it.
const PREFIX: &str = "mtbk_";
/// Random bytes of a key.
const RANDOM: usize = 32;
/// Longest text that is looked up, in bytes.
const MAX_BYTES: usize = 256;

/// A key that was just made. Whoever gets it can act as its principal; only its hash is to be kept.
pub struct ApiKey(String);

/// The SHA-256 of a key: what a server keeps. It lets nobody in.
///
/// ```
/// use mtb_http::{ApiKey, ApiKeyHash};
///
/// let hash = ApiKey::generate()?.hash();
/// assert_eq!(ApiKeyHash::parse(&hash.to_string())?, hash);
/// assert!(ApiKeyHash::parse("mtbk_").is_err());
/// # Ok::<(), mtb_http::ApiKeyError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ApiKeyHash([u8; 32]);

/// Why something is not a key, or the hash of one.
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ApiKeyError {
    /// The operating system gives no random bytes.
    #[error("no random bytes are to be had, so no key was made")]
    NoRandomness,
    /// A hash is 64 hexadecimal digits.
    #[error("the hash of a key is 64 hexadecimal digits")]
    NoHash,
}

impl fmt::Debug for ApiKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl ApiKey {
    /// A new one: `mtbk_` and 32 random bytes in base64url.
    ///
    /// # Errors
    /// When there is no randomness.
    pub fn generate() -> Result<Self, ApiKeyError> {
        let mut bytes = [0; RANDOM];
        getrandom::fill(&mut bytes).map_err(|_| ApiKeyError::NoRandomness)?;
        Ok(Self(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes))))
    }

    /// The key, to be shown to its owner once.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What a server keeps of it.
    #[must_use]
    pub fn hash(&self) -> ApiKeyHash {
        ApiKeyHash::of(&self.0)
    }
}

/// Shows nothing of it.
impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey")
    }
}

impl ApiKeyHash {
    /// The hash of a key.
    #[must_use]
    pub fn of(key: &str) -> Self {
        Self(Sha256::digest(key.as_bytes()).into())
    }

    /// Reads what `Display` writes: 64 hexadecimal digits.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn parse(text: &str) -> Result<Self, ApiKeyError> {
        let mut bytes = [0; 32];
        let digits: Vec<_> = text.chars().map(|digit| digit.to_digit(16)).collect();
        if digits.len() != 64 {
            return Err(ApiKeyError::NoHash);
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            let [Some(high), Some(low)] = *pair else { return Err(ApiKeyError::NoHash) };
            *byte = u8::try_from(high * 16 + low).map_err(|_| ApiKeyError::NoHash)?;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for ApiKeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ApiKeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Keys that clients send as `Authorization: Bearer mtbk_…`. It keeps their hashes; clones are the same set, and it may
/// change while it is in use.
///
/// A presented key is compared with every one that is kept, in a time that does not depend on which of them it is.
///
/// ```
/// use mtb_core::Principal;
/// use mtb_http::{ApiKey, ApiKeys};
///
/// let key = ApiKey::generate()?;
/// assert!(key.expose().starts_with("mtbk_"));
/// let keys = ApiKeys::new();
/// keys.add(key.hash(), Principal::new("alice", ["support"])?, None);
/// assert!(keys.revoke(&key.hash()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ApiKeys {
    entries: Arc<RwLock<Vec<Entry>>>,
    clock: Arc<dyn Clock>,
}

struct Entry {
    hash: ApiKeyHash,
    principal: Principal,
    expires: Option<Timestamp>,
    revoked: CancellationToken,
}

impl Default for ApiKeys {
    fn default() -> Self {
        Self::new()
    }
}

impl ApiKeys {
    /// No keys yet: nobody is let in.
    #[must_use]
    pub fn new() -> Self {
        Self::with_clock(SystemClock)
    }

    /// The same, with a clock of the host's, by which keys expire.
    #[must_use]
    pub fn with_clock(clock: impl Clock) -> Self {
        Self { entries: Arc::default(), clock: Arc::new(clock) }
    }

    /// Lets this principal in by the key with this hash, until it expires. A principal may have several keys. A key that
    /// is there already is replaced, and its streams end.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use mtb_bridge::{Clock as _, SystemClock};
    /// use mtb_core::Principal;
    /// use mtb_http::{ApiKey, ApiKeys};
    ///
    /// let (keys, key) = (ApiKeys::new(), ApiKey::generate()?);
    /// let in_30_days = SystemClock.now().after(Duration::from_secs(30 * 24 * 60 * 60));
    /// keys.add(key.hash(), Principal::new("ada", ["support"])?, Some(in_30_days));
    /// assert!(keys.revoke(&key.hash()) && !keys.revoke(&key.hash()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&self, hash: ApiKeyHash, principal: Principal, expires: Option<Timestamp>) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        take(&mut entries, |entry| entry.hash == hash);
        entries.push(Entry { hash, principal, expires, revoked: CancellationToken::new() });
    }

    /// The key with this hash is no longer good, and streams that were opened with it end. Whether it was there.
    pub fn revoke(&self, hash: &ApiKeyHash) -> bool {
        take(&mut self.entries.write().unwrap_or_else(PoisonError::into_inner), |entry| entry.hash == *hash) > 0
    }

    /// The same for every key of this principal. How many there were.
    pub fn revoke_all(&self, principal: &PrincipalId) -> usize {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        take(&mut entries, |entry| entry.principal.id() == principal)
    }

    fn find(&self, key: &str) -> Option<Identity> {
        let hash = ApiKeyHash::of(key);
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let mut found = None;
        for entry in entries.iter() {
            if bool::from(entry.hash.0.ct_eq(&hash.0)) {
                found = Some(entry);
            }
        }
        let Some(Entry { principal, expires, revoked, .. }) = found else {
            tracing::debug!("a key is not known");
            return None;
        };
        let identity = Identity::of(principal.clone()).unless_revoked(revoked.clone());
        match expires {
            Some(expires) if *expires <= self.clock.now() => {
                tracing::debug!("a key has expired");
                None
            }
            Some(expires) => Some(identity.until(*expires)),
            None => Some(identity),
        }
    }
}

fn take(entries: &mut Vec<Entry>, which: impl Fn(&Entry) -> bool) -> usize {
    let taken = entries.extract_if(.., |entry| which(entry)).map(|entry| entry.revoked.cancel());
    taken.count()
}

/// Shows how many there are.
impl fmt::Debug for ApiKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.entries.read().unwrap_or_else(PoisonError::into_inner).len();
        write!(f, "ApiKeys({count})")
    }
}

#[async_trait]
impl Authenticate for ApiKeys {
    async fn authenticate(&self, head: &Parts) -> Result<Identity, Denied> {
        let known = bearer(head)?.and_then(|key| {
            let is_one = key.starts_with(PREFIX) && key.len() <= MAX_BYTES;
            if is_one {
                return self.find(key);
            }
            tracing::debug!("a token is no key");
            None
        });
        known.ok_or(Denied::Unauthorized(HeaderValue::from_static("Bearer")))
    }
}
