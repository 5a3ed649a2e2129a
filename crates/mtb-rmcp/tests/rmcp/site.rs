use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use mtb_audit::{MemorySink, Trail};
use mtb_bridge::{Bridge, Clock, JsonSchema, Tool, ToolDraft, ToolError, ToolRegistry};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, Timestamp, any_of};
use mtb_mcp::{ServerInfo, ServerOptions};
use mtb_rmcp::BridgeHandler;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::sleep;

/// A bridge and what a test may look at or move.
pub(crate) struct Site {
    pub(crate) bridge: Bridge,
    pub(crate) registry: ToolRegistry,
    pub(crate) audit: MemorySink,
    pub(crate) clock: Arc<AtomicI64>,
    /// Each permit lets one call of `gate` go on.
    pub(crate) gate: Arc<Semaphore>,
    /// How often `send` or `gate` has run.
    pub(crate) ran: Arc<AtomicUsize>,
}

struct Hand(Arc<AtomicI64>);

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

impl Site {
    pub(crate) fn new() -> Self {
        let (audit, gate, ran) = (MemorySink::default(), Arc::new(Semaphore::new(0)), Arc::<AtomicUsize>::default());
        let clock = Arc::new(AtomicI64::new(1_790_942_400_000));
        let registry = ToolRegistry::new();
        registry.register_all(tools(&gate, &ran)).unwrap();
        let builder = Bridge::builder(registry.clone()).audit(Trail::to(audit.clone()));
        let bridge = builder.clock(Hand(Arc::clone(&clock))).build();
        Self { bridge, registry, audit, clock, gate, ran }
    }

    /// Serves alice, and nobody else.
    pub(crate) fn for_alice(&self) -> BridgeHandler<()> {
        self.for_alice_with(options())
    }

    pub(crate) fn for_alice_with(&self, options: ServerOptions) -> BridgeHandler<()> {
        BridgeHandler::for_principal(self.bridge.clone(), alice(), options)
    }

    pub(crate) fn runs(&self) -> usize {
        self.ran.load(Ordering::SeqCst)
    }

    /// The types of all events so far, the end events with what they say.
    pub(crate) fn events(&self) -> Vec<String> {
        let values = self.audit.events().into_iter().map(|event| serde_json::to_value(event).unwrap());
        values.map(|event| told(&event)).collect()
    }
}

fn told(event: &Value) -> String {
    let kind = event["type"].as_str().unwrap();
    let more = [&event["error"]["kind"], &event["reason"], &event["detail"]];
    match more.into_iter().find_map(Value::as_str) {
        Some(more) => format!("{kind} {more}"),
        None => kind.to_owned(),
    }
}

pub(crate) fn options() -> ServerOptions {
    let title = Some("A test".to_owned());
    let instructions = Some("Be careful.".to_owned());
    ServerOptions::new(ServerInfo { name: "test".into(), version: "1.0.0".into(), title, instructions })
}

pub(crate) fn alice() -> Principal {
    Principal::new("alice", ["staff"]).unwrap()
}

pub(crate) fn tool_for(role: &str, name: &str) -> ToolDraft {
    let roles = any_of([role]);
    Tool::declare(name, "Does nothing.", JsonSchema::no_arguments(), Governance { roles, ..harmless() })
        .handler(|_args, _call| async { Ok("done") })
}

fn harmless() -> Governance {
    Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: any_of(["staff"]) }
}

/// Its members are not in the order of the alphabet, and one of its numbers is no double.
pub(crate) const NUMBER: &str = r#"{"type":"object","properties":{"number":{"type":"integer","maximum":10000000,"minimum":0},"exact":{"enum":[1.0,2.50]}},"required":["number"],"additionalProperties":false}"#;

fn tools(gate: &Arc<Semaphore>, ran: &Arc<AtomicUsize>) -> Vec<ToolDraft> {
    let none = JsonSchema::no_arguments;
    let high =
        || Governance { sensitivity: Sensitivity::High, reversibility: Reversibility::Irreversible, ..harmless() };
    let gate = Arc::clone(gate);
    let runs = [ran, ran, ran].map(Arc::clone);
    let [gate_ran, send_ran, receipt_ran] = runs;
    let receipt = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
    vec![
        tool_for("staff", "done"),
        tool_for("admin", "secret"),
        Tool::declare("repeat", "Gives a number back.", JsonSchema::text(NUMBER), harmless())
            .handler(|args, _call| async move { Ok(args.integer("number")?.to_string()) }),
        Tool::declare("count", "Counts, and says how far it is.", JsonSchema::text(NUMBER), harmless()).handler(
            |args, call| async move {
                for done in 1..=u32::try_from(args.integer("number")?)? {
                    call.progress(f64::from(done), None, Some("counting"));
                }
                Ok("counted")
            },
        ),
        Tool::declare("gate", "Waits to be let through.", none(), harmless()).handler(move |_args, _call| {
            gate_ran.fetch_add(1, Ordering::SeqCst);
            let gate = Arc::clone(&gate);
            async move {
                gate.acquire().await?.forget();
                Ok("through")
            }
        }),
        Tool::declare("patient", "Ends when it is cancelled.", none(), harmless()).handler(|_args, call| async move {
            call.cancellation().cancelled().await;
            Ok("cancelled")
        }),
        Tool::declare("flood", "Says how far it is without an end.", none(), harmless())
            .timeout(Duration::from_secs(60))
            .handler(|_args, call| async move {
                for done in 1..u32::MAX {
                    call.progress(f64::from(done), None, Some("still going"));
                    sleep(Duration::from_millis(1)).await;
                }
                Ok("unreachable")
            }),
        Tool::declare("broken", "Panics.", none(), harmless()).handler(|_args, call| async move {
            assert!(call.cancellation().is_cancelled(), "a handler that panics");
            Ok("unreachable")
        }),
        Tool::declare("fails", "Says what went wrong.", none(), harmless())
            .handler(|_args, _call| async { Err::<&str, _>(ToolError::new("the printer is out of paper").into()) }),
        Tool::declare("send", "Cannot be undone.", none(), high()).summarize(|_| "Send it".to_owned()).handler(
            move |_args, _call| {
                send_ran.fetch_add(1, Ordering::SeqCst);
                async { Ok("sent") }
            },
        ),
        Tool::declare("receipt", "Cannot be undone, and gives a receipt.", none(), high())
            .output(&JsonSchema::value(receipt))
            .handler(move |_args, _call| {
                receipt_ran.fetch_add(1, Ordering::SeqCst);
                async { Ok(json!({"id": "r1"})) }
            }),
    ]
}
