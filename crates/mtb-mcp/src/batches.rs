use std::collections::BTreeMap;

use mtb_core::json::RequestId;

use crate::message::{Message, MessageKind};

/// Names one batch whose answers are being gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BatchId(u64);

/// Batches whose answers leave together.
#[derive(Default)]
pub(crate) struct Batches {
    opened: u64,
    open: BTreeMap<BatchId, Batch>,
}

#[derive(Default)]
struct Batch {
    /// Requests without an answer, and one more while messages of the batch are still being taken.
    waiting: usize,
    /// `[` and the answers so far.
    body: Vec<u8>,
    /// The ids that were answered in it: they are in use until it leaves.
    answered: Vec<RequestId>,
}

/// A batch that is complete.
pub(crate) struct Gathered {
    /// One array of answers, if there are any.
    pub(crate) message: Option<Message>,
    /// Whose answers they are.
    pub(crate) answered: Vec<RequestId>,
}

impl Batches {
    /// Opens a batch. It stays open until it is [`settle`](Self::settle)d once more than it had requests.
    pub(crate) fn open(&mut self) -> BatchId {
        self.opened += 1;
        let id = BatchId(self.opened);
        self.open.insert(id, Batch { waiting: 1, ..Batch::default() });
        id
    }

    /// One more request of it waits for its answer.
    pub(crate) fn wait(&mut self, id: BatchId) {
        if let Some(batch) = self.open.get_mut(&id) {
            batch.waiting += 1;
        }
    }

    /// Whether an answer fits to those that are there.
    pub(crate) fn has_room(&self, id: BatchId, message: &Message, most: usize) -> bool {
        let taken = self.open.get(&id).map_or(0, |batch| batch.body.len());
        taken.saturating_add(message.as_bytes().len()) <= most
    }

    /// Puts an answer in.
    pub(crate) fn add(&mut self, id: BatchId, message: &[u8]) {
        if let Some(batch) = self.open.get_mut(&id) {
            batch.body.push(if batch.body.is_empty() { b'[' } else { b',' });
            batch.body.extend_from_slice(message);
        }
    }

    /// Keeps an id in use until the batch leaves.
    pub(crate) fn keep(&mut self, id: BatchId, answered: &RequestId) {
        if let Some(batch) = self.open.get_mut(&id) {
            batch.answered.push(answered.clone());
        }
    }

    /// One request fewer waits, answered or not. Gives the batch when that was the last.
    pub(crate) fn settle(&mut self, id: BatchId) -> Option<Gathered> {
        let batch = self.open.get_mut(&id)?;
        batch.waiting = batch.waiting.saturating_sub(1);
        if batch.waiting > 0 {
            return None;
        }
        let Batch { mut body, answered, .. } = self.open.remove(&id)?;
        let message = if body.is_empty() {
            None
        } else {
            body.push(b']');
            Some(Message::new(body, MessageKind::Result))
        };
        Some(Gathered { message, answered })
    }
}
