use std::borrow::Cow;

use mtb_bridge::{CallRequest, Carrier, DeclineDetail, WithdrawDetail};

use super::Connection;
use super::starting::Start;
use crate::actions::Actions;
use crate::answer::Answer;
use crate::params::{Params, is_object, member, string};
use crate::rpc_error::RpcError;
use crate::running::Origin;
use crate::task::{Done, TokenUse};
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
        if responses.is_some_and(|responses| !is_object(responses)) {
            return Err(RpcError::params(wording::RESPONSES_NO_OBJECT));
        }
        let Some(state) = params.request_state else { return Ok(None) };
        let state = string(Some(state)).ok_or(RpcError::params(wording::STATE_NO_STRING))?;
        let answer = responses.and_then(|responses| member(responses, CONFIRM)).map(Answer::read);
        Ok(Some(Self { state, answer }))
    }
}

impl<C: Send + Sync + 'static> Connection<C> {
    pub(super) fn retry(&mut self, start: Start, retry: Retry<'_>, request: CallRequest, out: &mut Actions) {
        let state = retry.state.into_owned();
        let again = start.carrier;
        let start = Start { origin: Origin::Retry, carrier: Carrier::Elicited, ..start };
        match retry.answer {
            Some(Answer::Confirmed) => self.run(start, request.with_token(&state), out),
            Some(Answer::No(detail)) => self.decline_state(start, state, detail, out),
            Some(Answer::Malformed) => self.decline_state(start, state, DeclineDetail::NotConfirmed, out),
            None => self.ask_again(start, state, again, request, out),
        }
    }

    fn decline_state(&mut self, start: Start, state: String, detail: DeclineDetail, out: &mut Actions) {
        self.start(
            start,
            |bridge, principal, options| async move {
                Done::Declined(TokenUse::of(bridge.decline(&principal, &state, detail, options).await))
            },
            out,
        );
    }

    /// The client came back without the answer: the old state is spent, and the question is asked anew.
    fn ask_again(&mut self, start: Start, state: String, again: Carrier, request: CallRequest, out: &mut Actions) {
        self.start(
            start,
            |bridge, principal, options| async move {
                let unanswered = WithdrawDetail::ElicitationFailed;
                if !bridge.withdraw(&principal, &state, unanswered, options.clone()).await {
                    return Done::BadState;
                }
                Done::Outcome(bridge.call_tool(&principal, request.with_options(options.carrier(again))).await)
            },
            out,
        );
    }
}
