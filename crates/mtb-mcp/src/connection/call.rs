use std::borrow::Cow;

use mtb_bridge::{CallRequest, Carrier, RawArguments};

use super::Connection;
use super::starting::Start;
use crate::actions::Actions;
use crate::era::{Asking, Client};
use crate::params::{Params, is_object, member, string};
use crate::reply_to::ReplyTo;
use crate::rpc_error::RpcError;
use crate::running::{Asks, Fate, Origin, Reports, Slot};
use crate::server_options::Elicitation;
use crate::task::Done;
use crate::wording;

impl<C: Send + Sync + 'static> Connection<C> {
    pub(super) fn call(
        &mut self,
        to: &ReplyTo,
        client: Client,
        params: &Params<'_>,
        out: &mut Actions,
    ) -> Result<(), RpcError> {
        let name = string(params.name).ok_or(RpcError::params(wording::NO_NAME))?;
        let arguments = params.arguments.unwrap_or("{}");
        if !is_object(arguments) {
            return Err(RpcError::params(wording::ARGUMENTS_NO_OBJECT));
        }
        let reports = params.meta.progress_token()?.map(Reports::to);
        let retry = if client.version.is_modern() { super::confirm_input_required::Retry::read(params)? } else { None };
        let presented = params.meta.confirmation.map(host_token);
        if retry.is_some() && presented.is_some() {
            return Err(RpcError::params(wording::TWO_CONFIRMATIONS));
        }
        if self.slots_taken >= self.options.limits.in_flight {
            self.refuse_busy(to, &name, out);
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

    pub(super) fn run(&mut self, start: Start, request: CallRequest, out: &mut Actions) {
        self.start(
            start,
            |bridge, principal, options| async move {
                Done::Outcome(bridge.call_tool(&principal, request.with_options(options)).await)
            },
            out,
        );
    }

    fn refuse_busy(&mut self, to: &ReplyTo, name: &str, out: &mut Actions) {
        let start = Start {
            to: to.clone(),
            tool: name.into(),
            asks: Asks::Host,
            origin: Origin::Call,
            slot: Slot::NotNeeded,
            fate: Fate::Wanted,
            reports: None,
            carrier: Carrier::Host,
        };
        // The arguments are of no use, and there may be many of such calls.
        let request = CallRequest::new(name, RawArguments::text("{}"));
        self.start(
            start,
            |bridge, principal, options| async move {
                Done::Outcome(bridge.refuse_overloaded(&principal, request.with_options(options)).await)
            },
            out,
        );
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

/// The token under the confirmation key. Whatever else is there was meant as one, and is none that was ever issued.
fn host_token(confirmation: &str) -> Cow<'_, str> {
    let token = Some(confirmation).filter(|value| is_object(value)).and_then(|value| member(value, "token"));
    string(token).unwrap_or_default()
}
