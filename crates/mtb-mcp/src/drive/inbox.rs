use std::fmt;
use std::sync::Arc;

use mtb_core::Principal;

use super::queue::Queue;

/// Messages that wait for their turn: an answer, a cancellation, and some that mean nothing. Past it they are dropped.
const WAITING: usize = 16;

/// Takes what the client sends about the request of an [`Exchange`](super::Exchange), from wherever it arrives. While
/// one is held, neither closing the exchange nor dropping it is hanging up.
#[derive(Debug, Clone)]
pub struct Inbox(Arc<Door>);

/// What a client sent about a request that is being served.
pub(super) struct FromClient {
    /// Who sent it, where that is found out anew with each message.
    pub(super) sender: Option<Principal>,
    pub(super) message: Arc<[u8]>,
}

/// Once nobody has it any more, the client has hung up.
#[derive(Debug)]
struct Door(Arc<Queue<FromClient>>);

impl Drop for Door {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Inbox {
    /// One, and what is read from it.
    pub(super) fn new() -> (Self, Arc<Queue<FromClient>>) {
        let queue = Arc::new(Queue::new());
        (Self(Arc::new(Door(Arc::clone(&queue)))), queue)
    }

    /// Whether both are of the same exchange.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Hands over what this principal sent, if there is room for it. What comes too late, is one of very many, or is
    /// from somebody else than whose request it is, is dropped. From then on the principal has the roles that it had when
    /// it sent this: a yes is worth what whoever says it may do.
    pub fn receive(&self, sender: &Principal, message: &Arc<[u8]>) {
        self.hand_over(Some(sender.clone()), Arc::clone(message));
    }

    pub(super) fn hand_over(&self, sender: Option<Principal>, message: Arc<[u8]>) {
        self.0.0.push_within(WAITING, FromClient { sender, message });
    }
}

/// A message holds content.
impl fmt::Debug for FromClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FromClient({} bytes)", self.message.len())
    }
}
