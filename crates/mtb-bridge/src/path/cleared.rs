use std::sync::Arc;

use mtb_audit::CallScope;
use mtb_core::Declaration;
use mtb_guard::Decision;
use tokio::sync::OwnedSemaphorePermit;

use super::Step;
use super::frame::Frame;
use super::held;
use super::prepared::{Consent, Prepared};
use crate::handler::Ready;

/// A call that may run: the policy asks for nobody, or somebody said yes to exactly this.
pub(super) struct Cleared<C> {
    frame: Frame<C>,
    scope: CallScope,
    declaration: Arc<Declaration>,
    ready: Box<dyn Ready<C>>,
    confirmed: bool,
    slot: Option<OwnedSemaphorePermit>,
}

impl<C: Send + Sync + 'static> Cleared<C> {
    /// The guard. Whether somebody must be asked follows from the declaration and the policy alone.
    pub(super) async fn clear(prepared: Prepared<C>) -> Step<Self> {
        let (frame, tool, scope, arguments, ready, consent, slot) = prepared.into_parts();
        let confirmed = match (consent, frame.services.policy.decide(tool.declaration())) {
            (Consent::Given, _) => true,
            (Consent::NotAsked, Decision::Run) => false,
            (Consent::NotAsked, Decision::Hold) | (Consent::Unanswered, _) => {
                // A question that waits for a person occupies nothing that running calls need.
                drop(slot);
                return Err(Box::pin(held::hold(&frame, &tool, &scope, &arguments, ready)).await);
            }
        };
        let declaration = Arc::clone(tool.shared_declaration());
        Ok(Self { frame, scope, declaration, ready, confirmed, slot })
    }

    #[expect(clippy::type_complexity, reason = "the next state takes every part by name")]
    pub(super) fn into_parts(
        self,
    ) -> (Frame<C>, CallScope, Arc<Declaration>, Box<dyn Ready<C>>, bool, Option<OwnedSemaphorePermit>) {
        (self.frame, self.scope, self.declaration, self.ready, self.confirmed, self.slot)
    }
}
