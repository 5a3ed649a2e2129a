//! What clients before 2026-07-28 come back to.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mtb_core::json::RequestId;
use mtb_core::{Principal, PrincipalId};
use mtb_mcp::Message;
use mtb_mcp::drive::{Handshake, Inbox};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::options::HttpLimits;

/// Random bytes of a session's id.
const RANDOM: usize = 24;

/// No session lives as long, whatever a host asks for.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// One client of one principal, from `initialize` on.
pub(crate) struct Session {
    pub(crate) id: Box<str>,
    pub(crate) principal: PrincipalId,
    /// Not there yet while a client of HTTP+SSE has not said `initialize`.
    handshake: OnceLock<Handshake>,
    /// Takes everything to a client of HTTP+SSE.
    carrier: OnceLock<mpsc::Sender<Message>>,
    /// Cancelled once it is over: everything of it ends.
    pub(crate) ended: CancellationToken,
    /// It is over then, used or not.
    until: Instant,
    open: Mutex<Open>,
    /// Told when a request has its answer.
    done: Notify,
}

/// What is under way in a session.
struct Open {
    used: Instant,
    /// Questions that the client may answer, and whom they are from.
    questions: HashMap<Box<str>, Inbox>,
    /// Requests without an answer. Different ones may have the same id, since each has a connection of its own.
    requests: Vec<(RequestId, Inbox)>,
    /// Ends the stream on which this client is told of changes.
    stream: Option<CancellationToken>,
}

/// Why there is no session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoSession {
    /// There are as many as there may be.
    Full,
    /// The operating system gives no random bytes.
    NoRandomness,
}

impl Session {
    /// What `initialize` settled.
    pub(crate) fn handshake(&self) -> Option<Handshake> {
        self.handshake.get().copied()
    }

    /// Settles it, once.
    pub(crate) fn settle(&self, handshake: Handshake) {
        // Whoever says `initialize` again is refused by the connection.
        let _ = self.handshake.set(handshake);
    }

    /// What takes messages to a client of HTTP+SSE.
    pub(crate) fn carrier(&self) -> Option<mpsc::Sender<Message>> {
        self.carrier.get().cloned()
    }

    /// Everything goes to the client by this.
    pub(crate) fn carry(&self, carrier: mpsc::Sender<Message>) {
        // A session that was just begun has none.
        let _ = self.carrier.set(carrier);
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request of it is being served.
    pub(crate) fn serve(&self, id: RequestId, inbox: Inbox) {
        self.open().requests.push((id, inbox));
    }

    /// The client was asked this on behalf of a request.
    pub(crate) fn ask(&self, question: &str, inbox: Inbox) {
        self.open().questions.insert(question.into(), inbox);
    }

    /// A request, or a batch of them, has ended: nothing of it is to be kept.
    pub(crate) fn done(&self, inbox: &Inbox) {
        let mut open = self.open();
        open.requests.retain(|(_, other)| !other.is(inbox));
        open.questions.retain(|_, other| !other.is(inbox));
        open.used = Instant::now();
        drop(open);
        self.done.notify_waiters();
    }

    /// Over once no request is without an answer.
    pub(crate) async fn idle(&self) {
        loop {
            let done = self.done.notified();
            if self.open().requests.is_empty() {
                return;
            }
            done.await;
        }
    }

    /// Hands the answer to a question to whoever asked.
    pub(crate) fn answer(&self, question: &RequestId, sender: &Principal, message: &[u8]) {
        let asked = question.as_str().and_then(|id| self.open().questions.remove(id));
        if let Some(inbox) = asked {
            inbox.receive(sender, &message.into());
        }
    }

    /// Tells the requests with this id that they are not wanted any more.
    pub(crate) fn cancel(&self, id: &RequestId, sender: &Principal, message: &[u8]) {
        let message = message.into();
        for (_, inbox) in self.open().requests.iter().filter(|(request, _)| request == id) {
            inbox.receive(sender, &message);
        }
    }

    /// Over once it is too old; then everything of it ends.
    pub(crate) async fn grow_old(&self) {
        sleep_until(self.until).await;
        self.ended.cancel();
    }

    /// A stream to tell of changes. There is one: an older one ends.
    pub(crate) fn stream(&self) -> CancellationToken {
        let ended = self.ended.child_token();
        if let Some(older) = self.open().stream.replace(ended.clone()) {
            older.cancel();
        }
        ended
    }

    fn is_busy(&self) -> bool {
        let open = self.open();
        !open.requests.is_empty() || open.stream.as_ref().is_some_and(|stream| !stream.is_cancelled())
    }
}

/// Shows nothing that lets anybody in.
impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("principal", &self.principal).finish_non_exhaustive()
    }
}

/// All sessions.
pub(crate) struct Sessions {
    limits: HttpLimits,
    all: Mutex<All>,
}

#[derive(Default)]
struct All {
    by_id: HashMap<Box<str>, Arc<Session>>,
    /// How many each principal has.
    counts: HashMap<PrincipalId, usize>,
}

impl Sessions {
    pub(crate) fn within(limits: HttpLimits) -> Self {
        Self { limits, all: Mutex::default() }
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new one, that is over once `ended` is cancelled.
    ///
    /// # Errors
    /// When there is no room, or no randomness.
    pub(crate) fn begin(
        &self,
        principal: &PrincipalId,
        handshake: Option<Handshake>,
        ended: CancellationToken,
    ) -> Result<Arc<Session>, NoSession> {
        let mut bytes = [0; RANDOM];
        getrandom::fill(&mut bytes).map_err(|_| NoSession::NoRandomness)?;
        let id: Box<str> = URL_SAFE_NO_PAD.encode(bytes).into();
        let mut all = self.all();
        if all.by_id.len() >= self.limits.sessions {
            all.end_if(|session| self.is_over(session));
        }
        if all.by_id.len() >= self.limits.sessions {
            all.end_one_of_most(principal);
        }
        if all.count(principal) >= self.limits.sessions_of_one {
            all.end_idlest_of(principal);
        }
        if all.by_id.len() >= self.limits.sessions || all.count(principal) >= self.limits.sessions_of_one {
            return Err(NoSession::Full);
        }
        let now = Instant::now();
        let open = Open { used: now, questions: HashMap::new(), requests: Vec::new(), stream: None };
        let session = Arc::new(Session {
            id: id.clone(),
            principal: principal.clone(),
            handshake: handshake.map(OnceLock::from).unwrap_or_default(),
            carrier: OnceLock::new(),
            ended,
            until: now.checked_add(self.limits.session_age).unwrap_or(now + LONGEST),
            open: Mutex::new(open),
            done: Notify::new(),
        });
        all.by_id.insert(id, Arc::clone(&session));
        *all.counts.entry(principal.clone()).or_default() += 1;
        Ok(session)
    }

    /// The session of this id, if it is this principal's. Nobody learns whether another has it.
    pub(crate) fn find(&self, id: &str, principal: &PrincipalId) -> Option<Arc<Session>> {
        let mut all = self.all();
        let session = all.by_id.get(id).filter(|session| session.principal == *principal)?;
        let session = Arc::clone(session);
        if self.is_over(&session) {
            all.end(&session);
            return None;
        }
        session.open().used = Instant::now();
        Some(session)
    }

    /// Ends it, and everything of it.
    pub(crate) fn end(&self, session: &Session) {
        self.all().end(session);
    }

    fn is_over(&self, session: &Session) -> bool {
        session.ended.is_cancelled()
            || session.until <= Instant::now()
            || (!session.is_busy() && session.open().used.elapsed() >= self.limits.session_idle)
    }
}

impl All {
    fn count(&self, principal: &PrincipalId) -> usize {
        self.counts.get(principal).copied().unwrap_or_default()
    }

    fn end(&mut self, session: &Session) {
        if self.by_id.remove(&session.id).is_none() {
            return;
        }
        session.ended.cancel();
        match self.counts.get_mut(&session.principal) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                self.counts.remove(&session.principal);
            }
        }
    }

    fn end_if(&mut self, is_over: impl Fn(&Session) -> bool) {
        let over: Vec<_> = self.by_id.values().filter(|session| is_over(session)).cloned().collect();
        for session in &over {
            self.end(session);
        }
    }

    /// Whoever has most that is not under way makes room for who has fewer: nobody keeps all others out, however many
    /// names they have.
    fn end_one_of_most(&mut self, principal: &PrincipalId) {
        let own = self.count(principal);
        let theirs = self.by_id.values().map(|session| (self.count(&session.principal), session));
        let idle = theirs.filter(|(count, session)| *count > own + 1 && !session.is_busy());
        let one = idle.max_by_key(|(count, session)| (*count, Reverse(session.open().used)));
        if let Some(session) = one.map(|(_, session)| Arc::clone(session)) {
            self.end(&session);
        }
    }

    /// A client that lost its sessions need not wait until they are over; what is under way goes on.
    fn end_idlest_of(&mut self, principal: &PrincipalId) {
        let of_them = self.by_id.values().filter(|session| session.principal == *principal && !session.is_busy());
        let idlest = of_them.min_by_key(|session| session.open().used).cloned();
        if let Some(session) = idlest {
            self.end(&session);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use mtb_core::PrincipalId;
    use mtb_mcp::drive::Handshake;
    use tokio::time::advance;
    use tokio_util::sync::CancellationToken;

    use super::{NoSession, Session, Sessions};
    use crate::options::HttpLimits;

    fn sessions() -> Sessions {
        Sessions::within(HttpLimits { sessions: 3, sessions_of_one: 2, ..HttpLimits::default() })
    }

    fn begin(sessions: &Sessions, principal: &str) -> Result<Arc<Session>, NoSession> {
        let handshake = Handshake::settled("2025-11-25", "{}");
        sessions.begin(&PrincipalId::new(principal).unwrap(), Some(handshake), CancellationToken::new())
    }

    fn finds(sessions: &Sessions, session: &Session, principal: &str) -> bool {
        sessions.find(&session.id, &PrincipalId::new(principal).unwrap()).is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_is_its_principals_alone() {
        let sessions = sessions();
        let session = begin(&sessions, "alice").unwrap();
        assert!(finds(&sessions, &session, "alice") && !finds(&sessions, &session, "bob"));
        assert!(session.id.len() >= 32 && session.id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)));
        sessions.end(&session);
        assert!(!finds(&sessions, &session, "alice") && session.ended.is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn there_are_so_many_in_all() {
        let sessions = sessions();
        let _ = [begin(&sessions, "alice"), begin(&sessions, "bob")];
        let idle = begin(&sessions, "carol").unwrap();
        assert_eq!(begin(&sessions, "dave").unwrap_err(), NoSession::Full);
        sessions.end(&idle);
        begin(&sessions, "dave").unwrap();
        advance(Duration::from_secs(30 * 60)).await;
        begin(&sessions, "erin").unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_too_many_loses_the_idlest() {
        let sessions = sessions();
        let one = begin(&sessions, "alice").unwrap();
        advance(Duration::from_secs(1)).await;
        let two = begin(&sessions, "alice").unwrap();
        advance(Duration::from_secs(1)).await;
        assert!(finds(&sessions, &one, "alice"));
        let three = begin(&sessions, "alice").unwrap();
        assert!(two.ended.is_cancelled() && !one.ended.is_cancelled());
        // What is in use is not taken away.
        let _streams = [one.stream(), three.stream()];
        assert_eq!(begin(&sessions, "alice").unwrap_err(), NoSession::Full);
    }

    #[tokio::test(start_paused = true)]
    async fn sessions_end_when_they_are_idle_or_old() {
        let sessions = sessions();
        let (idle, used) = (begin(&sessions, "alice").unwrap(), begin(&sessions, "bob").unwrap());
        let _stream = used.stream();
        advance(Duration::from_secs(30 * 60)).await;
        assert!(!finds(&sessions, &idle, "alice") && idle.ended.is_cancelled());
        assert!(finds(&sessions, &used, "bob"));
        advance(Duration::from_secs(24 * 60 * 60)).await;
        assert!(!finds(&sessions, &used, "bob") && used.ended.is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn a_newer_stream_ends_the_older() {
        let sessions = sessions();
        let session = begin(&sessions, "alice").unwrap();
        let older = session.stream();
        let newer = session.stream();
        assert!(older.is_cancelled() && !newer.is_cancelled());
        sessions.end(&session);
        assert!(newer.is_cancelled());
    }
}
