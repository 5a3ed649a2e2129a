use mtb_core::Transport;
use mtb_core::json::{RequestId, member};

use super::Connection;
use crate::actions::{Action, Actions};
use crate::era::Phase;
use crate::params::{Params, is_object};
use crate::reply_to::ReplyTo;
use crate::rpc_error::RpcError;
use crate::running::Stage;
use crate::wire::notifications::{self, Subscribed};
use crate::wording;

/// Open subscriptions, in the order they were opened.
#[derive(Default)]
pub(super) struct Subscriptions(Vec<(RequestId, Subscribed)>);

impl Subscriptions {
    pub(super) fn are_to_tools(&self) -> bool {
        self.0.iter().any(|(_, subscribed)| *subscribed == Subscribed::ToTools)
    }

    pub(super) fn close(&mut self, id: &RequestId) {
        self.0.retain(|(open, _)| open != id);
    }
}

impl<C: Send + Sync + 'static> Connection<C> {
    /// 2026-07-28/basic/patterns/subscriptions: acknowledged at once, answered when it ends.
    pub(super) fn listen(&mut self, to: &ReplyTo, params: &Params<'_>, out: &mut Actions) -> Result<(), RpcError> {
        let filter = params.notifications.filter(|filter| is_object(filter));
        let filter = filter.ok_or(RpcError::params(wording::NO_FILTER))?;
        let subscribed = match member(filter, "toolsListChanged") {
            Some("true") => Subscribed::ToTools,
            Some("false") | None => Subscribed::ToNothing,
            Some(_) => return Err(RpcError::params(wording::NO_FILTER)),
        };
        if self.subscriptions.0.len() >= self.options.limits.subscriptions {
            return Err(RpcError::Internal(wording::TOO_MANY_STREAMS));
        }
        self.subscriptions.0.push((to.id.clone(), subscribed));
        self.requests.insert(to.id.clone(), Stage::Subscription);
        out.push(Action::Send(notifications::acknowledged(&to.id, subscribed)));
        Ok(())
    }

    pub(super) fn tell_tools_changed(&mut self, out: &mut Actions) {
        if self.session.is_some_and(|session| session.phase == Phase::Ready) {
            out.push(Action::Send(notifications::tools_changed()));
        }
        for (id, subscribed) in &self.subscriptions.0 {
            if *subscribed == Subscribed::ToTools {
                out.push(Action::Send(notifications::subscribed_tools_changed(id)));
            }
        }
    }

    pub(super) fn end_subscriptions(&mut self, out: &mut Actions) {
        for (id, _) in std::mem::take(&mut self.subscriptions.0) {
            self.requests.remove(&id);
            // The pages disagree on how a stream is torn down: the one on subscriptions asks for the result, the one
            // on cancellation for a notification, on stdio. Clients of either kind find what they wait for.
            if self.transport == Transport::STDIO {
                out.push(Action::Send(notifications::cancelled(&id, wording::STREAM_ENDED)));
            }
            out.push(Action::Send(notifications::stream_ended(&id, self.options.identity.as_json())));
        }
    }
}
