use mtb_audit::{DeclineDetail, EventKind, WithdrawDetail};

use super::admitted::Admitted;
use super::frame::Frame;
use super::prepared::{check, same_call};
use super::received::{Input, present};
use super::refused;
use crate::registry::ToolRegistry;
use crate::request::PresentedToken;

/// How a question ends without a yes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unanswered {
    /// Somebody said no.
    Declined(DeclineDetail),
    /// Nobody said anything.
    Withdrawn(WithdrawDetail),
}

impl Unanswered {
    pub(super) fn event(self) -> EventKind {
        match self {
            Self::Declined(detail) => EventKind::ConfirmationDeclined { detail },
            Self::Withdrawn(detail) => EventKind::ConfirmationWithdrawn { detail },
        }
    }
}

/// Spends the token and records why. `false` if it was not good: that is recorded as a refused token.
pub(super) async fn withdraw<C: Send + Sync + 'static>(
    mut frame: Frame<C>,
    registry: &ToolRegistry<C>,
    token: &PresentedToken,
    end: Unanswered,
) -> bool {
    let presented = present(&frame, token).await;
    match presented.claim_unanswered(frame.principal.id(), frame.carrier()) {
        Ok(claimed) => {
            frame.call_id = claimed.call_id();
            let scope = frame.scope_of_name(registry, claimed.tool().as_str());
            frame.report(&scope, end.event()).await;
            true
        }
        Err(refusal) => {
            // The outcome says what the caller of a redemption is told; a withdrawal is only told that it failed.
            drop(refused::token_alone(&mut frame, registry, &refusal).await);
            false
        }
    }
}

/// Records a no to the very call that the token came with. `false` if it was not good for that call.
pub(super) async fn decline<C: Send + Sync + 'static>(admitted: Admitted<C>, detail: DeclineDetail) -> bool {
    let (mut frame, tool, _, input, _slot) = admitted.into_parts();
    let Input::Repeated(raw, presented, _) = input else { return false };
    let arguments = check(&frame, &tool, raw).ok().map(|(arguments, _)| arguments);
    match same_call(&frame, &tool, *presented, arguments.as_ref()) {
        Ok(call_id) => {
            frame.call_id = call_id;
            frame.report(&frame.scope(tool.declaration()), Unanswered::Declined(detail).event()).await;
            true
        }
        Err(refusal) => {
            drop(refused::token_of(frame, &tool, &refusal).await);
            false
        }
    }
}
