//! The path of a call, as states that the compiler enforces.
//!
//! ```text
//! Received ─access─▶ Admitted ─validate─▶ Prepared ─guard─▶ Cleared ─context, record─▶ Recorded ─run─▶ Finished
//!                                              └─ held: a confirmation is issued, nothing runs
//! ```
//!
//! Each state has private fields, is made only from the state before it and is consumed by the step after it. Only
//! [`recorded::Recorded`] can run a handler. A step that refuses has recorded why, and ends the path with an outcome.

mod admitted;
mod catching;
mod cleared;
mod finished;
mod frame;
mod held;
mod prepared;
mod received;
mod recorded;
mod refused;
mod running;
mod services;
mod stage;
mod survive;
mod unanswered;

use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt as _;
use mtb_audit::{DeclineDetail, WithdrawDetail};
use mtb_core::Principal;
use mtb_guard::Carrier;

pub(crate) use services::Services;
pub(crate) use unanswered::Unanswered;

use crate::outcome::CallOutcome;
use crate::registry::ToolRegistry;
use crate::request::{CallOptions, CallRequest, PresentedToken};
use frame::Frame;
use received::{Purpose, Received};
use survive::survive;

/// How a step ends that does not lead to the next state: the outcome of the call, already recorded.
type Step<T> = Result<T, Box<CallOutcome>>;

/// A call by name, with or without a token.
pub(crate) async fn call<C: Send + Sync + 'static>(
    registry: &ToolRegistry<C>,
    services: &Arc<Services<C>>,
    principal: &Principal,
    request: CallRequest,
) -> CallOutcome {
    let CallRequest { name, arguments, token, options } = request;
    let registry = registry.clone();
    survive(services, principal, options, |frame| async move {
        let received = match token {
            None => Received::called(frame, name, arguments),
            Some(token) => Received::repeated(frame, name, arguments, &token, Purpose::Redeem).await,
        };
        through(received, &registry).await
    })
    .await
}

/// The call that a token stands for.
pub(crate) async fn execute<C: Send + Sync + 'static>(
    registry: &ToolRegistry<C>,
    services: &Arc<Services<C>>,
    principal: &Principal,
    token: &str,
    options: CallOptions,
) -> CallOutcome {
    let registry = registry.clone();
    let token = PresentedToken(token.to_owned());
    survive(services, principal, options, |frame| async move {
        match Received::confirmed(frame, &registry, &token).await {
            Ok(received) => through(received, &registry).await,
            Err(outcome) => *outcome,
        }
    })
    .await
}

/// A question that got no answer, asked anew through another carrier.
pub(crate) async fn reissue<C: Send + Sync + 'static>(
    registry: &ToolRegistry<C>,
    services: &Arc<Services<C>>,
    principal: &Principal,
    token: &str,
    detail: WithdrawDetail,
    carrier: Carrier,
    options: CallOptions,
) -> CallOutcome {
    let registry = registry.clone();
    let token = PresentedToken(token.to_owned());
    survive(services, principal, options, |frame| async move {
        match Received::asked_anew(frame, &registry, &token, detail, carrier).await {
            Ok(received) => through(received, &registry).await,
            Err(outcome) => *outcome,
        }
    })
    .await
}

/// A call that came back with its token and without an answer.
pub(crate) async fn ask_again<C: Send + Sync + 'static>(
    registry: &ToolRegistry<C>,
    services: &Arc<Services<C>>,
    principal: &Principal,
    request: CallRequest,
    detail: WithdrawDetail,
    carrier: Carrier,
) -> CallOutcome {
    let CallRequest { name, arguments, token, options } = request;
    let registry = registry.clone();
    let token = token.unwrap_or_else(PresentedToken::none);
    survive(services, principal, options, |frame| async move {
        let purpose = Purpose::AskAgain(detail, carrier);
        let received = Received::repeated(frame, name, arguments, &token, purpose).await;
        through(received, &registry).await
    })
    .await
}

/// A call that came back with its token and a no. `false` if the token was not good for it.
pub(crate) async fn decline_call<C: Send + Sync + 'static>(
    registry: &ToolRegistry<C>,
    services: &Arc<Services<C>>,
    principal: &Principal,
    request: CallRequest,
    detail: DeclineDetail,
) -> bool {
    let CallRequest { name, arguments, token, options } = request;
    let frame = Frame::new(services, principal, options);
    let registry = registry.clone();
    let token = token.unwrap_or_else(PresentedToken::none);
    let decline = async move {
        let received = Received::repeated(frame, name, arguments, &token, Purpose::Redeem).await;
        match admitted::Admitted::admit(received, &registry).await {
            Ok(admitted) => unanswered::decline(admitted, detail).await,
            Err(_) => false,
        }
    };
    survive::to_the_end(decline, || ()).await
}

/// A question that ends without a yes. `false` if the token was not good.
pub(crate) async fn withdraw<C: Send + Sync + 'static>(
    registry: &ToolRegistry<C>,
    services: &Arc<Services<C>>,
    principal: &Principal,
    token: &str,
    end: Unanswered,
    options: CallOptions,
) -> bool {
    let frame = Frame::new(services, principal, options);
    let token = PresentedToken(token.to_owned());
    let registry = registry.clone();
    survive::to_the_end(async move { unanswered::withdraw(frame, &registry, &token, end).await }, || ()).await
}

/// A call that a transport had no room for.
pub(crate) async fn overloaded<C: Send + Sync + 'static>(
    registry: &ToolRegistry<C>,
    services: &Arc<Services<C>>,
    principal: &Principal,
    request: CallRequest,
) -> CallOutcome {
    let frame = Frame::new(services, principal, request.options);
    if let Some(token) = &request.token {
        drop(received::present(&frame, token).await);
    }
    refused::overloaded(&frame, registry, &request.name).await
}

/// From the front door to the end. There is no other order of steps.
fn through<C: Send + Sync + 'static>(
    received: Received<C>,
    registry: &ToolRegistry<C>,
) -> impl Future<Output = CallOutcome> + Send {
    steps(received, registry).map(|ended| ended.unwrap_or_else(|outcome| *outcome))
}

async fn steps<C: Send + Sync + 'static>(received: Received<C>, registry: &ToolRegistry<C>) -> Step<CallOutcome> {
    let received = received.with_a_slot(registry).await?;
    let admitted = admitted::Admitted::admit(received, registry).await?;
    let prepared = prepared::Prepared::prepare(admitted).await?;
    let cleared = cleared::Cleared::clear(prepared).await?;
    let finished = running::run(cleared).await?;
    Ok(finished.record().await)
}
