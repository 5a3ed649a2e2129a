use std::borrow::Cow;

use mtb_bridge::{CallRequest, Carrier, RawArguments};
use mtb_core::json::member;

use super::Connection;
use super::confirm_input_required::Retry;
use super::starting::Start;
use crate::actions::Actions;
use crate::era::{Asking, Client};
use crate::params::{Params, is_object, string};
use crate::reply_to::ReplyTo;
use crate::rpc_error::RpcError;
use crate::running::{Asks, Fate, Origin, Reports, Slot};
use crate::server_options::Elicitation;
use crate::task::{Done, TaskDone};
use crate::wording;

impl<C: Send + Sync + 'static> Connection<C> {
    pub(super) fn call(
        &mut self,
        to: &ReplyTo,
        client: Client,
        params: &Params<'_>,
        out: &mut Actions,
    ) -> Result<(), RpcError> {
        let presented = params.meta.confirmation.map(host_token);
        let retry = if client.version.is_modern() { Retry::read(params) } else { Ok(None) };
        let (retry, spoilt) = match retry {
            Ok(retry) => (retry, None),
            Err(error) => (None, Some(error)),
        };
        let readable = spoilt.map_or_else(|| readable(params, retry.is_some(), presented.is_some()), Err);
        let (name, reports) = match readable {
            Ok(readable) => readable,
            Err(error) => return self.refuse_call(to, retry, presented, error, out),
        };
        let arguments = params.arguments.unwrap_or("{}");
        if self.slots_taken >= self.options.limits.in_flight {
            let token = retry.map(Retry::into_state).or(presented.map(Cow::into_owned));
            self.refuse_busy(to, &name, token, out);
            return Ok(());
        }

        let asks = self.asks(client);
        let start = Start {
            to: to.clone(),
            tool: (&*name).into(),
            asks,
            origin: Origin::Call,
            slot: Slot::Taken,
            fate: Fate::Wanted,
            reports,
            carrier: asks.carrier(),
        };
        let request = CallRequest::new(&name, RawArguments::text(arguments));
        match (retry, presented) {
            (Some(retry), _) => self.retry(start, retry, request, out),
            (None, Some(token)) => self.run(Start { carrier: Carrier::Host, ..start }, request.with_token(&token), out),
            (None, None) => self.run(start, request, out),
        }
        Ok(())
    }

    /// A request that is refused for what stands around it, whatever it says.
    pub(super) fn refuse_around(
        &mut self,
        to: &ReplyTo,
        method: &str,
        params: &Params<'_>,
        error: RpcError,
        out: &mut Actions,
    ) -> Result<(), RpcError> {
        if method != "tools/call" {
            return Err(error);
        }
        let (retry, presented) = (Retry::read(params).ok().flatten(), params.meta.confirmation.map(host_token));
        self.refuse_call(to, retry, presented, error, out)
    }

    /// A call that will not be looked at: what was presented with it is spent.
    fn refuse_call(
        &mut self,
        to: &ReplyTo,
        retry: Option<Retry<'_>>,
        presented: Option<Cow<'_, str>>,
        error: RpcError,
        out: &mut Actions,
    ) -> Result<(), RpcError> {
        if retry.is_none() && presented.is_none() {
            return Err(error);
        }
        let (state, host) = (retry.map(Retry::into_state), presented.map(Cow::into_owned));
        self.spend(Self::aside(to, ""), state, host, error, out);
        Ok(())
    }

    pub(super) fn run(&mut self, start: Start, request: CallRequest, out: &mut Actions) {
        self.start(
            start,
            |bridge, principal, options| async move {
                TaskDone(Done::Outcome(bridge.call_tool(&principal, request.with_options(options)).await))
            },
            out,
        );
    }

    fn refuse_busy(&mut self, to: &ReplyTo, name: &str, token: Option<String>, out: &mut Actions) {
        // The arguments are of no use, and there may be many of such calls.
        let request = CallRequest::new(name, RawArguments::text("{}"));
        let request = match token {
            Some(token) => request.with_token(&token),
            None => request,
        };
        let start = Self::aside(to, name);
        self.start(
            start,
            |bridge, principal, options| async move {
                TaskDone(Done::Outcome(bridge.refuse_overloaded(&principal, request.with_options(options)).await))
            },
            out,
        );
    }

    /// What is done for a call that will not run.
    fn aside(to: &ReplyTo, name: &str) -> Start {
        Start {
            to: to.clone(),
            tool: name.into(),
            asks: Asks::Host,
            origin: Origin::Call,
            slot: Slot::NotNeeded,
            fate: Fate::Wanted,
            reports: None,
            carrier: Carrier::Host,
        }
    }

    /// How a person is asked if the call turns out to be held.
    fn asks(&self, client: Client) -> Asks {
        let room = self.questions.len() < self.options.limits.pending_questions;
        match (self.options.elicitation, client.asking) {
            (Elicitation::Offered, Asking::InBand) if client.version.is_modern() => Asks::Result,
            (Elicitation::Offered, Asking::InBand) if room => Asks::Request,
            (Elicitation::Offered | Elicitation::Off, _) => Asks::Host,
        }
    }
}

/// The parts of a call that must be right before it can be looked at: its name, its arguments, whom to tell of
/// progress, and that it brings one confirmation at most.
fn readable<'m>(
    params: &Params<'m>,
    has_state: bool,
    has_token: bool,
) -> Result<(Cow<'m, str>, Option<Reports>), RpcError> {
    let name = string(params.name).ok_or(RpcError::params(wording::NO_NAME))?;
    if !params.arguments.is_none_or(is_object) {
        return Err(RpcError::params(wording::ARGUMENTS_NO_OBJECT));
    }
    let reports = params.meta.progress_token()?.map(Reports::to);
    if has_state && has_token {
        return Err(RpcError::params(wording::TWO_CONFIRMATIONS));
    }
    Ok((name, reports))
}

/// The token under the confirmation key. Whatever else is there was meant as one, and is none that was ever issued.
fn host_token(confirmation: &str) -> Cow<'_, str> {
    let token = Some(confirmation).filter(|value| is_object(value)).and_then(|value| member(value, "token"));
    string(token).unwrap_or_default()
}
