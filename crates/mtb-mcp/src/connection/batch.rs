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
        let batch = self.batches.open();
        for span in batch_items(message) {
            let item = message.get(span).unwrap_or_default();
            self.take(Incoming::read(item, scan(item, &limits)), Some(batch), out);
        }
        self.settle(batch, out);
    }

    fn check_batch(&self, message: &[u8], whole: &Scan) -> Result<(), RpcError> {
        let invalid = |text| Err(RpcError::InvalidRequest(text));
        match whole.fault.map(|fault| fault.fault).filter(|fault| spoils_a_batch(*fault)) {
            Some(JsonFault::Oversize) => return invalid(wording::TOO_LONG),
            Some(_) => return Err(RpcError::Parse),
            None => {}
        }
        if !self.session.is_some_and(|session| session.client.version.has_batches()) {
            return invalid(wording::NO_BATCHES);
        }
        // As one: what is wrong with each of very many is longer to say than they are.
        let too_many = batch_items(message).nth(self.options.limits.batch_messages).is_some();
        match batch_items(message).next() {
            None => invalid(wording::EMPTY_BATCH),
            Some(_) if too_many => invalid(wording::LONG_BATCH),
            Some(_) => Ok(()),
        }
    }
}

/// Whether what is wrong with an array is wrong with all of it, and not with one of its messages.
pub(crate) fn spoils_a_batch(fault: JsonFault) -> bool {
    matches!(fault, JsonFault::Syntax | JsonFault::Encoding | JsonFault::Oversize)
}
