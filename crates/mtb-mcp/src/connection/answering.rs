use mtb_core::json::RequestId;

use super::Connection;
use crate::actions::{Action, Actions};
use crate::batches::BatchId;
use crate::message::Message;
use crate::reply_to::ReplyTo;
use crate::rpc_error::RpcError;
use crate::running::Stage;
use crate::wire::message;
use crate::wording;

impl<C: Send + Sync + 'static> Connection<C> {
    /// Sends the one answer to a request, which must not be among the open ones any more.
    pub(super) fn answer(&mut self, to: &ReplyTo, message: Message, out: &mut Actions) {
        let Some(batch) = to.batch else {
            return out.push(Action::Send(message));
        };
        if self.batches.has_room(batch, &message, self.options.limits.batch_answer_bytes) {
            self.batches.add(batch, message.as_bytes());
        } else {
            let error = RpcError::Internal(wording::LARGE_BATCH);
            self.batches.add(batch, message::error(Some(&to.id), &error).as_bytes());
        }
        self.batches.keep(batch, &to.id);
        self.requests.insert(to.id.clone(), Stage::Gathered);
        self.settle(batch, out);
    }

    pub(super) fn refuse(&mut self, to: &ReplyTo, error: &RpcError, out: &mut Actions) {
        self.answer(to, message::error(Some(&to.id), error), out);
    }

    /// Answers what never became a request of this connection.
    pub(super) fn refuse_unread(
        &mut self,
        id: Option<&RequestId>,
        error: &RpcError,
        batch: Option<BatchId>,
        out: &mut Actions,
    ) {
        let message = message::error(id, error);
        match batch {
            None => out.push(Action::Send(message)),
            Some(batch) => self.batches.add(batch, message.as_bytes()),
        }
    }

    /// One request of the batch waits no longer. The last one sends it.
    pub(super) fn settle(&mut self, batch: BatchId, out: &mut Actions) {
        let Some(gathered) = self.batches.settle(batch) else { return };
        for id in &gathered.answered {
            self.requests.remove(id);
        }
        if let Some(message) = gathered.message {
            out.push(Action::Send(message));
        }
    }
}
