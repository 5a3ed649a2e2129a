use mtb_bridge::{CallOutcome, Confirmation, Rejection, WithdrawDetail};
use mtb_core::{CallId, can_access};

use super::starting::Start;
use super::{Connection, Life};
use crate::actions::Actions;
use crate::message::Message;
use crate::rpc_error::RpcError;
use crate::running::{Asks, Fate, Origin, Running, Slot};
use crate::task::{Done, TaskId, TokenUse};
use crate::wire::call_result::{self, OutputSchema};
use crate::wording;

/// An answer to a call: a result, already written, or a JSON-RPC error.
type CallAnswer = Result<Message, RpcError>;

impl<C: Send + Sync + 'static> Connection<C> {
    pub(super) fn finish(&mut self, task: TaskId, done: Done, out: &mut Actions) {
        let Some(running) = self.tasks.remove(&task) else { return };
        if running.slot == Slot::Taken {
            self.slots_taken = self.slots_taken.saturating_sub(1);
        }
        if running.fate == Fate::Wanted {
            self.requests.remove(&running.to.id);
        }
        let done = match done {
            Done::Outcome(CallOutcome::ConfirmationRequired { call_id, confirmation }) => {
                return self.held(running, call_id, confirmation, out);
            }
            other => other,
        };
        if running.fate == Fate::Cancelled {
            return;
        }
        match self.answer_to(&running, done) {
            Ok(message) => self.answer(&running.to, message, out),
            Err(error) => self.refuse(&running.to, &error, out),
        }
    }

    /// A person has to be asked, unless nobody waits any more.
    fn held(&mut self, running: Running, call_id: CallId, confirmation: Confirmation, out: &mut Actions) {
        if running.fate == Fate::Cancelled {
            return self.withdraw_unasked(running, confirmation, WithdrawDetail::Cancelled, out);
        }
        if self.life == Life::Closed {
            return self.withdraw_unasked(running, confirmation, WithdrawDetail::Closed, out);
        }
        let message = match running.asks {
            Asks::Request => return self.ask(running, confirmation, out),
            Asks::Result => call_result::asked(&running.to, &self.options.identity, &confirmation),
            Asks::Host => call_result::held(&running.to, &self.options.identity, call_id, &confirmation),
        };
        self.answer(&running.to, message, out);
    }

    fn withdraw_unasked(
        &mut self,
        running: Running,
        confirmation: Confirmation,
        detail: WithdrawDetail,
        out: &mut Actions,
    ) {
        let Running { to, tool, asks, origin, fate, .. } = running;
        let carrier = asks.carrier();
        let start = Start { to, tool, asks, origin, slot: Slot::NotNeeded, fate, reports: None, carrier };
        self.withdraw(start, confirmation, detail, out);
    }

    fn answer_to(&self, running: &Running, done: Done) -> CallAnswer {
        let Running { to, tool, origin, .. } = running;
        let failed = |text: &str| Ok(call_result::failed(to, &self.options.identity, text));
        match done {
            Done::Outcome(outcome) => self.answer_to_outcome(running, &outcome),
            Done::Declined(token) => {
                let (tool, schema) = match (*origin, token) {
                    (Origin::Retry, TokenUse::Bad) => return Err(RpcError::params(wording::BAD_STATE)),
                    (Origin::Retry, TokenUse::Good) => (tool, self.output_schema(tool)?),
                    (Origin::Question(schema), _) => (tool, schema),
                    (Origin::Call, _) => (tool, OutputSchema::None),
                };
                Ok(call_result::declined(to, &self.options.identity, tool, schema))
            }
            Done::Withdrawn => failed(wording::CANCELLED),
            Done::Unusable(error) => Err(error),
        }
    }

    fn answer_to_outcome(&self, running: &Running, outcome: &CallOutcome) -> CallAnswer {
        let Running { to, tool, origin, .. } = running;
        let failed = |text: &str| Ok(call_result::failed(to, &self.options.identity, text));
        match outcome {
            CallOutcome::Completed { result, .. } => Ok(call_result::answered(to, &self.options.identity, result)),
            CallOutcome::ToolError { failure, .. } => failed(&wording::failure(failure)),
            CallOutcome::InvalidArguments { issues, .. } => failed(&wording::invalid_arguments(tool, issues)),
            CallOutcome::ConfirmationRequired { .. } => failed(wording::CONFIRMATION_REFUSED),
            CallOutcome::Rejected { rejection: Rejection::UnknownTool, .. } => Err(unknown(tool)),
            CallOutcome::Rejected {
                rejection: Rejection::ConfirmationInvalid | Rejection::ConfirmationExpired,
                ..
            } if *origin == Origin::Retry => Err(RpcError::params(wording::BAD_STATE)),
            CallOutcome::Rejected { rejection, .. } => failed(wording::rejection(*rejection)),
        }
    }

    /// Of a tool that the principal may use; any other is unknown to it.
    fn output_schema(&self, name: &str) -> Result<OutputSchema, RpcError> {
        let tool = self.bridge.registry().get(name).ok_or_else(|| unknown(name))?;
        if !can_access(tool.declaration(), &self.principal) {
            return Err(unknown(name));
        }
        Ok(OutputSchema::of(tool.declaration().output().is_some()))
    }
}

fn unknown(tool: &str) -> RpcError {
    RpcError::InvalidParams(wording::unknown_tool(tool).into())
}
