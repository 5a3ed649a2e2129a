//! The public keys of an issuer, kept for a while.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt as _;
use futures_util::future::Shared;
use jsonwebtoken::Algorithm;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use super::error::JwtBearerError;
use super::https::HttpsKeys;
use super::keys::{self, Key, Keys};

/// Why keys could not be fetched, for the operator's log.
pub type FetchError = Box<dyn std::error::Error + Send + Sync>;

/// Where the keys of an issuer come from, for hosts that fetch them in a way of their own.
#[async_trait]
pub trait FetchKeys: Send + Sync + 'static {
    /// The text of a JSON Web Key Set, as it is now.
    ///
    /// # Errors
    /// Why it is not to be had.
    async fn fetch(&self) -> Result<Vec<u8>, FetchError>;
}

/// How long keys are kept, and how often they are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JwksTimes {
    /// Older keys are still good, and fetched anew. Default 1 hour.
    pub refresh_after: Duration,
    /// Keys that could not be fetched for so long are no longer good; then nobody is let in. Default 24 hours.
    pub forget_after: Duration,
    /// Between two fetches there is at least this, whatever tokens say: those that name unknown keys cost no more.
    /// Default 30 s.
    pub between: Duration,
    /// Longest that one fetch may take. Default 10 s.
    pub fetch: Duration,
}

impl Default for JwksTimes {
    fn default() -> Self {
        Self {
            refresh_after: Duration::from_secs(60 * 60),
            forget_after: Duration::from_secs(24 * 60 * 60),
            between: Duration::from_secs(30),
            fetch: Duration::from_secs(10),
        }
    }
}

/// The public keys of an issuer, by their ids. They are fetched when they are first needed, when a token names one that
/// is not there, and when they are old: one fetch at a time, and not too often. Clones share them.
///
/// Keys of different kinds may share an id. Of several for the same id and kind of signature the first counts: each of
/// them is the issuer's, and an issuer that repeats a key is not to shut everybody out.
///
/// ```
/// use mtb_http::Jwks;
///
/// assert!(Jwks::at("https://id.example.com/jwks.json").is_ok());
/// assert!(Jwks::at("http://id.example.com/jwks.json").is_err());
/// // Nobody could be let in by such a set.
/// assert!(Jwks::fixed(r#"{"keys": []}"#).is_err());
/// ```
#[derive(Clone)]
pub struct Jwks {
    shared: Arc<Kept>,
    times: JwksTimes,
}

struct Kept {
    /// None where the keys stay as they are.
    source: Option<Box<dyn FetchKeys>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    keys: Keys,
    /// When the keys were read; none, where they never were.
    read: Option<Instant>,
    /// When the last fetch began.
    asked: Option<Instant>,
    /// Over when the fetch that is under way is.
    under_way: Option<Shared<oneshot::Receiver<()>>>,
}

/// Nothing is known of the keys now.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoKeys;

impl Jwks {
    /// Fetched from this address, which the issuer's metadata calls `jwks_uri`. The certificates that this machine
    /// trusts tell whose server it is; redirects are not followed.
    ///
    /// # Errors
    /// When it does not begin with `https://`, or this machine trusts no certificates.
    pub fn at(address: &str) -> Result<Self, JwtBearerError> {
        Ok(Self::fetched_by(HttpsKeys::by_this_machine(address)?))
    }

    /// The same, where only these certificates tell whose server it is: those of a private authority, in PEM.
    ///
    /// # Errors
    /// When it does not begin with `https://`, or there is no certificate in the text.
    pub fn at_trusting(address: &str, pem: &str) -> Result<Self, JwtBearerError> {
        Ok(Self::fetched_by(HttpsKeys::by(address, pem)?))
    }

    /// Fetched in the host's own way.
    #[must_use]
    pub fn fetched_by(source: impl FetchKeys) -> Self {
        Self::of(Kept { source: Some(Box::new(source)), state: Mutex::default() })
    }

    /// Those of this JSON Web Key Set, for ever.
    ///
    /// # Errors
    /// When it is none, or no key in it is of use.
    pub fn fixed(set: &str) -> Result<Self, JwtBearerError> {
        let keys = keys::read(set.as_bytes()).map_err(|error| JwtBearerError::Keys(error.to_owned()))?;
        let state = State { keys, ..State::default() };
        Ok(Self::of(Kept { source: None, state: Mutex::new(state) }))
    }

    fn of(kept: Kept) -> Self {
        Self { shared: Arc::new(kept), times: JwksTimes::default() }
    }

    /// How long they are kept.
    #[must_use]
    pub fn with_times(mut self, times: JwksTimes) -> Self {
        self.times = times;
        self
    }

    /// The key of this id for signatures of this kind, if the issuer has it.
    pub(super) async fn find(&self, id: &str, algorithm: Algorithm) -> Result<Option<Key>, NoKeys> {
        let fetch = {
            let mut state = self.shared.state();
            let found = self.known(&state, id, algorithm);
            let fetch = if self.is_to_be_fetched(&state, &found) { self.fetch(&mut state) } else { None };
            match (found, fetch) {
                (Ok(Some(key)), _) => return Ok(Some(key)),
                (found, None) => return found,
                (_, Some(fetch)) => fetch,
            }
        };
        // Over in any case; what it brought is looked at.
        let _ = fetch.await;
        self.known(&self.shared.state(), id, algorithm)
    }

    fn known(&self, state: &State, id: &str, algorithm: Algorithm) -> Result<Option<Key>, NoKeys> {
        let good = match state.read {
            Some(read) => read.elapsed() < self.times.forget_after,
            None => self.shared.source.is_none(),
        };
        if !good {
            return Err(NoKeys);
        }
        Ok(state.keys.get(id).and_then(|keys| keys.iter().find(|key| key.is_for(algorithm))).cloned())
    }

    fn is_to_be_fetched(&self, state: &State, found: &Result<Option<Key>, NoKeys>) -> bool {
        let is_old = state.read.is_none_or(|read| read.elapsed() >= self.times.refresh_after);
        is_old || !matches!(found, Ok(Some(_)))
    }

    /// The fetch that is under way, or a new one if it is not too early. It goes on when nobody waits for it: who hangs
    /// up at the right moment must not keep others from their keys.
    fn fetch(&self, state: &mut State) -> Option<Shared<oneshot::Receiver<()>>> {
        self.shared.source.as_ref()?;
        if state.under_way.is_some() {
            return state.under_way.clone();
        }
        if state.asked.is_some_and(|asked| asked.elapsed() < self.times.between) {
            return None;
        }
        let (done, over) = oneshot::channel();
        let over = over.shared();
        state.asked = Some(Instant::now());
        state.under_way = Some(over.clone());
        let under_way = UnderWay { kept: Arc::clone(&self.shared), _done: done };
        tokio::spawn(under_way.fetch(self.times.fetch));
        Some(over)
    }
}

impl Kept {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A fetch; whatever becomes of it, whoever waits is told.
struct UnderWay {
    kept: Arc<Kept>,
    /// Dropping it tells them.
    _done: oneshot::Sender<()>,
}

impl UnderWay {
    async fn fetch(self, patience: Duration) {
        let Some(source) = &self.kept.source else { return };
        let fetched = timeout(patience, AssertUnwindSafe(source.fetch()).catch_unwind()).await;
        let read: Result<_, FetchError> = match fetched {
            Ok(Ok(Ok(set))) => keys::read(&set).map_err(Into::into),
            Ok(Ok(Err(error))) => Err(error),
            Ok(Err(_)) => Err("what fetches them panicked".into()),
            Err(_) => Err("they took too long".into()),
        };
        match read {
            Ok(keys) => {
                let mut state = self.kept.state();
                state.keys = keys;
                state.read = Some(Instant::now());
            }
            Err(error) => tracing::warn!(%error, "the keys of an issuer cannot be fetched; those that are there stay"),
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.kept.state().under_way = None;
    }
}

/// Shows how many there are.
impl fmt::Debug for Jwks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Jwks({})", self.shared.state().keys.len())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use async_trait::async_trait;
    use jsonwebtoken::Algorithm;
    use tokio::time::{advance, sleep};

    use super::{FetchError, FetchKeys, Jwks, NoKeys};

    /// Answers after a second with what it holds, and counts.
    #[derive(Clone, Default)]
    struct Issuer {
        fetches: Arc<AtomicUsize>,
        ids: Arc<Mutex<Option<Vec<&'static str>>>>,
    }

    #[async_trait]
    impl FetchKeys for Issuer {
        async fn fetch(&self) -> Result<Vec<u8>, FetchError> {
            self.fetches.fetch_add(1, Ordering::SeqCst);
            sleep(Duration::from_secs(1)).await;
            let ids = self.ids.lock().unwrap().clone().ok_or("the issuer is away")?;
            assert!(!ids.contains(&"panic"), "an issuer that panics");
            let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
            let key = |id| format!(r#"{{"kid": "{id}", "kty": "OKP", "crv": "Ed25519", "x": "{x}"}}"#);
            Ok(format!(r#"{{"keys": [{}]}}"#, ids.into_iter().map(key).collect::<Vec<_>>().join(",")).into_bytes())
        }
    }

    impl Issuer {
        fn has(&self, ids: Option<&[&'static str]>) {
            *self.ids.lock().unwrap() = ids.map(<[_]>::to_vec);
        }

        fn fetches(&self) -> usize {
            self.fetches.load(Ordering::SeqCst)
        }
    }

    fn issuer(ids: Option<&[&'static str]>) -> (Issuer, Jwks) {
        let issuer = Issuer::default();
        issuer.has(ids);
        (issuer.clone(), Jwks::fetched_by(issuer))
    }

    async fn finds(jwks: &Jwks, id: &str) -> Result<bool, NoKeys> {
        jwks.find(id, Algorithm::EdDSA).await.map(|key| key.is_some())
    }

    #[tokio::test(start_paused = true)]
    async fn keys_are_fetched_once_for_everybody_who_waits() {
        let (issuer, jwks) = issuer(Some(&["a"]));
        let found = futures_util::future::join_all((0..50).map(|_| finds(&jwks, "a"))).await;
        assert!(found.iter().all(|found| *found == Ok(true)));
        assert_eq!(issuer.fetches(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn unknown_keys_are_asked_for_and_not_too_often() {
        let (issuer, jwks) = issuer(Some(&["a"]));
        for _ in 0..1_000 {
            assert_eq!(finds(&jwks, "b").await, Ok(false));
        }
        assert_eq!(issuer.fetches(), 1);
        // A new key is found once it may be asked for.
        issuer.has(Some(&["a", "b"]));
        assert_eq!(finds(&jwks, "b").await, Ok(false));
        advance(Duration::from_secs(30)).await;
        assert_eq!((finds(&jwks, "b").await, issuer.fetches()), (Ok(true), 2));
        // And one that was withdrawn is gone with the next fetch.
        issuer.has(Some(&["b"]));
        advance(Duration::from_secs(30)).await;
        assert_eq!((finds(&jwks, "c").await, finds(&jwks, "a").await), (Ok(false), Ok(false)));
        assert_eq!(issuer.fetches(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn who_hangs_up_keeps_nobody_from_the_keys() {
        let (issuer, jwks) = issuer(Some(&["a"]));
        {
            let mut left = std::pin::pin!(finds(&jwks, "x"));
            assert!(futures_util::poll!(&mut left).is_pending());
        }
        assert_eq!((finds(&jwks, "a").await, issuer.fetches()), (Ok(true), 1));
    }

    #[tokio::test(start_paused = true)]
    async fn old_keys_stay_good_while_the_issuer_is_away_and_not_for_ever() {
        let (issuer, jwks) = issuer(Some(&["a"]));
        assert_eq!(finds(&jwks, "a").await, Ok(true));
        // What is no key takes none away.
        issuer.has(Some(&[]));
        advance(Duration::from_secs(60 * 60)).await;
        // Nobody waits for the new ones.
        assert_eq!((finds(&jwks, "a").await, issuer.fetches()), (Ok(true), 1));
        sleep(Duration::from_secs(2)).await;
        assert_eq!((finds(&jwks, "a").await, issuer.fetches()), (Ok(true), 2));
        advance(Duration::from_secs(23 * 60 * 60)).await;
        assert_eq!(finds(&jwks, "a").await, Err(NoKeys));
        issuer.has(Some(&["a"]));
        advance(Duration::from_secs(30)).await;
        assert_eq!(finds(&jwks, "a").await, Ok(true));
    }

    #[tokio::test(start_paused = true)]
    async fn without_keys_nobody_is_known() {
        for ids in [None, Some(&[][..]), Some(&["panic"][..])] {
            let (issuer, jwks) = issuer(ids);
            assert_eq!((finds(&jwks, "a").await, finds(&jwks, "a").await), (Err(NoKeys), Err(NoKeys)));
            assert_eq!(issuer.fetches(), 1);
            issuer.has(Some(&["a"]));
            advance(Duration::from_secs(30)).await;
            assert_eq!(finds(&jwks, "a").await, Ok(true), "a fetch that failed is tried again");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_fetch_that_takes_too_long_is_over() {
        let (issuer, jwks) = issuer(Some(&["a"]));
        let jwks = jwks.with_times(super::JwksTimes { fetch: Duration::from_millis(10), ..Default::default() });
        assert_eq!((finds(&jwks, "a").await, issuer.fetches()), (Err(NoKeys), 1));
    }

    #[tokio::test]
    async fn fixed_keys_stay() {
        let set = Issuer { ids: Arc::new(Mutex::new(Some(vec!["a"]))), ..Issuer::default() }.fetch().await.unwrap();
        let jwks = Jwks::fixed(str::from_utf8(&set).unwrap()).unwrap();
        assert_eq!((finds(&jwks, "a").await, finds(&jwks, "b").await), (Ok(true), Ok(false)));
        // Under this id, and of another kind.
        assert!(jwks.find("a", Algorithm::RS256).await.unwrap().is_none());
        for text in ["[]", r#"{"keys": []}"#] {
            assert!(Jwks::fixed(text).unwrap_err().to_string().starts_with("the keys cannot be read: "), "{text}");
        }
    }
}
