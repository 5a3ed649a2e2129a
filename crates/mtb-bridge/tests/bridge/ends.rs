//! Every way a call can end leaves exactly one end event.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use mtb_bridge::{
    BridgeLimits, Call, CallOptions, CallOutcome, CallRequest, CancellationToken, ContentBlock, Failure, JsonSchema,
    Tool, ToolBuilder, ToolDraft, ToolError, json, text,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::lab::{Count, Lab, Ran, Setup, answers, dangerous, harmless, reader, sends};

fn tool(name: &str) -> ToolBuilder {
    Tool::declare(name, "A tool.", JsonSchema::no_arguments(), harmless("reader"))
}

/// What the audit says about the end of the only call: its type and the kind of its failure.
#[track_caller]
fn check_end(lab: &Lab, started: bool, end: &str, kind: &str) {
    let events = lab.events();
    let mut expected = vec!["call.started", end];
    if !started {
        expected.remove(0);
    }
    assert_eq!(lab.trail(), expected, "{events:?}");
    let kind = if kind.is_empty() { Value::Null } else { json!(kind) };
    assert_eq!(events.last().unwrap()["error"]["kind"], kind);
    let ids: Vec<_> = events.iter().map(|event| &event["callId"]).collect();
    assert!(ids.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Runs a tool to its end and checks the events and the outcome.
async fn check(draft: ToolDraft, end: &str, kind: &str, failure: Option<Failure>) {
    let limits = BridgeLimits { result_bytes: 64, ..BridgeLimits::default() };
    let lab = Lab::with(Setup { limits, ..Setup::default() }, [draft]);
    let outcome = lab.call(&reader(), "tool", json!({})).await;
    check_end(&lab, true, end, kind);
    match (outcome, failure) {
        (CallOutcome::Completed { .. }, None) => {}
        (CallOutcome::ToolError { failure, .. }, Some(expected)) => assert_eq!(failure, expected),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn each_end_is_recorded_once_with_its_kind() {
    const FAILED: &str = "call.failed";
    let output = JsonSchema::value(json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "additionalProperties": false,
    }));
    check(tool("tool").handler(|_, _| async { Ok("fine") }), "call.succeeded", "", None).await;
    check(tool("tool").handler(|_, _| async { Ok(text("no").as_error()) }), "call.succeeded", "", None).await;
    let error = || ToolError::new("no such invoice");
    let told = tool("tool").handler(move |_, _| async move { Err::<&str, _>(error().into()) });
    check(told, FAILED, "tool_error", Some(Failure::Tool(error()))).await;
    let untold = tool("tool").handler(|_, _| async { Err::<&str, _>(std::io::Error::other("disk").into()) });
    check(untold, FAILED, "exception", Some(Failure::Internal)).await;
    let panics = tool("tool").handler(|_, _| async { panic!("no") as Result<&str, _> });
    check(panics, FAILED, "exception", Some(Failure::Internal)).await;
    let panics_early = tool("tool").handler(|_, _| -> std::future::Ready<Result<&str, _>> { panic!("no") });
    check(panics_early, FAILED, "exception", Some(Failure::Internal)).await;
    let limit = Duration::from_millis(20);
    let hangs = tool("tool").timeout(limit).handler(|_, _| pending::<Result<&str, _>>());
    check(hangs, FAILED, "timeout", Some(Failure::Timeout(limit))).await; // case 107
    let long = tool("tool").handler(|_, _| async { Ok("x".repeat(65)) });
    check(long, FAILED, "result_too_large", Some(Failure::ResultTooLarge)).await;
    let long = tool("tool").handler(|_, _| async { Ok(text("").with_structured(json!(["x".repeat(65)]))) });
    check(long, FAILED, "result_too_large", Some(Failure::ResultTooLarge)).await;
    for (answer, fits) in [
        (json(json!({"n": 1})), true),
        (json(json!({"n": "1"})), false), // case 106
        (json(json!({"n": 1, "m": 2})), false),
        (json(json!([])), false),
        (text("no structure"), false),
        (text("failed").as_error(), true),
    ] {
        let answers = tool("tool").output(&output).handler(move |_, _| {
            let answer = answer.clone();
            async move { Ok(answer) }
        });
        if fits {
            check(answers, "call.succeeded", "", None).await;
        } else {
            check(answers, FAILED, "invalid_output", Some(Failure::InvalidOutput)).await;
        }
    }
}

#[tokio::test]
async fn a_handler_that_blocks_past_its_limit_is_too_late() {
    let limit = Duration::from_millis(1);
    let blocks = tool("tool").timeout(limit).handler(|_, _| async {
        let begun = std::time::Instant::now();
        while begun.elapsed() < Duration::from_millis(20) {
            std::hint::spin_loop();
        }
        Ok("late")
    });
    check(blocks, "call.failed", "timeout", Some(Failure::Timeout(limit))).await;
}

/// A tool that tells when it began, and notes whether its cancellation fired.
fn waits(began: &Arc<Notify>, fired: &Count) -> ToolDraft {
    let (began, fired) = (Arc::clone(began), fired.clone());
    tool("tool").handler(move |_, call: Call| {
        let (began, fired) = (Arc::clone(&began), fired.clone());
        async move {
            began.notify_one();
            call.cancellation().cancelled().await;
            fired.up();
            Ok("stopped in time")
        }
    })
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_ends_at_once_and_its_handler_is_told() {
    let (began, fired) = (Arc::new(Notify::new()), Count::default());
    let lab = Lab::new([waits(&began, &fired)]);
    let cancellation = CancellationToken::new();
    let options = CallOptions::new().cancellation(cancellation.clone());
    let call = CallRequest::new("tool", json!({})).with_options(options);
    let alice = reader();
    let (outcome, ()) = tokio::join!(lab.bridge.call_tool(&alice, call), async {
        began.notified().await;
        cancellation.cancel();
    });
    assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Cancelled, .. })); // case 108
    check_end(&lab, true, "call.failed", "aborted");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(fired.get(), 1);
    assert_eq!(lab.trail().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_ignores_its_cancellation_is_aborted_after_the_grace() {
    struct OnDrop(Count);
    impl Drop for OnDrop {
        fn drop(&mut self) {
            self.0.up();
        }
    }
    let (began, dropped) = (Arc::new(Notify::new()), Count::default());
    let (begins, drops) = (Arc::clone(&began), dropped.clone());
    let lab = Lab::new([tool("tool").handler(move |_, _| {
        let (begins, guard) = (Arc::clone(&begins), OnDrop(drops.clone()));
        async move {
            begins.notify_one();
            let _guard = guard;
            pending::<Result<&str, _>>().await
        }
    })]);
    let cancellation = CancellationToken::new();
    let options = CallOptions::new().cancellation(cancellation.clone());
    let call = CallRequest::new("tool", json!({})).with_options(options);
    let alice = reader();
    let (outcome, ()) = tokio::join!(lab.bridge.call_tool(&alice, call), async {
        began.notified().await;
        cancellation.cancel();
    });
    assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Cancelled, .. }));
    tokio::time::sleep(Duration::from_millis(4_900)).await;
    assert_eq!(dropped.get(), 0);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(dropped.get(), 1);
    check_end(&lab, true, "call.failed", "aborted");
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_it_began_does_not_begin() {
    let (began, fired) = (Arc::new(Notify::new()), Count::default());
    let lab = Lab::new([waits(&began, &fired)]);
    let cancellation = CancellationToken::new();
    cancellation.cancel();
    let options = CallOptions::new().cancellation(cancellation);
    let outcome = lab.bridge.call_tool(&reader(), CallRequest::new("tool", json!({})).with_options(options)).await;
    assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Cancelled, .. })); // case 109
    check_end(&lab, false, "call.failed", "aborted");
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_leaves_the_real_outcome_in_the_audit() {
    let (began, fired) = (Arc::new(Notify::new()), Count::default());
    let lab = Lab::new([waits(&began, &fired)]);
    let (bridge, principal) = (lab.bridge.clone(), reader());
    let caller = tokio::spawn(async move { bridge.call_tool(&principal, CallRequest::new("tool", json!({}))).await });
    began.notified().await;
    caller.abort();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(fired.get(), 1);
    check_end(&lab, true, "call.succeeded", "");
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_from_a_stubborn_handler_leaves_an_abort() {
    let began = Arc::new(Notify::new());
    let begins = Arc::clone(&began);
    let lab = Lab::new([tool("tool").handler(move |_, _| {
        begins.notify_one();
        pending::<Result<&str, _>>()
    })]);
    let (bridge, principal) = (lab.bridge.clone(), reader());
    let caller = tokio::spawn(async move { bridge.call_tool(&principal, CallRequest::new("tool", json!({}))).await });
    began.notified().await;
    caller.abort();
    tokio::time::sleep(Duration::from_secs(6)).await;
    check_end(&lab, true, "call.failed", "aborted");
}

#[tokio::test(start_paused = true)]
async fn past_the_limit_calls_are_refused_until_a_slot_is_free() {
    let (began, fired) = (Arc::new(Notify::new()), Count::default());
    let limits = BridgeLimits { in_flight: 1, ..BridgeLimits::default() };
    let lab = Lab::with(Setup { limits, ..Setup::default() }, [waits(&began, &fired), answers("ping", "reader")]);
    let cancellation = CancellationToken::new();
    let options = CallOptions::new().cancellation(cancellation.clone());
    let call = CallRequest::new("tool", json!({})).with_options(options);
    let alice = reader();
    let (_, ()) = tokio::join!(lab.bridge.call_tool(&alice, call), async {
        began.notified().await;
        for name in ["ping", "tool", "no_such_tool"] {
            let outcome = lab.call(&reader(), name, json!({})).await;
            assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Overloaded, .. }), "{name}");
            assert_eq!(lab.last()["error"]["kind"], "overloaded");
        }
        cancellation.cancel();
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(lab.call(&reader(), "ping", json!({})).await.status(), "ok");
}

#[tokio::test(start_paused = true)]
async fn a_token_is_spent_although_there_is_no_room() {
    let (began, fired, ran) = (Arc::new(Notify::new()), Count::default(), Ran::default());
    let limits = BridgeLimits { in_flight: 1, ..BridgeLimits::default() };
    let tools = [waits(&began, &fired), sends("send", dangerous("reader"), &ran)];
    let lab = Lab::with(Setup { limits, ..Setup::default() }, tools);
    let (cancellation, alice) = (CancellationToken::new(), reader());
    let call = || CallRequest::new("send", json!({"invoiceId": "INV-1"}));
    let mut tokens = Vec::new();
    for _ in 0..3 {
        tokens.push(lab.hold(&alice, "send", json!({"invoiceId": "INV-1"})).await.token);
    }
    let waiting =
        CallRequest::new("tool", json!({})).with_options(CallOptions::new().cancellation(cancellation.clone()));
    let (_, ()) = tokio::join!(lab.bridge.call_tool(&alice, waiting), async {
        began.notified().await;
        for outcome in [
            lab.bridge.call_tool(&alice, call().with_token(tokens[0].expose())).await,
            lab.bridge.execute_confirmed(&alice, tokens[1].expose()).await,
            lab.bridge.refuse_overloaded(&alice, call().with_token(tokens[2].expose())).await,
        ] {
            assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Overloaded, .. }), "{outcome:?}");
        }
        cancellation.cancel();
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    for token in tokens {
        assert_eq!(lab.bridge.execute_confirmed(&alice, token.expose()).await.status(), "rejected");
        assert_eq!(lab.last()["detail"], "consumed");
    }
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn a_question_and_a_refusal_take_no_slot() {
    let limits = BridgeLimits { in_flight: 1, ..BridgeLimits::default() };
    let ran = Ran::default();
    let lab = Lab::with(Setup { limits, ..Setup::default() }, [sends("send", dangerous("reader"), &ran)]);
    for (name, arguments, status) in [
        ("no_such_tool", json!({}), "rejected"),
        ("send", json!({}), "invalid_arguments"),
        ("send", json!({"invoiceId": "INV-1"}), "confirmation_required"),
        ("send", json!({"invoiceId": "INV-2"}), "confirmation_required"),
    ] {
        assert_eq!(lab.call(&reader(), name, arguments).await.status(), status);
    }
    let token = lab.hold(&reader(), "send", json!({"invoiceId": "INV-3"})).await.token;
    for status in ["ok", "rejected", "rejected"] {
        assert_eq!(lab.bridge.execute_confirmed(&reader(), token.expose()).await.status(), status);
    }
}

#[tokio::test]
async fn progress_reaches_whoever_asked() {
    let lab = Lab::new([tool("tool").handler(|_, call: Call| async move {
        call.progress(1.0, Some(2.0), Some("half"));
        Ok("done")
    })]);
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let options = CallOptions::new().progress(Arc::new(move |progress| sink.lock().unwrap().push(progress)));
    let outcome = lab.bridge.call_tool(&reader(), CallRequest::new("tool", json!({})).with_options(options)).await;
    let CallOutcome::Completed { result, .. } = outcome else { panic!() };
    assert_eq!(result.content, [ContentBlock::Text("done".to_owned())]);
    assert_eq!(seen.lock().unwrap().len(), 1);
    assert_eq!(lab.call(&reader(), "tool", json!({})).await.status(), "ok");
}
