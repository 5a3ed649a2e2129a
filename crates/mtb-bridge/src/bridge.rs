use std::error::Error;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use mtb_audit::{DeclineDetail, Trail, WithdrawDetail};
use mtb_core::{Principal, json};
use mtb_guard::{Carrier, ConfirmationPolicy, Guard, MemoryStore};
use tokio::sync::Semaphore;

use crate::clock::{Clock, SystemClock};
use crate::host_context::HostContext;
use crate::listing::ListedTool;
use crate::outcome::CallOutcome;
use crate::path::{self, Services};
use crate::registry::ToolRegistry;
use crate::request::{CallOptions, CallRequest};

/// The only way to run a tool. Cheap to clone: clones are the same bridge.
///
/// Its calls need a tokio runtime with time enabled.
pub struct Bridge<C = ()> {
    registry: ToolRegistry<C>,
    services: Arc<Services<C>>,
}

/// Why the host could not give a handler its context. The text is for the operator.
pub type ContextError = Box<dyn Error + Send + Sync>;

/// Bounds on what calls may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BridgeLimits {
    /// Calls that run at the same time. Default 4,096; past it a call fails with
    /// [`Failure::Overloaded`](crate::Failure::Overloaded).
    pub in_flight: usize,
    /// Bytes of content in one answer. Default 4 MiB.
    pub result_bytes: usize,
    /// How long a handler may go on after its cancellation fired, before it is aborted. Default 5 seconds.
    pub grace: Duration,
    /// How long the confirmation store or the audit may take for one answer, before it counts as failed. Default 5
    /// seconds.
    pub patience: Duration,
    /// Bounds on arguments.
    pub arguments: json::Limits,
}

impl Default for BridgeLimits {
    fn default() -> Self {
        Self {
            in_flight: 4_096,
            result_bytes: 4 * 1024 * 1024,
            grace: Duration::from_secs(5),
            patience: Duration::from_secs(5),
            arguments: json::Limits::default(),
        }
    }
}

impl Bridge {
    /// A bridge whose handlers need nothing from the host, with the default policy, confirmations in memory, and the
    /// audit as JSON lines on stderr. For a registry with a host context there is
    /// [`builder_with_context`](Bridge::builder_with_context).
    #[must_use]
    pub fn new(registry: ToolRegistry) -> Self {
        Self::builder(registry).build()
    }

    /// The same, with choices.
    pub fn builder(registry: ToolRegistry) -> BridgeBuilder {
        BridgeBuilder::new(registry, |_principal| async { Ok(()) })
    }
}

impl<C: HostContext> Bridge<C> {
    /// A bridge whose handlers get what `context` gives for the caller, once for each call that runs and never for a
    /// refused one. If it fails or panics, the call does not run.
    pub fn builder_with_context<F, Fut>(registry: ToolRegistry<C>, context: F) -> BridgeBuilder<C>
    where
        F: Fn(Principal) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<C, ContextError>> + Send + 'static,
    {
        BridgeBuilder::new(registry, context)
    }
}

impl<C: Send + Sync + 'static> Bridge<C> {
    /// The tools that this principal may use, in the order they were registered.
    #[must_use]
    pub fn list_tools(&self, principal: &Principal) -> Vec<ListedTool> {
        self.registry.visible(principal)
    }

    /// Calls a tool. With a token in the request it redeems a confirmation of exactly this call.
    ///
    /// The call goes on to its recorded end even if the returned future is dropped.
    pub async fn call_tool(&self, principal: &Principal, request: CallRequest) -> CallOutcome {
        path::call(&self.registry, &self.services, principal, request).await
    }

    /// Runs the call that a token stands for, once a person has said yes.
    pub async fn execute_confirmed(&self, principal: &Principal, token: &str) -> CallOutcome {
        self.execute_confirmed_with(principal, token, CallOptions::new()).await
    }

    /// The same, with options.
    pub async fn execute_confirmed_with(
        &self,
        principal: &Principal,
        token: &str,
        options: CallOptions,
    ) -> CallOutcome {
        path::execute(&self.registry, &self.services, principal, token, options).await
    }

    /// Takes a confirmation back, once a person has said no. `false` if the token was not good; it is spent anyway.
    pub async fn revoke_confirmation(&self, principal: &Principal, token: &str) -> bool {
        self.decline(principal, token, DeclineDetail::Revoked, CallOptions::new()).await
    }

    /// The same, with what kind of no it was and how the token was carried.
    pub async fn decline(
        &self,
        principal: &Principal,
        token: &str,
        detail: DeclineDetail,
        options: CallOptions,
    ) -> bool {
        let end = path::Unanswered::Declined(detail);
        path::withdraw(&self.registry, &self.services, principal, token, end, options).await
    }

    /// Ends a question that got no answer. `false` if the token was not good; it is spent anyway.
    pub async fn withdraw(
        &self,
        principal: &Principal,
        token: &str,
        detail: WithdrawDetail,
        options: CallOptions,
    ) -> bool {
        let end = path::Unanswered::Withdrawn(detail);
        path::withdraw(&self.registry, &self.services, principal, token, end, options).await
    }

    /// Ends a question that got no answer and asks it anew through the other carrier: the same call under the same
    /// id, checked again from the start, held with a fresh token. `options` say how the old token was carried.
    pub async fn reissue(
        &self,
        principal: &Principal,
        token: &str,
        detail: WithdrawDetail,
        carrier: Carrier,
        options: CallOptions,
    ) -> CallOutcome {
        path::reissue(&self.registry, &self.services, principal, token, detail, carrier, options).await
    }

    /// Asks anew about a call that came back with its token and without an answer. It must be the same call in every
    /// point a yes would be checked for but the time; then the old token is withdrawn and the call is held again, to
    /// be asked through `carrier`, under the same id. The request's options say how the old token was carried.
    pub async fn ask_again(
        &self,
        principal: &Principal,
        request: CallRequest,
        detail: WithdrawDetail,
        carrier: Carrier,
    ) -> CallOutcome {
        path::ask_again(&self.registry, &self.services, principal, request, detail, carrier).await
    }

    /// Takes back a call that came back with its token and a no. `false` if the token was not good for this very
    /// call; it is spent anyway.
    pub async fn decline_call(&self, principal: &Principal, request: CallRequest, detail: DeclineDetail) -> bool {
        path::decline_call(&self.registry, &self.services, principal, request, detail).await
    }

    /// Records a call that a transport had no room for, and answers that too many calls are running. A token that
    /// came with it is spent.
    pub async fn refuse_overloaded(&self, principal: &Principal, request: CallRequest) -> CallOutcome {
        path::overloaded(&self.registry, &self.services, principal, request).await
    }

    /// The tools behind this bridge.
    #[must_use]
    pub fn registry(&self) -> &ToolRegistry<C> {
        &self.registry
    }

    /// The clock that confirmations and events go by.
    #[must_use]
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.services.clock
    }
}

impl<C> Clone for Bridge<C> {
    fn clone(&self) -> Self {
        Self { registry: self.registry.clone(), services: Arc::clone(&self.services) }
    }
}

impl<C> fmt::Debug for Bridge<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bridge").field("registry", &self.registry).finish_non_exhaustive()
    }
}

/// A bridge in the making.
#[must_use = "a builder does nothing until it builds"]
pub struct BridgeBuilder<C = ()> {
    registry: ToolRegistry<C>,
    services: Services<C>,
}

impl<C: Send + Sync + 'static> BridgeBuilder<C> {
    fn new<F, Fut>(registry: ToolRegistry<C>, context: F) -> Self
    where
        F: Fn(Principal) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<C, ContextError>> + Send + 'static,
    {
        let services = Services {
            context: Box::new(move |principal| Box::pin(context(principal))),
            policy: ConfirmationPolicy::default(),
            guard: Guard::new(Arc::new(MemoryStore::default())),
            trail: Trail::default(),
            clock: Arc::new(SystemClock),
            limits: BridgeLimits::default(),
            slots: slots(BridgeLimits::default().in_flight),
            last_time: AtomicI64::new(0),
        };
        Self { registry, services }
    }

    /// Which calls wait for a person. Default: `high` and above, irreversible ones from `medium`.
    pub fn policy(mut self, policy: ConfirmationPolicy) -> Self {
        self.services.policy = policy;
        self
    }

    /// Where confirmations are kept and for how long. Default: in memory, five minutes.
    pub fn guard(mut self, guard: Guard) -> Self {
        self.services.guard = guard;
        self
    }

    /// Where events go, and what happens when they cannot. Default: JSON lines on stderr, going on.
    pub fn audit(mut self, trail: Trail) -> Self {
        self.services.trail = trail;
        self
    }

    /// The clock that confirmations and events go by. Default: the operating system's.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.services.clock = Arc::new(clock);
        self
    }

    /// Bounds on what calls may cost.
    pub fn limits(mut self, limits: BridgeLimits) -> Self {
        self.services.limits = limits;
        self.services.slots = slots(limits.in_flight);
        self
    }

    /// The bridge.
    #[must_use]
    pub fn build(self) -> Bridge<C> {
        Bridge { registry: self.registry, services: Arc::new(self.services) }
    }
}

fn slots(in_flight: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(in_flight.min(Semaphore::MAX_PERMITS)))
}

impl<C> fmt::Debug for BridgeBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BridgeBuilder").field("registry", &self.registry).finish_non_exhaustive()
    }
}
