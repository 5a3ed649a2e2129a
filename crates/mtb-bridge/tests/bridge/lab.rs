//! A bridge under test: a clock moved by hand, an audit in memory, and handlers that count how often they ran.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use mtb_audit::{AuditEvent, AuditSink, FailureMode, MemorySink, SinkError, Trail};
use mtb_bridge::{
    Arguments, Bridge, BridgeBuilder, BridgeLimits, CallOutcome, CallRequest, Clock, Confirmation, JsonSchema, Tool,
    ToolDraft, ToolRegistry,
};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, Timestamp, any_of};
use mtb_guard::{ConfirmationStore, Guard, Lifetimes, MemoryStore};
use serde_json::{Value, json};

/// 2026-10-02T12:00:00Z.
pub(crate) const START: i64 = 1_790_942_400_000;

#[derive(Clone)]
pub(crate) struct HandClock(Arc<AtomicI64>);

impl HandClock {
    pub(crate) fn advance(&self, duration: Duration) {
        self.0.fetch_add(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

impl HandClock {
    pub(crate) fn set_back(&self, duration: Duration) {
        self.0.fetch_sub(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Counts how often a handler ran, and with which arguments.
#[derive(Clone, Default)]
pub(crate) struct Ran(Arc<Mutex<Vec<Value>>>);

impl Ran {
    pub(crate) fn note(&self, arguments: &Arguments) {
        self.0.lock().unwrap().push(Value::Object(arguments.as_map().clone()));
    }

    pub(crate) fn times(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    pub(crate) fn arguments(&self) -> Vec<Value> {
        self.0.lock().unwrap().clone()
    }
}

pub(crate) struct Lab {
    pub(crate) bridge: Bridge,
    pub(crate) registry: ToolRegistry,
    pub(crate) clock: HandClock,
    pub(crate) sink: MemorySink,
}

/// What a lab is made of, where it differs from the usual.
pub(crate) struct Setup {
    pub(crate) store: Arc<dyn ConfirmationStore>,
    pub(crate) lifetimes: Lifetimes,
    pub(crate) sinks: Vec<Arc<dyn AuditSink>>,
    pub(crate) mode: FailureMode,
    pub(crate) limits: BridgeLimits,
    pub(crate) max_pending: usize,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            store: Arc::new(MemoryStore::default()),
            lifetimes: Lifetimes::default(),
            sinks: Vec::new(),
            mode: FailureMode::Continue,
            limits: BridgeLimits::default(),
            max_pending: 100,
        }
    }
}

impl Lab {
    pub(crate) fn new(tools: impl IntoIterator<Item = ToolDraft>) -> Self {
        Self::with(Setup::default(), tools)
    }

    pub(crate) fn with(setup: Setup, tools: impl IntoIterator<Item = ToolDraft>) -> Self {
        let registry = ToolRegistry::new();
        registry.register_all(tools).unwrap();
        let clock = HandClock(Arc::new(AtomicI64::new(START)));
        let sink = MemorySink::default();
        let builder = setup.apply(Bridge::builder(registry.clone()), &sink).clock(clock.clone());
        Self { bridge: builder.build(), registry, clock, sink }
    }

    pub(crate) async fn call(&self, principal: &Principal, tool: &str, arguments: Value) -> CallOutcome {
        self.bridge.call_tool(principal, CallRequest::new(tool, arguments)).await
    }

    /// Calls a tool that is held, and gives what a host gets.
    pub(crate) async fn hold(&self, principal: &Principal, tool: &str, arguments: Value) -> Confirmation {
        match self.call(principal, tool, arguments).await {
            CallOutcome::ConfirmationRequired { confirmation, .. } => confirmation,
            other => panic!("not held: {other:?}"),
        }
    }

    pub(crate) fn events(&self) -> Vec<Value> {
        json_of(&self.sink.events())
    }

    /// The types of the events so far, the oldest first.
    pub(crate) fn trail(&self) -> Vec<String> {
        self.events().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }

    /// `reason` or `reason/detail` of every refusal so far.
    pub(crate) fn refusals(&self) -> Vec<String> {
        let refusals = self.events().into_iter().filter(|event| event["type"] == "call.rejected");
        let text = |event: Value| match event["detail"].as_str() {
            Some(detail) => format!("{}/{detail}", event["reason"].as_str().unwrap()),
            None => event["reason"].as_str().unwrap().to_owned(),
        };
        refusals.map(text).collect()
    }

    pub(crate) fn last(&self) -> Value {
        self.events().pop().unwrap()
    }
}

impl Setup {
    pub(crate) fn apply<C: Send + Sync + 'static>(
        self,
        builder: BridgeBuilder<C>,
        sink: &MemorySink,
    ) -> BridgeBuilder<C> {
        let mut sinks = self.sinks;
        sinks.push(Arc::new(sink.clone()));
        let guard = Guard::new(self.store)
            .with_lifetimes(self.lifetimes)
            .with_max_pending(self.max_pending.try_into().unwrap());
        builder.audit(Trail::new(sinks).unwrap().with_failure_mode(self.mode)).guard(guard).limits(self.limits)
    }
}

pub(crate) fn json_of(events: &[AuditEvent]) -> Vec<Value> {
    events.iter().map(|event| serde_json::to_value(event).unwrap()).collect()
}

/// A sink that never works.
pub(crate) struct FullDisk;

#[async_trait]
impl AuditSink for FullDisk {
    async fn record(&self, _event: &AuditEvent) -> Result<(), SinkError> {
        Err(SinkError::new("disk full"))
    }
}

pub(crate) fn reader() -> Principal {
    Principal::new("alice", ["reader"]).unwrap()
}

pub(crate) fn editor() -> Principal {
    Principal::new("bob", ["reader", "editor"]).unwrap()
}

pub(crate) fn nobody() -> Principal {
    Principal::new("eve", Vec::<String>::new()).unwrap()
}

pub(crate) fn governance(sensitivity: Sensitivity, reversibility: Reversibility, role: &str) -> Governance {
    Governance { sensitivity, reversibility, roles: any_of([role]) }
}

pub(crate) fn harmless(role: &str) -> Governance {
    governance(Sensitivity::None, Reversibility::Reversible, role)
}

pub(crate) fn dangerous(role: &str) -> Governance {
    governance(Sensitivity::High, Reversibility::Irreversible, role)
}

/// A harmless tool without arguments that answers its name.
pub(crate) fn answers(name: &'static str, role: &str) -> ToolDraft {
    let tool = Tool::declare(name, "Answers its name.", JsonSchema::no_arguments(), harmless(role));
    tool.handler(move |_arguments, _call| async move { Ok(name) })
}

pub(crate) fn invoice_schema() -> JsonSchema {
    JsonSchema::value(json!({
        "type": "object",
        "properties": {"invoiceId": {"type": "string", "pattern": "^INV-[0-9]+$"}, "copyTo": {"type": "string"}},
        "required": ["invoiceId"],
        "additionalProperties": false,
    }))
}

/// A tool that sends invoices, held for confirmation where the governance is dangerous.
pub(crate) fn sends(name: &str, governance: Governance, ran: &Ran) -> ToolDraft {
    let ran = ran.clone();
    Tool::declare(name, "Emails an invoice.", invoice_schema(), governance)
        .summarize(|arguments| format!("Email invoice {}", arguments.string("invoiceId").unwrap_or_default()))
        .handler(move |arguments, _call| {
            ran.note(&arguments);
            async move { Ok("Sent.") }
        })
}

/// The usual lab of the confirmation tests: `send_invoice` and `send_reminder`, both held, for readers.
pub(crate) fn invoices(setup: Setup) -> (Lab, Ran) {
    let ran = Ran::default();
    let tools = ["send_invoice", "send_reminder"].map(|name| sends(name, dangerous("reader"), &ran));
    (Lab::with(setup, tools), ran)
}

/// Counts calls of something.
#[derive(Clone, Default)]
pub(crate) struct Count(Arc<AtomicUsize>);

impl Count {
    pub(crate) fn up(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}
