use mtb_bridge::WithdrawDetail;

use super::Connection;
use crate::actions::Actions;
use crate::running::Fate;

impl<C: Send + Sync + 'static> Connection<C> {
    pub(super) fn end_everything(&mut self, out: &mut Actions) {
        for running in self.tasks.values() {
            running.cancellation.cancel();
        }
        for (id, question) in self.questions.close_all() {
            self.withdraw_question(&id, question, WithdrawDetail::Closed, Fate::Wanted, out);
        }
        self.end_subscriptions(out);
    }
}
