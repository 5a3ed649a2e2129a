use mtb_audit::{CallScope, RejectReason};
use mtb_core::can_access;
use tokio::sync::OwnedSemaphorePermit;

use super::Step;
use super::frame::Frame;
use super::received::{Input, Received};
use super::refused;
use crate::registry::ToolRegistry;
use crate::tool::Tool;

/// A call of a tool that exists and that this principal may use at this moment.
pub(super) struct Admitted<C> {
    frame: Frame<C>,
    tool: Tool<C>,
    scope: CallScope,
    input: Input,
    slot: Option<OwnedSemaphorePermit>,
}

impl<C: Send + Sync + 'static> Admitted<C> {
    /// The access check. Until it has passed, nothing about the tool reaches the caller.
    pub(super) async fn admit(received: Received<C>, registry: &ToolRegistry<C>) -> Step<Self> {
        let (frame, name, input, slot) = received.into_parts();
        let Some(tool) = registry.get(&name) else {
            let scope = frame.scope_of_name(registry, &name);
            return Err(refused::unknown_tool(&frame, &scope, RejectReason::UnknownTool).await);
        };
        let scope = frame.scope(tool.declaration());
        if !can_access(tool.declaration(), &frame.principal) {
            return Err(refused::unknown_tool(&frame, &scope, RejectReason::Forbidden).await);
        }
        Ok(Self { frame, tool, scope, input, slot })
    }

    pub(super) fn into_parts(self) -> (Frame<C>, Tool<C>, CallScope, Input, Option<OwnedSemaphorePermit>) {
        (self.frame, self.tool, self.scope, self.input, self.slot)
    }
}
