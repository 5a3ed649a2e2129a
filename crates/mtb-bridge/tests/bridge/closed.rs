//! What fails or panics on the way is a refusal, never a passage.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use mtb_audit::{AuditEvent, AuditSink, FailureMode, MemorySink, SinkError};
use mtb_bridge::{
    Bridge, Call, CallOutcome, CallRequest, Clock, Failure, HostContext, JsonSchema, Rejection, Tool, ToolRegistry,
};
use mtb_core::Timestamp;
use mtb_guard::{ConfirmationStore, MemoryStore, Put, Quota, Record, StoreError, Take, TokenHash};
use serde_json::json;

use crate::canary::Logs;
use crate::lab::{
    FullDisk, Lab, Ran, START, Setup, answers, dangerous, harmless, invoice_schema, invoices, json_of, reader, sends,
};

/// A store that fails from its n-th use on, by error or by panic.
struct Failing {
    inner: MemoryStore,
    good: AtomicUsize,
    panics: bool,
}

impl Failing {
    fn new(good: usize, panics: bool) -> Arc<Self> {
        Arc::new(Self { inner: MemoryStore::default(), good: AtomicUsize::new(good), panics })
    }

    fn fail(&self) -> Result<(), StoreError> {
        let spent = self.good.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |good| good.checked_sub(1)).is_err();
        match (spent, self.panics) {
            (false, _) => Ok(()),
            (true, false) => Err(StoreError::new("connection lost")),
            (true, true) => panic!("connection lost"),
        }
    }
}

#[async_trait]
impl ConfirmationStore for Failing {
    async fn put(&self, record: Record, quota: Quota, now: Timestamp) -> Result<Put, StoreError> {
        self.fail()?;
        self.inner.put(record, quota, now).await
    }

    async fn take(&self, hash: &TokenHash, now: Timestamp) -> Result<Take, StoreError> {
        self.fail()?;
        self.inner.take(hash, now).await
    }
}

#[tokio::test]
async fn a_store_that_fails_refuses() {
    let logs = Logs::default();
    let _capture = tracing::subscriber::set_default(logs.clone());
    for panics in [false, true] {
        let (lab, ran) = invoices(Setup { store: Failing::new(0, panics), ..Setup::default() });
        let outcome = lab.call(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await;
        let unavailable = Failure::ConfirmationUnavailable;
        assert!(matches!(&outcome, CallOutcome::ToolError { failure, .. } if *failure == unavailable), "{outcome:?}");
        assert_eq!(lab.refusals(), ["confirmation_invalid/store_unavailable"]);

        let (lab, _) = invoices(Setup { store: Failing::new(1, panics), ..Setup::default() });
        let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
        let repeat = CallRequest::new("send_invoice", json!({"invoiceId": "INV-1"})).with_token(token.expose());
        for outcome in [
            lab.bridge.call_tool(&reader(), repeat).await,
            lab.bridge.execute_confirmed(&reader(), token.expose()).await,
        ] {
            assert!(matches!(outcome, CallOutcome::Rejected { rejection: Rejection::ConfirmationInvalid, .. }));
        }
        assert!(!lab.bridge.revoke_confirmation(&reader(), token.expose()).await);
        assert_eq!(lab.refusals(), ["confirmation_invalid/store_unavailable"].repeat(3));
        assert_eq!(ran.times(), 0);
        // The operator is told what the store did, and not for which token.
        assert!(logs.holds(if panics { "panicked" } else { "connection lost" }));
        assert!(!logs.holds(&token.expose()[4..]));
    }
}

/// A sink that fails for one type of event.
struct Picky(&'static str, bool);

#[async_trait]
impl AuditSink for Picky {
    async fn record(&self, event: &AuditEvent) -> Result<(), SinkError> {
        match (event.kind().as_str() == self.0, self.1) {
            (false, _) => Ok(()),
            (true, false) => Err(SinkError::new("disk full")),
            (true, true) => panic!("disk full"),
        }
    }
}

#[tokio::test]
async fn in_mode_block_what_cannot_be_recorded_does_not_happen() {
    for panics in [false, true] {
        let ran = Ran::default();
        let sinks: Vec<Arc<dyn AuditSink>> = vec![Arc::new(Picky("call.started", panics))];
        let setup = Setup { sinks, mode: FailureMode::Block, ..Setup::default() };
        let lab = Lab::with(setup, [sends("send", harmless("reader"), &ran)]);
        let outcome = lab.call(&reader(), "send", json!({"invoiceId": "INV-1"})).await; // case 82
        assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::AuditUnavailable, .. }));
        assert_eq!(ran.times(), 0);
        // The sinks that work know that it was about to start, and that it did not run.
        assert_eq!(lab.trail(), ["call.started", "call.failed"]);
        assert_eq!(lab.last()["error"]["kind"], "audit_unavailable");
    }
}

#[tokio::test]
async fn in_mode_block_a_yes_that_cannot_be_recorded_does_not_run() {
    for panics in [false, true] {
        let sinks: Vec<Arc<dyn AuditSink>> = vec![Arc::new(Picky("call.started", panics))];
        let (lab, ran) = invoices(Setup { sinks, mode: FailureMode::Block, ..Setup::default() });
        let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
        let outcome = lab.bridge.execute_confirmed(&reader(), token.expose()).await;
        assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::AuditUnavailable, .. }), "{outcome:?}");
        assert_eq!(ran.times(), 0);
    }
}

#[tokio::test]
async fn in_mode_continue_the_call_goes_on_and_good_sinks_know() {
    let ran = Ran::default();
    let setup = Setup { sinks: vec![Arc::new(FullDisk)], ..Setup::default() };
    let lab = Lab::with(setup, [sends("send", harmless("reader"), &ran)]);
    assert_eq!(lab.call(&reader(), "send", json!({"invoiceId": "INV-1"})).await.status(), "ok"); // case 81
    assert_eq!(ran.times(), 1);
    assert_eq!(lab.trail(), ["call.started", "call.succeeded"]); // case 83
}

#[tokio::test]
async fn an_end_that_cannot_be_recorded_changes_nothing_any_more() {
    let ran = Ran::default();
    let sinks: Vec<Arc<dyn AuditSink>> = vec![Arc::new(Picky("call.succeeded", false))];
    let lab = Lab::with(
        Setup { sinks, mode: FailureMode::Block, ..Setup::default() },
        [sends("send", harmless("reader"), &ran)],
    );
    assert_eq!(lab.call(&reader(), "send", json!({"invoiceId": "INV-1"})).await.status(), "ok");
    assert_eq!(ran.times(), 1);
}

/// A clock that breaks after so many readings.
struct Breaking(AtomicUsize);

impl Clock for Breaking {
    fn now(&self) -> Timestamp {
        let good = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |good| good.checked_sub(1));
        assert!(good.is_ok(), "the clock broke");
        Timestamp::from_millis(START)
    }
}

#[tokio::test]
async fn a_clock_that_fails_refuses_what_depends_on_time() {
    for readings in 0..8 {
        let registry = ToolRegistry::new();
        let ran = Ran::default();
        registry.register(sends("send", dangerous("reader"), &ran)).unwrap();
        let sink = MemorySink::default();
        let builder = Setup::default().apply(Bridge::builder(registry), &sink);
        let bridge = builder.clock(Breaking(AtomicUsize::new(readings))).build();
        let call = || CallRequest::new("send", json!({"invoiceId": "INV-1"}));
        let CallOutcome::ConfirmationRequired { confirmation, .. } = bridge.call_tool(&reader(), call()).await else {
            continue;
        };
        let again = call().with_token(confirmation.token.expose());
        let outcome = bridge.call_tool(&reader(), again).await;
        let started = json_of(&sink.events()).iter().any(|event| event["type"] == "call.started");
        assert_eq!(outcome.status() == "ok", ran.times() == 1, "{readings}");
        assert_eq!(started, ran.times() == 1, "{readings}: nothing runs without a recorded time");
    }
}

/// A clock that breaks at one reading only.
struct Stumbling {
    readings: AtomicUsize,
    at: usize,
}

impl Clock for Stumbling {
    fn now(&self) -> Timestamp {
        assert_ne!(self.readings.fetch_add(1, Ordering::SeqCst), self.at, "the clock broke");
        Timestamp::from_millis(START)
    }
}

#[tokio::test]
async fn each_reading_of_the_clock_that_something_depends_on_refuses() {
    // The question, the taking, the checks of the token, the beginning, the start, the end, and one more.
    let statuses = ["tool_error", "ok", "rejected", "ok", "tool_error", "ok", "ok"];
    for ((at, status), executes) in (0..).zip(statuses).flat_map(|row| [(row, false), (row, true)]) {
        let registry = ToolRegistry::new();
        let ran = Ran::default();
        registry.register(sends("send", dangerous("reader"), &ran)).unwrap();
        let clock = Stumbling { readings: AtomicUsize::new(0), at };
        let builder = Setup::default().apply(Bridge::builder(registry), &MemorySink::default());
        let bridge = builder.clock(clock).build();
        let call = || CallRequest::new("send", json!({"invoiceId": "INV-1"}));
        let outcome = match bridge.call_tool(&reader(), call()).await {
            CallOutcome::ConfirmationRequired { confirmation, .. } if executes => {
                bridge.execute_confirmed(&reader(), confirmation.token.expose()).await
            }
            CallOutcome::ConfirmationRequired { confirmation, .. } => {
                bridge.call_tool(&reader(), call().with_token(confirmation.token.expose())).await
            }
            refused => refused,
        };
        assert_eq!(outcome.status(), status, "reading {at}, {executes}");
        assert_eq!(ran.times(), usize::from(status == "ok"), "reading {at}, {executes}");
    }
}

#[tokio::test]
async fn a_summary_that_panics_asks_nobody() {
    let tool = Tool::declare("send", "Sends.", invoice_schema(), dangerous("reader"));
    let lab = Lab::new([tool.summarize(|_| panic!("no words")).handler(|_, _| async { Ok("ran") })]);
    let outcome = lab.call(&reader(), "send", json!({"invoiceId": "INV-1"})).await;
    assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Internal, .. }), "{outcome:?}");
    assert_eq!(lab.trail(), ["call.failed"]);
}

struct App;
impl HostContext for App {}

#[tokio::test]
async fn a_context_that_panics_runs_nothing() {
    let registry = ToolRegistry::<App>::new();
    registry.register(answers("ping", "reader")).unwrap();
    let sink = MemorySink::default();
    let early =
        Bridge::builder_with_context(registry.clone(), |_| -> std::future::Ready<Result<App, _>> { panic!("early") });
    let late = Bridge::builder_with_context(registry, |_| async { panic!("late") as Result<App, _> });
    for bridge in [Setup::default().apply(early, &sink).build(), Setup::default().apply(late, &sink).build()] {
        let outcome = bridge.call_tool(&reader(), CallRequest::new("ping", json!({}))).await;
        assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Internal, .. }));
    }
    let events = json_of(&sink.events());
    let kinds: Vec<_> = events.iter().map(|event| (event["type"].as_str(), event["error"]["kind"].as_str())).collect();
    assert_eq!(kinds, [(Some("call.failed"), Some("context"))].repeat(2));
}

#[tokio::test]
async fn a_summary_is_cut_and_cannot_disguise_itself() {
    let tool = |name| Tool::declare(name, "Sends.", JsonSchema::no_arguments(), dangerous("reader"));
    let lab = Lab::new([
        tool("long").summarize(|_| "x".repeat(2_000)).handler(|_, _| async { Ok("ran") }),
        tool("tricky").summarize(|_| "pay 1\u{202e}000\nEUR\u{1b}[0m".to_owned()).handler(|_, _| async { Ok("ran") }),
        tool("titled").title("Send it").handler(|_, _| async { Ok("ran") }),
        tool("plain").handler(|_, _| async { Ok("ran") }),
    ]);
    let summary = async |name| lab.hold(&reader(), name, json!({})).await.summary.as_str().to_owned();
    assert_eq!(summary("long").await.chars().count(), 1_001);
    assert_eq!(summary("tricky").await, "pay 1000 EUR [0m");
    assert_eq!(summary("titled").await, "Send it"); // case 270
    assert_eq!(summary("plain").await, "plain"); // case 270
}

/// A store or a sink that never answers, from a moment on.
struct Silent {
    inner: MemoryStore,
    good: AtomicUsize,
}

impl Silent {
    fn after(good: usize) -> Self {
        Self { inner: MemoryStore::default(), good: AtomicUsize::new(good) }
    }

    async fn answer(&self) {
        if self.good.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |good| good.checked_sub(1)).is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[async_trait]
impl ConfirmationStore for Silent {
    async fn put(&self, record: Record, quota: Quota, now: Timestamp) -> Result<Put, StoreError> {
        self.answer().await;
        self.inner.put(record, quota, now).await
    }

    async fn take(&self, hash: &TokenHash, now: Timestamp) -> Result<Take, StoreError> {
        self.answer().await;
        self.inner.take(hash, now).await
    }
}

#[async_trait]
impl AuditSink for Silent {
    async fn record(&self, _event: &AuditEvent) -> Result<(), SinkError> {
        self.answer().await;
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_never_answers_has_failed() {
    let logs = Logs::default();
    let _capture = tracing::subscriber::set_default(logs.clone());
    let (lab, ran) = invoices(Setup { store: Arc::new(Silent::after(0)), ..Setup::default() });
    let outcome = lab.call(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await;
    assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::ConfirmationUnavailable, .. }));

    let (lab, _) = invoices(Setup { store: Arc::new(Silent::after(1)), ..Setup::default() });
    let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
    let outcome = lab.bridge.execute_confirmed(&reader(), token.expose()).await;
    assert!(matches!(outcome, CallOutcome::Rejected { rejection: Rejection::ConfirmationInvalid, .. }));
    assert!(!lab.bridge.revoke_confirmation(&reader(), token.expose()).await);
    assert_eq!(lab.refusals(), ["confirmation_invalid/store_unavailable"].repeat(2));
    assert_eq!(ran.times(), 0);
    assert!(logs.holds("did not answer within"));
}

#[tokio::test(start_paused = true)]
async fn an_audit_that_never_answers_has_failed() {
    for (mode, runs) in [(FailureMode::Block, 0), (FailureMode::Continue, 1)] {
        let ran = Ran::default();
        let sinks: Vec<Arc<dyn AuditSink>> = vec![Arc::new(Silent::after(0))];
        let lab = Lab::with(Setup { sinks, mode, ..Setup::default() }, [sends("send", harmless("reader"), &ran)]);
        let outcome = lab.call(&reader(), "send", json!({"invoiceId": "INV-1"})).await;
        assert_eq!(outcome.status() == "ok", runs == 1, "{outcome:?}");
        assert_eq!(ran.times(), runs);
    }
}

#[tokio::test(start_paused = true)]
async fn an_end_is_never_recorded_before_its_start() {
    let ran = Ran::default();
    let noted = ran.clone();
    let tool = Tool::declare("tool", "A tool.", JsonSchema::no_arguments(), harmless("reader"));
    let tool = tool.timeout(std::time::Duration::from_millis(15)).handler(move |arguments, _call| {
        noted.note(&arguments);
        async { Ok("ran") }
    });
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let setup = Setup { sinks: vec![Arc::new(SlowStart(order.clone()))], ..Setup::default() };
    let lab = Lab::with(setup, [tool]);
    let outcome = lab.call(&reader(), "tool", json!({})).await;
    assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Timeout(_), .. }), "{outcome:?}");
    assert_eq!(*order.lock().unwrap(), ["call.started", "call.failed"]);
    assert_eq!(ran.times(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_before_its_start_does_not_start() {
    let registry = ToolRegistry::<App>::new();
    let ran = Ran::default();
    let noted = ran.clone();
    let tool = Tool::declare("tool", "A tool.", JsonSchema::no_arguments(), harmless("reader"));
    let tool = tool.timeout(std::time::Duration::from_millis(15)).handler(move |arguments, _call: Call<App>| {
        noted.note(&arguments);
        async { Ok("ran") }
    });
    registry.register(tool).unwrap();
    let sink = MemorySink::default();
    let slow = Bridge::builder_with_context(registry, |_| async {
        tokio::time::sleep(std::time::Duration::from_millis(80)).await;
        Ok(App)
    });
    let bridge = Setup::default().apply(slow, &sink).build();
    let outcome = bridge.call_tool(&reader(), CallRequest::new("tool", json!({}))).await;
    assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Timeout(_), .. }), "{outcome:?}");
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let types: Vec<_> = sink.events().iter().map(|event| event.kind().as_str()).collect();
    assert_eq!((types, ran.times()), (vec!["call.failed"], 0));
}

/// Takes its time to record a start; notes the types of events as they are recorded.
struct SlowStart(Arc<std::sync::Mutex<Vec<&'static str>>>);

#[async_trait]
impl AuditSink for SlowStart {
    async fn record(&self, event: &AuditEvent) -> Result<(), SinkError> {
        if event.kind().as_str() == "call.started" {
            tokio::time::sleep(std::time::Duration::from_millis(80)).await;
        }
        self.0.lock().unwrap().push(event.kind().as_str());
        Ok(())
    }
}
