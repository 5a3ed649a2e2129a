use mtb_core::json::{JsonFault, Scan, batch_items, scan};

use super::Connection;
use crate::actions::Actions;
use crate::incoming::Incoming;
use crate::rpc_error::RpcError;
use crate::wording;

impl<C: Send + Sync + 'static> Connection<C> {
    /// Takes each message of a batch by itself and gathers the answers. Values that are at fault spoil only the
    /// message they are in.
    pub(super) fn take_batch(&mut self, message: &[u8], whole: &Scan, out: &mut Actions) {
        if let Err(error) = self.check_batch(message, whole) {
            return self.refuse_unread(None, &error, None, out);
        }
        let limits = self.options.limits.scan();
        let too_many = batch_items(message).nth(self.options.limits.batch_messages).is_some();
        let batch = self.batches.open();
        let mut has_nameless = false;
        for span in batch_items(message) {
            let item = message.get(span).unwrap_or_default();
            let mut incoming = Incoming::read(item, scan(item, &limits));
            if too_many {
                has_nameless |= matches!(incoming, Incoming::Malformed { id: None, .. });
                incoming = incoming.refused(wording::LONG_BATCH);
            }
            self.take(incoming, Some(batch), out);
        }
        if has_nameless {
            // Once for all of them: there may be many, and each is shorter than its answer.
            self.refuse_unread(None, &RpcError::InvalidRequest(wording::LONG_BATCH), Some(batch), out);
        }
        self.settle(batch, out);
    }

    fn check_batch(&self, message: &[u8], whole: &Scan) -> Result<(), RpcError> {
        let invalid = |text| Err(RpcError::InvalidRequest(text));
        match whole.fault.map(|fault| fault.fault) {
            Some(JsonFault::Syntax | JsonFault::Encoding) => return Err(RpcError::Parse),
            Some(JsonFault::Oversize) => return invalid(wording::TOO_LONG),
            _ => {}
        }
        if !self.session.is_some_and(|session| session.client.version.has_batches()) {
            return invalid(wording::NO_BATCHES);
        }
        // Each is a value of the message, which has so many at most.
        let too_many = batch_items(message).nth(self.options.limits.json.nodes).is_some();
        match batch_items(message).next() {
            None => invalid(wording::EMPTY_BATCH),
            Some(_) if too_many => invalid(wording::LONG_BATCH),
            Some(_) => Ok(()),
        }
    }
}
