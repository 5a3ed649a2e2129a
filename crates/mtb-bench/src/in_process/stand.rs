use anyhow::Result;
use mtb_audit::Trail;
use mtb_bridge::{Bridge, CallOutcome, CallRequest, JsonSchema, RawArguments, Tool, ToolDraft, ToolRegistry};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, any_of};

use crate::last_events::LastEvents;
use crate::tool;

const ROLE: &str = "reader";

/// A bridge, and somebody who calls the last of its tools.
#[derive(Debug)]
pub struct Stand {
    /// The bridge.
    pub bridge: Bridge,
    /// Who calls.
    pub principal: Principal,
    name: String,
}

impl Stand {
    /// With so many tools, all alike but for their names.
    ///
    /// # Errors
    /// When there are none, or they cannot be declared.
    pub fn new(tools: usize) -> Result<Self> {
        let bridge = bridge(tools, tool::SCHEMA, Sensitivity::None)?;
        Ok(Self { bridge, principal: principal()?, name: tool_name(tools.saturating_sub(1)) })
    }

    /// One governed call. Whether it ran.
    pub async fn call(&self) -> bool {
        self.call_with(tool::ALL_ARGUMENTS).await
    }

    /// The same with these arguments, which are JSON.
    pub async fn call_with(&self, arguments: &str) -> bool {
        let request = CallRequest::new(&self.name, RawArguments::text(arguments));
        matches!(self.bridge.call_tool(&self.principal, request).await, CallOutcome::Completed { .. })
    }
}

/// A bridge over so many tools that do nothing, with an audit that keeps the last events.
///
/// # Errors
/// When the schema is refused.
pub fn bridge(tools: usize, schema: &str, sensitivity: Sensitivity) -> Result<Bridge> {
    let registry = ToolRegistry::new();
    registry.register_all((0..tools).map(|at| idle(&tool_name(at), schema, sensitivity)))?;
    Ok(Bridge::builder(registry).audit(Trail::to(LastEvents::default())).build())
}

/// Who may use them.
///
/// # Errors
/// Never: the name and the role are ours.
pub fn principal() -> Result<Principal> {
    Ok(Principal::new("principal", [ROLE])?)
}

/// The name of one of many tools.
#[must_use]
pub fn tool_name(at: usize) -> String {
    format!("tool_{at}")
}

/// A tool that does nothing.
fn idle(name: &str, schema: &str, sensitivity: Sensitivity) -> ToolDraft {
    let governance = Governance { sensitivity, reversibility: Reversibility::Reversible, roles: any_of([ROLE]) };
    let declared = Tool::declare(name, tool::DESCRIPTION, JsonSchema::text(schema), governance);
    declared.handler(|_arguments, _call| async { Ok(tool::SUM) })
}
