use mtb_bridge::WithdrawDetail;
use mtb_core::json::{RequestId, member};

use super::Connection;
use crate::actions::Actions;
use crate::params::is_object;
use crate::running::{Fate, Stage};

impl<C: Send + Sync + 'static> Connection<C> {
    /// The client no longer wants an answer. What is not in flight, or not known, cannot be cancelled.
    pub(super) fn take_cancellation(&mut self, params: Option<&str>, out: &mut Actions) {
        let params = params.filter(|params| is_object(params));
        let id = params.and_then(|params| member(params, "requestId")).and_then(RequestId::from_json);
        let Some((id, stage)) = id.and_then(|id| self.requests.remove_entry(&id)) else { return };
        match stage {
            Stage::Task(task) => {
                let Some(running) = self.tasks.get_mut(&task) else { return };
                running.fate = Fate::Cancelled;
                running.cancellation.cancel();
                if let Some(batch) = running.to.batch {
                    self.settle(batch, out);
                }
            }
            Stage::Question(question) => {
                let Some(open) = self.questions.close(&question) else { return };
                let batch = open.to.batch;
                self.withdraw_question(&question, open, WithdrawDetail::Cancelled, Fate::Cancelled, out);
                if let Some(batch) = batch {
                    self.settle(batch, out);
                }
            }
            Stage::Subscription => self.subscriptions.close(&id),
            // Too late: the answer only waits for its neighbours.
            Stage::Gathered => {
                self.requests.insert(id, Stage::Gathered);
            }
        }
    }
}
