use mtb_core::json::{JsonFault, Scan, batch_items, scan};

use super::Connection;
use crate::actions::Actions;
use crate::incoming::Incoming;
use crate::rpc_error::RpcError;
use crate::wording;

/// Most messages of one batch.
const MAX_MESSAGES: usize = 64;

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
        match whole.fault.map(|fault| fault.fault) {
            Some(JsonFault::Syntax | JsonFault::Encoding) => return Err(RpcError::Parse),
            Some(JsonFault::Oversize) => return invalid(wording::TOO_LONG),
            _ => {}
        }
        if !self.session.is_some_and(|session| session.client.version.has_batches()) {
            return invalid(wording::NO_BATCHES);
        }
        match batch_items(message).take(MAX_MESSAGES + 1).count() {
            0 => invalid(wording::EMPTY_BATCH),
            1..=MAX_MESSAGES => Ok(()),
            _ => invalid(wording::LONG_BATCH),
        }
    }
}
