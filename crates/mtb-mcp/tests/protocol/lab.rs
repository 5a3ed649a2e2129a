//! A bridge under test: a clock moved by hand, an audit in memory, and tools of every kind.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mtb_audit::{MemorySink, Trail};
use mtb_bridge::{
    Bridge, BridgeLimits, Clock, ContentBlock, HandlerError, JsonSchema, ResourceContents, ResourceLink, Tool,
    ToolDraft, ToolError, ToolRegistry, ToolResult,
};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, Timestamp, any_of};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

/// 2026-10-02T12:00:00Z.
const START: i64 = 1_790_942_400_000;

#[derive(Clone)]
pub(crate) struct HandClock(Arc<AtomicI64>);

impl HandClock {
    pub(crate) fn advance(&self, duration: Duration) {
        self.0.fetch_add(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// From now on it panics.
    pub(crate) fn break_down(&self) {
        self.0.store(-1, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        let now = self.0.load(Ordering::SeqCst);
        assert!(now >= 0, "the clock is broken");
        Timestamp::from_millis(now)
    }
}

pub(crate) struct Lab {
    pub(crate) bridge: Bridge,
    pub(crate) registry: ToolRegistry,
    pub(crate) clock: HandClock,
    pub(crate) sink: MemorySink,
    /// The arguments of every run of a tool that counts its runs.
    pub(crate) ran: Ran,
    /// Lets one `slow` go on for each permit.
    pub(crate) gate: Arc<Semaphore>,
    /// How many `slow` have seen their cancellation.
    pub(crate) noticed: Arc<AtomicUsize>,
}

#[derive(Clone, Default)]
pub(crate) struct Ran(Arc<Mutex<Vec<Value>>>);

impl Ran {
    fn note(&self, arguments: &mtb_bridge::Arguments) {
        self.0.lock().unwrap().push(Value::Object(arguments.as_map().clone()));
    }

    pub(crate) fn times(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

pub(crate) fn reader() -> Principal {
    Principal::new("alice", ["reader"]).unwrap()
}

pub(crate) fn editor() -> Principal {
    Principal::new("bob", ["reader", "editor"]).unwrap()
}

fn harmless(role: &str) -> Governance {
    Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: any_of([role]) }
}

fn dangerous(role: &str) -> Governance {
    Governance { sensitivity: Sensitivity::High, reversibility: Reversibility::Irreversible, roles: any_of([role]) }
}

/// A harmless tool without arguments.
pub(crate) fn plain(name: &'static str, answer: ToolResult) -> ToolDraft {
    Tool::declare(name, "Answers.", JsonSchema::no_arguments(), harmless("reader"))
        .handler(move |_arguments, _call| std::future::ready(Ok(answer.clone())))
}

pub(crate) fn ping() -> ToolDraft {
    plain("ping", mtb_bridge::text("pong"))
}

fn search() -> ToolDraft {
    plain("search", mtb_bridge::text("nothing found"))
}

fn mail_schema() -> JsonSchema {
    JsonSchema::text(
        r#"{"type":"object","properties":{"to":{"type":"string","format":"email"},"subject":{"type":"string"}},"required":["to","subject"],"additionalProperties":false}"#,
    )
}

pub(crate) fn invoice() -> Value {
    json!({"to": "ada@example.com", "subject": "Invoice 12"})
}

/// A tool of the same name as a held one, for other people.
pub(crate) fn mails_of_admins() -> ToolDraft {
    Tool::declare("send_mail", "Sends an email.", mail_schema(), dangerous("admin"))
        .handler(|_arguments, _call| async { Ok("Sent.") })
}

fn mails(name: &'static str, ran: &Ran) -> ToolDraft {
    let ran = ran.clone();
    Tool::declare(name, "Sends an email.", mail_schema(), dangerous("editor"))
        .title("Send an email")
        .summarize(|arguments| {
            let text = |name| arguments.string(name).unwrap_or_default();
            format!("Send \"{}\" to {}", text("subject"), text("to"))
        })
        .handler(move |arguments, call| {
            ran.note(&arguments);
            call.progress(1.0, Some(1.0), Some("sent"));
            async move { Ok("Sent.") }
        })
}

/// A held tool whose answer clients check against a schema.
fn transfer(ran: &Ran) -> ToolDraft {
    let ran = ran.clone();
    let output =
        JsonSchema::text(r#"{"type":"object","properties":{"balance":{"type":"integer"}},"required":["balance"]}"#);
    Tool::declare("transfer", "Transfers money.", JsonSchema::no_arguments(), dangerous("editor"))
        .output(&output)
        .handler(move |arguments, _call| {
            ran.note(&arguments);
            async move { Ok(json!({"balance": 7})) }
        })
}

/// A held tool that takes anything.
fn open(ran: &Ran) -> ToolDraft {
    let ran = ran.clone();
    let schema = JsonSchema::text(r#"{"type":"object","additionalProperties":true}"#);
    Tool::declare("open", "Takes anything.", schema, dangerous("editor")).handler(move |arguments, _call| {
        ran.note(&arguments);
        async move { Ok("Done.") }
    })
}

fn counts() -> ToolDraft {
    let output = JsonSchema::text(r#"{"type":"integer","minimum":0}"#);
    Tool::declare("count", "Counts.", JsonSchema::no_arguments(), harmless("reader"))
        .output(&output)
        .handler(|_arguments, _call| async { Ok(json!(3)) })
}

fn slow(name: &'static str, governance: Governance, gate: &Arc<Semaphore>, noticed: &Arc<AtomicUsize>) -> ToolDraft {
    let (gate, noticed) = (Arc::clone(gate), Arc::clone(noticed));
    Tool::declare(name, "Waits.", JsonSchema::no_arguments(), governance).handler(move |_arguments, call| {
        let (gate, noticed) = (Arc::clone(&gate), Arc::clone(&noticed));
        async move {
            tokio::select! {
                permit = gate.acquire() => permit.unwrap().forget(),
                () = call.cancellation().cancelled() => {
                    noticed.fetch_add(1, Ordering::SeqCst);
                }
            }
            Ok("at last")
        }
    })
}

fn fails(name: &'static str, fail: fn() -> HandlerError) -> ToolDraft {
    Tool::declare(name, "Fails.", JsonSchema::no_arguments(), harmless("reader"))
        .handler(move |_arguments, _call| std::future::ready(Err::<&str, _>(fail())))
}

fn times_out() -> ToolDraft {
    Tool::declare("hangs", "Hangs.", JsonSchema::no_arguments(), harmless("reader"))
        .timeout(Duration::from_millis(20))
        .handler(|_arguments, _call| std::future::pending::<Result<&str, HandlerError>>())
}

fn reports() -> ToolDraft {
    Tool::declare("reports", "Reports.", JsonSchema::no_arguments(), harmless("reader")).handler(
        |_arguments, call| async move {
            for (done, total) in [(0.0, Some(100.0)), (50.0, Some(100.0)), (50.0, None), (20.0, None), (f64::NAN, None)]
            {
                call.progress(done, total, Some("working"));
            }
            call.progress(100.0, Some(f64::INFINITY), None);
            Ok("done")
        },
    )
}

fn shows() -> ToolDraft {
    let link = ResourceLink {
        uri: "file:///a.md".to_owned(),
        name: "a.md".to_owned(),
        title: Some("A".to_owned()),
        description: None,
        mime_type: Some("text/markdown".to_owned()),
    };
    let blocks = vec![
        ContentBlock::Text("hello".to_owned()),
        ContentBlock::Image { data: "aGk=".to_owned(), mime_type: "image/png".to_owned() },
        ContentBlock::Audio { data: "aGk=".to_owned(), mime_type: "audio/wav".to_owned() },
        ContentBlock::ResourceLink(link),
        ContentBlock::Resource(ResourceContents::Text {
            uri: "file:///b.txt".to_owned(),
            mime_type: None,
            text: "b".to_owned(),
        }),
        ContentBlock::Resource(ResourceContents::Blob {
            uri: "file:///c".to_owned(),
            mime_type: Some("application/pdf".to_owned()),
            blob: "aGk=".to_owned(),
        }),
    ];
    plain("shows", ToolResult::blocks(blocks).with_structured(json!({"shown": 6})))
}

impl Lab {
    pub(crate) fn new() -> Self {
        Self::with_limits(BridgeLimits::default())
    }

    pub(crate) fn with_limits(limits: BridgeLimits) -> Self {
        let lab = Self::empty(limits);
        let (ran, gate, noticed) = (&lab.ran, &lab.gate, &lab.noticed);
        lab.registry
            .register_all([
                search(),
                mails("send_mail", ran),
                mails("send_letter", ran),
                transfer(ran),
                open(ran),
                ping(),
                plain("stats", mtb_bridge::json(json!({"open": 3}))),
                plain("bare", ToolResult::blocks(vec![]).with_structured(json!([1, "two"]))),
                counts(),
                shows(),
                slow("slow", harmless("reader"), gate, noticed),
                slow("slow_held", dangerous("editor"), gate, noticed),
                times_out(),
                reports(),
                fails("no_invoice", || ToolError::new("No such invoice.").into()),
                fails("leaks", || HandlerError::internal("password=hunter2")),
                fails("panics", || panic!("password=hunter2")),
            ])
            .unwrap();
        lab
    }

    pub(crate) fn empty(limits: BridgeLimits) -> Self {
        let registry = ToolRegistry::new();
        let clock = HandClock(Arc::new(AtomicI64::new(START)));
        let sink = MemorySink::default();
        let builder = Bridge::builder(registry.clone()).audit(Trail::to(sink.clone())).clock(clock.clone());
        Self {
            bridge: builder.limits(limits).build(),
            registry,
            clock,
            sink,
            ran: Ran::default(),
            gate: Arc::new(Semaphore::new(0)),
            noticed: Arc::default(),
        }
    }

    pub(crate) fn events(&self) -> Vec<Value> {
        self.sink.events().iter().map(|event| serde_json::to_value(event).unwrap()).collect()
    }

    /// What happened since the last look, the oldest first: each event's type, with its reason and detail.
    pub(crate) fn trail(&self) -> Vec<String> {
        let events = self.events();
        drop(self.sink.drain());
        events.iter().map(told).collect()
    }
}

fn told(event: &Value) -> String {
    let kind = event["type"].as_str().unwrap();
    let more = ["reason", "detail"].iter().filter_map(|name| event[name].as_str());
    std::iter::once(kind).chain(more).collect::<Vec<_>>().join(" ")
}
