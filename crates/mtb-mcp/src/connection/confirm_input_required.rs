use std::borrow::Cow;

use mtb_bridge::{CallRequest, Carrier, DeclineDetail, WithdrawDetail};
use mtb_core::json::member;

use super::Connection;
use super::starting::Start;
use crate::actions::Actions;
use crate::answer::Answer;
use crate::params::{Params, is_object, string};
use crate::rpc_error::RpcError;
use crate::running::Origin;
use crate::task::{Done, TaskDone, TokenUse};
use crate::wire::elicitation::CONFIRM;
use crate::wording;

/// 2026-07-28/basic/patterns/mrtr: the call comes again, with the state that the first result gave and what the person
/// answered. The state is the token.
pub(super) struct Retry<'m> {
    state: Cow<'m, str>,
    answer: Option<Answer>,
}

impl<'m> Retry<'m> {
    /// `None` if the call has no state: then it is a call of its own, whatever answers it brings.
    pub(super) fn read(params: &Params<'m>) -> Result<Option<Self>, RpcError> {
        let responses = params.input_responses;
        let Some(state) = params.request_state else {
            return match responses {
                Some(responses) if !is_object(responses) => Err(RpcError::params(wording::RESPONSES_NO_OBJECT)),
                _ => Ok(None),
            };
        };
        let state = string(Some(state)).ok_or(RpcError::params(wording::STATE_NO_STRING))?;
        let answer = match responses {
            Some(responses) if !is_object(responses) => Some(Answer::Malformed),
            _ => responses.and_then(|responses| member(responses, CONFIRM)).map(Answer::read),
        };
        Ok(Some(Self { state, answer }))
    }
}

impl Retry<'_> {
    pub(super) fn into_state(self) -> String {
        self.state.into_owned()
    }
}

impl<C: Send + Sync + 'static> Connection<C> {
    pub(super) fn retry(&mut self, start: Start, retry: Retry<'_>, request: CallRequest, out: &mut Actions) {
        let state = retry.state.into_owned();
        let again = start.carrier;
        let start = Start { origin: Origin::Retry, carrier: Carrier::Elicited, ..start };
        match retry.answer {
            Some(Answer::Confirmed) => self.run(start, request.with_token(&state), out),
            Some(Answer::No(detail)) => self.decline_state(start, request.with_token(&state), detail, out),
            Some(Answer::Malformed) => {
                self.decline_state(start, request.with_token(&state), DeclineDetail::NotConfirmed, out);
            }
            None => self.ask_again(start, request.with_token(&state), again, out),
        }
    }

    fn decline_state(&mut self, start: Start, request: CallRequest, detail: DeclineDetail, out: &mut Actions) {
        self.start(
            start,
            |bridge, principal, options| async move {
                let request = request.with_options(options);
                TaskDone(Done::Declined(TokenUse::of(bridge.decline_call(&principal, request, detail).await)))
            },
            out,
        );
    }

    /// The client came back without the answer: the old state is spent, and the question is asked anew.
    fn ask_again(&mut self, start: Start, request: CallRequest, again: Carrier, out: &mut Actions) {
        self.start(
            start,
            |bridge, principal, options| async move {
                let (request, unanswered) = (request.with_options(options), WithdrawDetail::ElicitationFailed);
                TaskDone(Done::Outcome(bridge.ask_again(&principal, request, unanswered, again).await))
            },
            out,
        );
    }
}
