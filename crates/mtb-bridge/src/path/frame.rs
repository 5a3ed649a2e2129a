use std::sync::Arc;

use mtb_audit::{CallScope, EventKind};
use mtb_core::{CallId, Declaration, Principal};
use mtb_guard::Carrier;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::services::Services;
use crate::registry::ToolRegistry;
use crate::request::CallOptions;

/// What stays the same along the path: which call it is, whose, and how it came.
pub(super) struct Frame<C> {
    pub(super) services: Arc<Services<C>>,
    pub(super) call_id: CallId,
    pub(super) principal: Principal,
    pub(super) options: CallOptions,
    /// Fires when nobody waits for the outcome any more.
    pub(super) gone: CancellationToken,
}

impl<C> Frame<C> {
    pub(super) fn new(services: &Arc<Services<C>>, principal: &Principal, options: CallOptions) -> Self {
        Self {
            services: Arc::clone(services),
            call_id: CallId::new(Uuid::now_v7()),
            principal: principal.clone(),
            options,
            gone: CancellationToken::new(),
        }
    }

    pub(super) fn carrier(&self) -> Carrier {
        self.options.carrier
    }

    /// What the audit says of a call of a declared tool.
    pub(super) fn scope(&self, declaration: &Declaration) -> CallScope {
        self.services.trail.scope(self.call_id, self.options.transport, &self.principal, declaration)
    }

    /// What the audit says of a call of whatever this name stands for: a declared tool, or an invention.
    pub(super) fn scope_of_name(&self, registry: &ToolRegistry<C>, name: &str) -> CallScope {
        match registry.get(name) {
            Some(tool) => self.scope(tool.declaration()),
            None => self.services.trail.unknown_scope(self.call_id, self.options.transport, &self.principal, name),
        }
    }

    /// Writes an event that no effect depends on: a refusal, or an end.
    pub(super) async fn report(&self, scope: &CallScope, kind: EventKind) {
        // On the heap: few calls get here, and the path of each would have room for it.
        Box::pin(self.services.record_end(scope, self.services.now_or_last(), kind)).await;
    }
}
