//! A dispatcher that counts, a bridge with its audit in memory, and short ways to read outcomes.

use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};

use mtb_adapt::{Definitions, GovernanceTable, ImportOptions, import_definitions, import_definitions_with};
use mtb_audit::{AuditSink, MemorySink, Trail};
use mtb_bridge::{
    Arguments, Bridge, Call, CallOutcome, CallRequest, ContentBlock, HandlerError, Tool, ToolRegistry, ToolResult,
};
use mtb_core::{DefinitionCode, DefinitionError, Governance, Principal, Reversibility, Sensitivity, ToolName, any_of};
use serde_json::{Value, json};

/// What a dispatcher was called with.
#[derive(Clone, Default)]
pub(crate) struct Dispatched(Arc<Mutex<Vec<(String, Value, String)>>>);

impl Dispatched {
    pub(crate) fn calls(&self) -> Vec<(String, Value, String)> {
        self.0.lock().unwrap().clone()
    }

    pub(crate) fn import<'d>(
        &self,
        definitions: impl Into<Definitions<'d>>,
        governance: &GovernanceTable,
    ) -> Result<Vec<Tool>, DefinitionError> {
        import_definitions(definitions, self.dispatcher(), governance)
    }

    pub(crate) fn import_with<'d>(
        &self,
        definitions: impl Into<Definitions<'d>>,
        governance: &GovernanceTable,
        options: &ImportOptions,
    ) -> Result<Vec<Tool>, DefinitionError> {
        import_definitions_with(definitions, self.dispatcher(), governance, options)
    }

    fn dispatcher(&self) -> impl Fn(ToolName, Arguments, Call) -> Ready<Result<String, HandlerError>> + use<> {
        let seen = self.clone();
        move |name, arguments, call| {
            let arguments = arguments.into_value();
            let answer = format!("{name}: {arguments}");
            seen.0.lock().unwrap().push((name.to_string(), arguments, call.principal().id().to_string()));
            ready(Ok(answer))
        }
    }
}

pub(crate) struct Lab {
    pub(crate) bridge: Bridge,
    pub(crate) sink: MemorySink,
}

impl Lab {
    pub(crate) fn new(tools: Vec<Tool>) -> Self {
        let registry = ToolRegistry::new();
        registry.register_all(tools).unwrap();
        let sink = MemorySink::default();
        let sinks: [Arc<dyn AuditSink>; 1] = [Arc::new(sink.clone())];
        let trail = Trail::new(sinks).unwrap();
        Self { bridge: Bridge::builder(registry).audit(trail).build(), sink }
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> CallOutcome {
        self.call_as(&reader(), tool, arguments).await
    }

    pub(crate) async fn call_as(&self, principal: &Principal, tool: &str, arguments: Value) -> CallOutcome {
        self.bridge.call_tool(principal, CallRequest::new(tool, arguments)).await
    }

    pub(crate) fn last_event(&self) -> Value {
        serde_json::to_value(self.sink.events().pop().unwrap()).unwrap()
    }
}

pub(crate) fn reader() -> Principal {
    Principal::new("alice", ["reader"]).unwrap()
}

pub(crate) fn editor() -> Principal {
    Principal::new("bob", ["reader", "editor"]).unwrap()
}

pub(crate) fn harmless() -> Governance {
    Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: any_of(["reader"]) }
}

/// Harmless governance for each of these names.
pub(crate) fn all_harmless(names: &[&str]) -> GovernanceTable {
    names.iter().fold(GovernanceTable::new(), |table, name| table.tool(name, harmless()))
}

pub(crate) fn query_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"query": {"type": "string", "minLength": 1}},
        "required": ["query"],
        "additionalProperties": false,
    })
}

pub(crate) fn text_of(result: &ToolResult) -> &str {
    match result.content.as_slice() {
        [ContentBlock::Text(text)] => text,
        other => panic!("no single text: {other:?}"),
    }
}

#[track_caller]
pub(crate) fn completed(outcome: CallOutcome) -> ToolResult {
    match outcome {
        CallOutcome::Completed { result, .. } => result,
        other => panic!("not completed: {other:?}"),
    }
}

/// `code tool pointer` of every problem.
pub(crate) fn problems(error: &DefinitionError) -> Vec<String> {
    let line = |problem: &mtb_core::DefinitionProblem| format!("{} {} {}", problem.code, problem.tool, problem.pointer);
    error.problems().iter().map(line).collect()
}

pub(crate) fn has(error: &DefinitionError, code: DefinitionCode, tool: &str, pointer: &str) -> bool {
    error.problems().iter().any(|problem| problem.code == code && problem.tool == tool && problem.pointer == pointer)
}
