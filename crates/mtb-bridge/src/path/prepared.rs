use mtb_audit::CallScope;
use mtb_core::{CallId, CanonicalJson, Issue};
use mtb_guard::{Confirmed, Presented, Refusal, RefusalReason};
use tokio::sync::OwnedSemaphorePermit;

use super::Step;
use super::admitted::Admitted;
use super::frame::Frame;
use super::received::{Input, Purpose};
use super::refused;
use super::unanswered;
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
            Input::Repeated(raw, presented, purpose) => {
                let checked = check(&frame, &tool, raw);
                let arguments = checked.as_ref().ok().map(|(arguments, _)| arguments);
                let judged = match purpose {
                    Purpose::Redeem => redeem(&frame, &tool, *presented, arguments),
                    Purpose::AskAgain(..) => same_call(&frame, &tool, *presented, arguments),
                };
                let call_id = match judged {
                    Ok(call_id) => call_id,
                    Err(refusal) => return Err(refused::token_of(frame, &tool, &refusal).await),
                };
                frame.call_id = call_id;
                scope = frame.scope(tool.declaration());
                match purpose {
                    Purpose::Redeem => (checked, Consent::Given),
                    Purpose::AskAgain(detail, carrier) => {
                        frame.report(&scope, unanswered::Unanswered::Withdrawn(detail).event()).await;
                        frame.options.carrier = carrier;
                        (checked, Consent::Unanswered)
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

pub(super) type Checked<C> = Result<(CanonicalJson, Box<dyn Ready<C>>), Vec<Issue>>;

/// Canonical form, then the schema, then the handler's own type.
pub(super) fn check<C: Send + Sync + 'static>(frame: &Frame<C>, tool: &Tool<C>, raw: RawArguments) -> Checked<C> {
    let arguments = raw.canonical(&frame.services.limits.arguments).map_err(|error| vec![Issue::from(error)])?;
    recheck(tool, arguments)
}

fn recheck<C: Send + Sync + 'static>(tool: &Tool<C>, arguments: CanonicalJson) -> Checked<C> {
    tool.declaration().arguments().validate(arguments.value())?;
    let ready = tool.handler().prepare(&arguments).map_err(|issue| vec![issue])?;
    Ok((arguments, ready))
}

/// What a presented token is bound to, check by check; gives the call that goes on. Arguments that do not even fit
/// the schema are not the confirmed ones.
fn redeem<C>(
    frame: &Frame<C>,
    tool: &Tool<C>,
    presented: Presented,
    arguments: Option<&CanonicalJson>,
) -> Result<CallId, Refusal> {
    let Ok(now) = frame.services.now() else {
        return Err(presented.refuse(RefusalReason::StoreUnavailable));
    };
    let declaration = tool.declaration();
    let claimed = presented.claim(frame.principal.id(), frame.carrier(), Some(declaration.name()), now)?;
    match arguments {
        Some(arguments) => claimed.confirm(declaration, Some(arguments)).map(|confirmed| confirmed.call_id()),
        None => Err(claimed.mismatch(declaration)),
    }
}

/// The same for a question that ends without a yes: everything but the time.
pub(super) fn same_call<C>(
    frame: &Frame<C>,
    tool: &Tool<C>,
    presented: Presented,
    arguments: Option<&CanonicalJson>,
) -> Result<CallId, Refusal> {
    let unanswered = presented.claim_unanswered(frame.principal.id(), frame.carrier())?;
    let (call_id, name) = (unanswered.call_id(), unanswered.tool().clone());
    let asked = unanswered.into_arguments(tool.declaration())?;
    if arguments == Some(&asked) {
        return Ok(call_id);
    }
    let reason = RefusalReason::ArgumentsMismatch;
    Err(Refusal { reason, call_id: Some(call_id), tool: Some(name) })
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

#[cfg(test)]
mod tests {
    use mtb_core::json::Limits;
    use mtb_core::{CanonicalJson, Governance, Reversibility, Sensitivity, any_of};
    use serde_json::json;

    use super::recheck;
    use crate::{JsonSchema, Tool};

    /// Below the fingerprint, which changes with the schema: sealed arguments are checked by themselves as well.
    #[test]
    fn stored_arguments_are_checked_against_the_schema_as_it_is() {
        let schema = JsonSchema::value(json!({
            "type": "object",
            "properties": {"id": {"type": "string"}},
            "required": ["id"],
            "additionalProperties": false,
        }));
        let governance = Governance {
            sensitivity: Sensitivity::None,
            reversibility: Reversibility::Reversible,
            roles: any_of(["reader"]),
        };
        let tool = Tool::declare("tool", "A tool.", schema, governance);
        let tool = tool.handler(|_, _: crate::Call| async { Ok("ok") }).build().unwrap();
        let check = |text| recheck(&tool, CanonicalJson::from_text(text, &Limits::default()).unwrap()).is_ok();
        for text in ["{}", r#"{"id": 7}"#, r#"{"id": "a", "copyTo": "b"}"#, "[]"] {
            assert!(!check(text), "{text}"); // case 147
        }
        assert!(check(r#"{"id": "a"}"#));
    }
}
