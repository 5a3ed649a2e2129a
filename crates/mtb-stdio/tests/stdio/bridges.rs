use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use mtb_audit::{MemorySink, Trail};
use mtb_bridge::{Bridge, Clock, JsonSchema, Tool, ToolDraft, ToolRegistry};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, Timestamp, any_of};
use mtb_mcp::ServerInfo;
use mtb_stdio::StdioOptions;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

/// A bridge and what a test may look at or move.
pub(crate) struct Site {
    pub(crate) bridge: Bridge,
    pub(crate) registry: ToolRegistry,
    pub(crate) audit: MemorySink,
    pub(crate) clock: Arc<Hand>,
    /// Each permit lets one call of `gate` go on.
    pub(crate) gate: Arc<Semaphore>,
}

/// Moved by hand.
pub(crate) struct Hand(AtomicI64);

impl Hand {
    pub(crate) fn advance(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

struct Shared(Arc<Hand>);

impl Clock for Shared {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.0.load(Ordering::SeqCst))
    }
}

impl Site {
    pub(crate) fn new() -> Self {
        let audit = MemorySink::default();
        Self::with_trail(Trail::to(audit.clone()), audit)
    }

    pub(crate) fn with_trail(trail: Trail, audit: MemorySink) -> Self {
        let gate = Arc::new(Semaphore::new(0));
        let clock = Arc::new(Hand(AtomicI64::new(1_790_942_400_000)));
        let registry = ToolRegistry::new();
        registry.register_all(tools(&gate)).unwrap();
        let bridge = Bridge::builder(registry.clone()).audit(trail).clock(Shared(Arc::clone(&clock))).build();
        Self { bridge, registry, audit, clock, gate }
    }

    /// The types of all events so far, the end events with what they say.
    pub(crate) fn events(&self) -> Vec<String> {
        let events = self.audit.events();
        let values = events.iter().map(|event| serde_json::to_value(event).unwrap());
        values.map(|event| told(&event)).collect()
    }
}

fn told(event: &Value) -> String {
    let kind = event["type"].as_str().unwrap();
    match event["error"]["kind"].as_str() {
        Some(error) => format!("{kind} {error}"),
        None => kind.to_owned(),
    }
}

pub(crate) fn options() -> StdioOptions {
    let info = ServerInfo { name: "test".into(), version: "1.0.0".into(), title: None, instructions: None };
    StdioOptions::new(Principal::new("alice", ["staff"]).unwrap(), info)
}

pub(crate) fn harmless() -> Governance {
    Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: any_of(["staff"]) }
}

pub(crate) fn done(name: &str) -> ToolDraft {
    Tool::declare(name, "Does nothing.", JsonSchema::no_arguments(), harmless())
        .handler(|_args, _call| async { Ok("done") })
}

fn number() -> JsonSchema {
    JsonSchema::value(json!({
        "type": "object",
        "properties": {"number": {"type": "integer", "minimum": 0, "maximum": 10_000_000}},
        "required": ["number"],
        "additionalProperties": false,
    }))
}

fn tools(gate: &Arc<Semaphore>) -> Vec<ToolDraft> {
    let none = JsonSchema::no_arguments;
    let gate = Arc::clone(gate);
    let high = Governance { sensitivity: Sensitivity::High, reversibility: Reversibility::Irreversible, ..harmless() };
    vec![
        done("done"),
        Tool::declare("repeat", "Gives a number back.", number(), harmless())
            .handler(|args, _call| async move { Ok(args.integer("number")?.to_string()) }),
        Tool::declare("large", "Gives so many bytes.", number(), harmless()).handler(|args, _call| async move {
            let bytes = usize::try_from(args.integer("number")?)?;
            Ok("x".repeat(bytes))
        }),
        Tool::declare("count", "Counts, and says how far it is.", number(), harmless()).handler(
            |args, call| async move {
                let total = args.integer("number")?;
                for done in 1..=u32::try_from(total)? {
                    call.progress(f64::from(done), None, Some("counting"));
                }
                Ok("counted")
            },
        ),
        Tool::declare("gate", "Waits to be let through.", none(), harmless()).handler(move |_args, _call| {
            let gate = Arc::clone(&gate);
            async move {
                gate.acquire().await?.forget();
                Ok("through")
            }
        }),
        Tool::declare("stubborn", "Never ends, whoever asks it to.", none(), harmless())
            .handler(|_args, _call| pending::<Result<&str, mtb_bridge::HandlerError>>()),
        Tool::declare("patient", "Ends when it is cancelled.", none(), harmless()).handler(|_args, call| async move {
            call.cancellation().cancelled().await;
            Ok("cancelled")
        }),
        Tool::declare("broken", "Panics.", none(), harmless()).handler(|_args, call| async move {
            assert!(call.cancellation().is_cancelled(), "a handler that panics");
            Ok("unreachable")
        }),
        Tool::declare("send", "Cannot be undone.", none(), high).handler(|_args, _call| async { Ok("sent") }),
    ]
}
