use mtb_audit::{DeclineDetail, EventKind, WithdrawDetail};

use super::frame::Frame;
use super::received::present;
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
