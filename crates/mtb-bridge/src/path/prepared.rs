use mtb_audit::CallScope;
use mtb_core::{CanonicalJson, Issue};
use mtb_guard::{Confirmed, Presented, Refusal, RefusalReason};
use tokio::sync::OwnedSemaphorePermit;

use super::Step;
use super::admitted::Admitted;
use super::frame::Frame;
use super::received::Input;
use super::refused;
use crate::handler::Ready;
use crate::request::RawArguments;
use crate::tool::Tool;

/// A call whose arguments are in canonical form, fit the schema as it is now, and are decoded for the handler. The
/// raw ones are gone.
pub(super) struct Prepared<C> {
    frame: Frame<C>,
    tool: Tool<C>,
    scope: CallScope,
    arguments: CanonicalJson,
    ready: Box<dyn Ready<C>>,
    consent: Consent,
    slot: Option<OwnedSemaphorePermit>,
}

/// What a person has said about this very call.
pub(super) enum Consent {
    /// Nobody was asked. The policy decides whether somebody must be.
    NotAsked,
    /// Somebody was asked and did not answer. Somebody must be asked again.
    Unanswered,
    /// Somebody said yes, and the guard found the token good for exactly these arguments.
    Given,
}

impl<C: Send + Sync + 'static> Prepared<C> {
    /// Validation, and, where a token came along, the guard's checks of what it is bound to.
    pub(super) async fn prepare(admitted: Admitted<C>) -> Step<Self> {
        let (mut frame, tool, mut scope, input, slot) = admitted.into_parts();
        let (checked, consent) = match input {
            Input::Sent(raw) => (check(&frame, &tool, raw), Consent::NotAsked),
            Input::Repeated(raw, presented) => {
                let checked = check(&frame, &tool, raw);
                match redeem(&frame, &tool, presented, checked.as_ref().ok().map(|(arguments, _)| arguments)) {
                    Ok(confirmed) => {
                        frame.call_id = confirmed.call_id();
                        (recheck(&tool, confirmed.into_arguments()), Consent::Given)
                    }
                    Err(refusal) => {
                        frame.call_id = refusal.call_id.unwrap_or(frame.call_id);
                        let scope = frame.scope(tool.declaration());
                        return Err(refused::token(&frame, &scope, refusal.reason).await);
                    }
                }
            }
            Input::Confirmed(claimed) => {
                let arguments = claimed.confirm(tool.declaration(), None).map(Confirmed::into_arguments);
                (stored(&frame, &tool, &scope, arguments).await?, Consent::Given)
            }
            Input::AskAgain(unanswered) => {
                let arguments = unanswered.into_arguments(tool.declaration());
                (stored(&frame, &tool, &scope, arguments).await?, Consent::Unanswered)
            }
        };
        match checked {
            Ok((arguments, ready)) => {
                if let Consent::Given = consent {
                    scope = frame.scope(tool.declaration());
                }
                frame.services.trail.arguments(&mut scope, tool.declaration(), &arguments);
                Ok(Self { frame, tool, scope, arguments, ready, consent, slot })
            }
            Err(issues) => Err(refused::arguments(&frame, &scope, issues).await),
        }
    }

    #[expect(clippy::type_complexity, reason = "the next state takes every part by name")]
    pub(super) fn into_parts(
        self,
    ) -> (Frame<C>, Tool<C>, CallScope, CanonicalJson, Box<dyn Ready<C>>, Consent, Option<OwnedSemaphorePermit>) {
        (self.frame, self.tool, self.scope, self.arguments, self.ready, self.consent, self.slot)
    }
}

type Checked<C> = Result<(CanonicalJson, Box<dyn Ready<C>>), Vec<Issue>>;

/// Canonical form, then the schema, then the handler's own type.
fn check<C: Send + Sync + 'static>(frame: &Frame<C>, tool: &Tool<C>, raw: RawArguments) -> Checked<C> {
    let arguments = raw.canonical(&frame.services.limits.arguments).map_err(|error| vec![Issue::from(error)])?;
    recheck(tool, arguments)
}

fn recheck<C: Send + Sync + 'static>(tool: &Tool<C>, arguments: CanonicalJson) -> Checked<C> {
    tool.declaration().arguments().validate(arguments.value())?;
    let ready = tool.handler().prepare(&arguments).map_err(|issue| vec![issue])?;
    Ok((arguments, ready))
}

/// What a presented token is bound to, check by check. Arguments that do not even fit the schema are not the
/// confirmed ones.
fn redeem<C>(
    frame: &Frame<C>,
    tool: &Tool<C>,
    presented: Presented,
    arguments: Option<&CanonicalJson>,
) -> Result<Confirmed, Refusal> {
    let Ok(now) = frame.services.now() else {
        return Err(presented.refuse(RefusalReason::StoreUnavailable));
    };
    let declaration = tool.declaration();
    let claimed = presented.claim(frame.principal.id(), frame.carrier(), Some(declaration.name()), now)?;
    match arguments {
        Some(arguments) => claimed.confirm(declaration, Some(arguments)),
        None => Err(claimed.mismatch(declaration)),
    }
}

/// The arguments that were sealed when a person was asked, checked against the tool as it is now.
async fn stored<C: Send + Sync + 'static>(
    frame: &Frame<C>,
    tool: &Tool<C>,
    scope: &CallScope,
    arguments: Result<CanonicalJson, Refusal>,
) -> Step<Checked<C>> {
    match arguments {
        Ok(arguments) => Ok(recheck(tool, arguments)),
        Err(refusal) => Err(refused::token(frame, scope, refusal.reason).await),
    }
}
