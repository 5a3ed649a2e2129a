use mtb_audit::WithdrawDetail;
use mtb_guard::{Carrier, Claimed, Presented, RefusalReason, Unanswered};
use tokio::sync::OwnedSemaphorePermit;

use super::Step;
use super::frame::Frame;
use super::refused;
use super::services::ClockFailed;
use super::unanswered;
use crate::registry::ToolRegistry;
use crate::request::{PresentedToken, RawArguments};

/// A call at the front door: nothing of it was checked.
pub(super) struct Received<C> {
    frame: Frame<C>,
    name: String,
    input: Input,
    slot: Option<OwnedSemaphorePermit>,
}

/// Where the arguments come from. What belongs to a token is on the heap: few calls have one, and the path of each would
/// have room for it.
pub(super) enum Input {
    /// The caller sent them.
    Sent(RawArguments),
    /// The caller sent them again, with a token that is spent by now.
    Repeated(RawArguments, Box<Presented>, Purpose),
    /// They were sealed when a person was asked, and the person said yes.
    Confirmed(Box<Claimed>),
    /// They were sealed when a person was asked, and nobody answered.
    AskAgain(Box<Unanswered>),
}

/// What a call that comes again with its token is to lead to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    /// Somebody said yes.
    Redeem,
    /// Nobody said anything: the question is withdrawn, for this reason, and asked anew through this carrier.
    AskAgain(WithdrawDetail, Carrier),
}

impl<C: Send + Sync + 'static> Received<C> {
    pub(super) fn called(frame: Frame<C>, name: String, arguments: RawArguments) -> Self {
        Self { frame, name, input: Input::Sent(arguments), slot: None }
    }

    /// Spends the token before anything else: presenting it is using it, whatever happens next.
    pub(super) async fn repeated(
        frame: Frame<C>,
        name: String,
        arguments: RawArguments,
        token: &PresentedToken,
        purpose: Purpose,
    ) -> Self {
        let presented = present(&frame, token).await;
        Self { frame, name, input: Input::Repeated(arguments, Box::new(presented), purpose), slot: None }
    }

    /// Spends the token, and learns from it which call it stands for.
    pub(super) async fn confirmed(
        mut frame: Frame<C>,
        registry: &ToolRegistry<C>,
        token: &PresentedToken,
    ) -> Step<Self> {
        let presented = present(&frame, token).await;
        let claimed = match frame.services.now() {
            Ok(now) => presented.claim(frame.principal.id(), frame.carrier(), None, now),
            Err(ClockFailed) => Err(presented.refuse(RefusalReason::StoreUnavailable)),
        };
        match claimed {
            Ok(claimed) => {
                frame.call_id = claimed.call_id();
                let name = claimed.tool().as_str().to_owned();
                Ok(Self { frame, name, input: Input::Confirmed(Box::new(claimed)), slot: None })
            }
            Err(refusal) => Err(refused::token_alone(&mut frame, registry, &refusal).await),
        }
    }

    /// Spends the token of a question that nobody answered; the call begins anew, to be asked through `carrier`.
    pub(super) async fn asked_anew(
        mut frame: Frame<C>,
        registry: &ToolRegistry<C>,
        token: &PresentedToken,
        detail: WithdrawDetail,
        carrier: Carrier,
    ) -> Step<Self> {
        let presented = present(&frame, token).await;
        match presented.claim_unanswered(frame.principal.id(), frame.carrier()) {
            Ok(claimed) => {
                frame.call_id = claimed.call_id();
                let name = claimed.tool().as_str().to_owned();
                let scope = frame.scope_of_name(registry, &name);
                frame.report(&scope, unanswered::Unanswered::Withdrawn(detail).event()).await;
                frame.options.carrier = carrier;
                Ok(Self { frame, name, input: Input::AskAgain(Box::new(claimed)), slot: None })
            }
            Err(refusal) => Err(refused::token_alone(&mut frame, registry, &refusal).await),
        }
    }

    /// Takes one of the bridge's slots for the way; without one the call ends here.
    pub(super) async fn with_a_slot(mut self, registry: &ToolRegistry<C>) -> Step<Self> {
        match std::sync::Arc::clone(&self.frame.services.slots).try_acquire_owned() {
            Ok(slot) => {
                self.slot = Some(slot);
                Ok(self)
            }
            Err(_) => Err(Box::new(refused::overloaded(&self.frame, registry, &self.name).await)),
        }
    }

    pub(super) fn into_parts(self) -> (Frame<C>, String, Input, Option<OwnedSemaphorePermit>) {
        (self.frame, self.name, self.input, self.slot)
    }
}

/// Takes the token out of the store. A clock that fails takes it out as well, and the token is good for nothing.
pub(super) async fn present<C>(frame: &Frame<C>, token: &PresentedToken) -> Presented {
    frame.services.take(&token.0).await
}
