//! What a hostile client tries to have done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::Method;
use mtb_bridge::{JsonSchema, Tool};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, any_of};
use mtb_http::HttpLimits;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::{sleep, timeout};

use crate::client::{Client, initialize, modern, request, until, within};
use crate::served::{Served, call, read_until, written};
use crate::site::{Site, limits};

fn harmless() -> Governance {
    Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: any_of(["reader"]) }
}

fn capable() -> Value {
    json!({"elicitation": {"form": {}}})
}

fn send() -> Value {
    json!({"to": "bob@example.com", "text": "Hello"})
}

fn accept(question: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"confirm": true}}})
}

/// A person whose role was taken away, or whose key was revoked, does nothing with it any more: a held call is checked
/// again when it is confirmed.
#[tokio::test]
async fn a_yes_after_the_role_is_gone_runs_nothing() {
    let site = Site::new();
    let begun = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &capable()).await;
    let mut held = begun.call(1, "send", &send()).await;
    let question = held.next().await;
    // Everything that made alice an editor is gone. What is left is a reader's key.
    let id = mtb_core::PrincipalId::new("alice").unwrap();
    assert_eq!(site.keys.revoke_all(&id), 2);
    let reader = mtb_http::ApiKey::generate().unwrap();
    site.keys.add(reader.hash(), Principal::new("alice", ["reader"]).unwrap(), None);
    begun.clone().known_by(&reader).post(accept(&question).to_string()).await;
    sleep(Duration::from_millis(200)).await;
    assert_eq!(site.sent(), 0, "{:?}", site.events());
}

/// A batch is refused in 2025-11-25: nothing in it may have an effect.
#[tokio::test]
async fn a_refused_batch_confirms_nothing() {
    for broken in [false, true] {
        let site = Site::new();
        let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &capable()).await;
        let mut held = alice.call(1, "send", &send()).await;
        let question = held.next().await;
        let yes = accept(&question);
        let batch = if broken { format!("[{yes}, {{\"broken") } else { format!("[{yes}]") };
        let answer = alice.post(batch).await;
        assert_eq!(answer.status, 400);
        sleep(Duration::from_millis(100)).await;
        assert_eq!(site.sent(), 0, "broken: {broken}; {:?}", site.events());
    }
}

/// What is no JSON confirms nothing either.
#[tokio::test]
async fn a_broken_batch_confirms_nothing() {
    let mut confirmed = Vec::new();
    for version in ["2025-11-25", "2025-06-18"] {
        for tail in [", {\"broken", "", ", nonsense]", "}]]"] {
            let site = Site::new();
            let alice = Client::of(site.router()).known_by(&site.alice).begun(version, &capable()).await;
            let mut held = alice.call(1, "send", &send()).await;
            let question = held.next().await;
            let answer = alice.post(format!("[{}{tail}", accept(&question))).await;
            assert_eq!(answer.status, 400);
            sleep(Duration::from_millis(100)).await;
            if site.sent() > 0 {
                confirmed.push((version, tail));
            }
        }
    }
    assert_eq!(confirmed, []);
}

/// The same for a cancellation.
#[tokio::test]
async fn a_refused_batch_cancels_nothing() {
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    for batch in [format!("[{cancel}]"), format!("[{cancel}, ")] {
        let site = Site::new();
        let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
        let params = json!({"name": "wait", "_meta": {"progressToken": 1}});
        let mut held = alice.post(request(7, "tools/call", &params).to_string()).await;
        held.next().await;
        assert_eq!(alice.post(batch).await.status, 400);
        sleep(Duration::from_millis(100)).await;
        assert_eq!(site.events(), ["call.started"]);
    }
}

/// 2026-07-28 is served only where its headers say what is in it, wherever it is posted.
#[tokio::test]
async fn legacy_sse_serves_nothing_modern() {
    let site = Site::adjusted(|options| options.with_legacy_sse(true));
    let schema = json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "additionalProperties": false});
    let governance = harmless();
    let route = Tool::declare("route", "x", JsonSchema::value(schema).allow_keywords(["x-mcp-header"]), governance)
        .handler(|_args, _call| async { Ok("there") });
    site.bridge.registry().register(route).unwrap();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let mut stream = alice.request(Method::GET, "/sse", "").await;
    let endpoint = stream.event("endpoint").await;
    let lying = alice
        .with("mcp-param-region", "west")
        .with("mcp-method", "tools/list")
        .with("mcp-protocol-version", "2025-06-18");
    let call = modern(1, "tools/call", &json!({"name": "route", "arguments": {"region": "east"}}));
    lying.request(Method::POST, &endpoint, call.to_string()).await;
    sleep(Duration::from_millis(100)).await;
    assert_eq!(site.events(), [""; 0]);
}

/// `session_age`: no session lives longer.
#[tokio::test(start_paused = true)]
async fn a_stream_ends_with_the_age_of_its_session() {
    let site = Site::with(HttpLimits { session_age: Duration::from_secs(60), ..limits() });
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
    let stream = alice.get().await;
    assert_eq!(stream.status, 200);
    let mut body = stream.response.into_body().into_data_stream();
    let ended = timeout(Duration::from_secs(3_600), async {
        while futures_util::StreamExt::next(&mut body).await.is_some() {}
    });
    assert!(ended.await.is_ok(), "the stream of a session lives sixty times as long as a session may");
}

/// An HTTP method that nobody knows is made up by whoever sends it.
#[tokio::test]
async fn an_invented_http_method_is_in_no_span() {
    crate::traces::listen();
    let site = Site::new();
    let nobody = Client::of(site.router());
    let method = Method::from_bytes(b"CANARY-METHOD-7f3a").unwrap();
    assert_eq!(nobody.request(method, "/mcp", "").await.status, 405);
    let lines = crate::traces::lines();
    let told: Vec<_> = lines.iter().filter(|line| line.contains("CANARY-METHOD")).collect();
    assert_eq!(told, [""; 0]);
}

/// While the drain lasts, nothing new begins.
#[tokio::test]
async fn a_body_that_ends_during_the_drain_starts_nothing() {
    let site = Site::new();
    let served = Served::adjusted(&site, limits(), |options| options.with_drain(Duration::from_secs(1))).await;
    let mut other = served.connect().await;
    other.write_all(written(&site.alice, &call("wait"), "").as_bytes()).await.unwrap();
    read_until(&mut other, "notifications/progress").await;
    let whole = written(&site.alice, &call("count"), "");
    let mut slow = served.connect().await;
    slow.write_all(&whole.as_bytes()[..whole.len() - 1]).await.unwrap();
    sleep(Duration::from_millis(100)).await;
    served.stop.send(()).unwrap();
    sleep(Duration::from_millis(300)).await;
    let _ = slow.write_all(&whole.as_bytes()[whole.len() - 1..]).await;
    let mut text = Vec::new();
    let _ = timeout(Duration::from_secs(2), slow.read_to_end(&mut text)).await;
    within(served.over).await.unwrap();
    assert_eq!(site.events(), ["call.started", "call.failed aborted"]);
}

/// A key that was revoked while its body was on its way lets nobody in.
#[tokio::test]
async fn a_key_revoked_before_the_body_is_whole_does_nothing() {
    let site = Site::new();
    let served = Served::of(&site, limits()).await;
    let whole = written(&site.alice, &call("count"), "");
    let mut slow = served.connect().await;
    slow.write_all(&whole.as_bytes()[..whole.len() - 1]).await.unwrap();
    sleep(Duration::from_millis(100)).await;
    assert!(site.keys.revoke(&site.alice.hash()));
    slow.write_all(&whole.as_bytes()[whole.len() - 1..]).await.unwrap();
    read_until(&mut slow, "\r\n\r\n").await;
    assert_eq!(site.events(), [""; 0]);
}

/// A refused `initialize` takes no session away.
#[tokio::test]
async fn a_refused_initialize_ends_no_session() {
    let site = Site::with(HttpLimits { requests: 1, sessions_of_one: 1, ..limits() });
    let alice = Client::of(site.router()).known_by(&site.alice);
    let begun = alice.begun("2025-11-25", &json!({})).await;
    let mut waiting = alice.modern(1, "tools/call", &json!({"name": "wait", "_meta": {"progressToken": 1}})).await;
    waiting.next().await;
    let refused = alice.post(initialize("2025-11-25", &json!({})).to_string()).await;
    assert_eq!(refused.status, 429);
    drop(waiting);
    until(|| site.events().len() == 2).await;
    sleep(Duration::from_millis(50)).await;
    assert_eq!(begun.post(request(1, "ping", &json!({})).to_string()).await.status, 200);
}

/// Once `serve_http` has returned, nothing is done and nothing is recorded any more.
#[tokio::test]
async fn nothing_is_recorded_after_serving_has_returned() {
    let site = Site::new();
    let served = Served::adjusted(&site, limits(), |options| options.with_drain(Duration::from_millis(50))).await;
    let whole = written(&site.alice, &call("count"), "");
    let mut slow = served.connect().await;
    slow.write_all(&whole.as_bytes()[..whole.len() - 1]).await.unwrap();
    sleep(Duration::from_millis(100)).await;
    served.stop.send(()).unwrap();
    within(served.over).await.unwrap();
    // No connection is left by which anything could come.
    let closed = timeout(Duration::from_secs(2), slow.read(&mut [0])).await;
    assert!(!matches!(closed, Err(_) | Ok(Ok(1..))), "{closed:?}");
    let _ = slow.write_all(&whole.as_bytes()[whole.len() - 1..]).await;
    let mut text = Vec::new();
    let _ = timeout(Duration::from_secs(2), slow.read_to_end(&mut text)).await;
    assert_eq!(site.events(), [""; 0]);
}

/// A cancellation that comes after the 202 of its call reaches it.
#[tokio::test]
async fn a_cancellation_after_the_202_reaches_its_call() {
    let site = Site::new();
    let served = Served::adjusted(&site, limits(), |options| options.with_legacy_sse(true)).await;
    let (mut stream, endpoint) = served.legacy_stream(&site.alice).await;
    let mut posting = served.connect().await;
    let post = |message: &Value| written(&site.alice, message, "").replace("/mcp", &endpoint);
    posting.write_all(post(&initialize("2024-11-05", &json!({}))).as_bytes()).await.unwrap();
    read_until(&mut posting, "202").await;
    read_until(&mut stream, "serverInfo").await;
    let wait = request(7, "tools/call", &json!({"name": "wait", "_meta": {"progressToken": 1}}));
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    posting.write_all((post(&wait) + &post(&cancel)).as_bytes()).await.unwrap();
    sleep(Duration::from_millis(500)).await;
    assert!(
        !site.events().contains(&"call.started".into()) || site.events().contains(&"call.failed aborted".into()),
        "{:?}",
        site.events()
    );
}

/// The end of a call is written when its time is over, also where its handler blocks its thread and has reported
/// progress: on a runtime of many threads nothing has to wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_blocking_handler_that_reports_is_ended_in_time() {
    let site = Site::new();
    let served = Served::of(&site, limits()).await;
    let governance = harmless();
    for (name, reports) in [("silent", false), ("reporting", true)] {
        let done = Arc::<AtomicBool>::default();
        let finished = Arc::clone(&done);
        let tool = Tool::declare(name, "x", JsonSchema::no_arguments(), governance.clone());
        let tool = tool.timeout(Duration::from_millis(300)).handler(move |_args, call| {
            let finished = Arc::clone(&finished);
            async move {
                std::thread::sleep(Duration::from_millis(100));
                if reports {
                    call.progress(1.0, None, None);
                }
                std::thread::sleep(Duration::from_secs(3));
                finished.store(true, Ordering::SeqCst);
                Ok("done")
            }
        });
        site.bridge.registry().register(tool).unwrap();
        let seen = site.events().len();
        let mut stream = served.connect().await;
        let whole = written(&site.alice, &call(name), "accept: application/json\r\n");
        stream.write_all(whole.as_bytes()).await.unwrap();
        until(|| site.events().len() == seen + 2).await;
        assert_eq!(site.events().last().unwrap(), "call.failed timeout");
        assert!(!done.load(Ordering::SeqCst), "{name}: its end was told when it was done");
    }
}

/// The same at a shutdown: what started has its end in the record when serving has returned.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_shutdown_records_the_end_of_a_blocking_handler_that_reported() {
    let site = Site::new();
    let served = Served::of(&site, limits()).await;
    let governance = harmless();
    let tool = Tool::declare("reporting", "x", JsonSchema::no_arguments(), governance);
    let tool = tool.handler(|_args, call| async move {
        std::thread::sleep(Duration::from_millis(100));
        call.progress(1.0, None, None);
        std::thread::sleep(Duration::from_secs(3));
        Ok("done")
    });
    site.bridge.registry().register(tool).unwrap();
    let mut stream = served.connect().await;
    let whole = written(&site.alice, &call("reporting"), "accept: application/json\r\n");
    stream.write_all(whole.as_bytes()).await.unwrap();
    until(|| site.events().len() == 1).await;
    sleep(Duration::from_millis(300)).await;
    served.stop.send(()).unwrap();
    within(served.over).await.unwrap();
    assert_eq!(site.events(), ["call.started", "call.failed aborted"]);
}

/// What stands behind the bracket of an address is a part of the name, which is then none of this machine.
#[tokio::test]
async fn a_name_that_begins_like_an_address_is_foreign() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let list = async |client: Client| client.modern(1, "tools/list", &json!({})).await.status.as_u16();
    let found = [
        list(alice.clone().with("host", "[::1].evil.com")).await,
        list(alice.clone().with("host", "[::1]evil.com:80")).await,
        list(alice.clone().with("origin", "http://[::1].evil.com")).await,
        list(alice.with("origin", "evil://localhost")).await,
    ];
    assert_eq!(found, [403; 4]);
}

/// Presenting a token is using it, although the call it came with is not looked at.
#[tokio::test]
async fn a_state_that_came_with_a_wrong_header_is_spent() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let meta = json!({"io.modelcontextprotocol/clientCapabilities": capable()});
    let held = json!({"name": "send", "arguments": send(), "_meta": meta});
    let state = alice.modern(1, "tools/call", &held).await.next().await["result"]["requestState"].clone();
    let mut yes = held.clone();
    yes["requestState"] = state;
    yes["inputResponses"] = json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
    let (version, method) = ("mcp-protocol-version", "mcp-method");
    let lying = alice.clone().with(version, "2026-07-28").with(method, "tools/call").with("mcp-name", "count");
    let mut refused = lying.post(modern(2, "tools/call", &yes).to_string()).await;
    assert_eq!((refused.status.as_u16(), &refused.next().await["error"]["code"]), (400, &json!(-32020)));
    assert_eq!(site.events(), ["confirmation.issued", "confirmation.withdrawn misused"]);
    alice.modern(3, "tools/call", &yes).await;
    assert_eq!(site.sent(), 0, "{:?}", site.events());
    // What presents nothing leaves nothing.
    assert_eq!(lying.post(modern(4, "tools/call", &held).to_string()).await.status, 400);
    assert_eq!(site.events().len(), 3, "{:?}", site.events());
}

/// Nor is one kept that came with a request that does not say enough of its client.
#[tokio::test]
async fn a_state_in_a_request_that_cannot_be_served_is_spent() {
    for (version, capabilities) in [("2026-07-28", Value::Null), ("2027-01-01", capable())] {
        let site = Site::new();
        let alice = Client::of(site.router()).known_by(&site.alice);
        let meta = json!({"io.modelcontextprotocol/clientCapabilities": capable()});
        let mut yes = json!({"name": "send", "arguments": send(), "_meta": meta});
        let held = alice.modern(1, "tools/call", &yes).await.next().await;
        yes["requestState"] = held["result"]["requestState"].clone();
        yes["inputResponses"] = json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
        let mut bad = modern(2, "tools/call", &yes);
        let meta = &mut bad["params"]["_meta"];
        meta["io.modelcontextprotocol/protocolVersion"] = json!(version);
        meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
        let client = alice.clone().with("mcp-protocol-version", version).with("mcp-method", "tools/call");
        assert_eq!(client.with("mcp-name", "send").post(bad.to_string()).await.status, 400);
        alice.modern(3, "tools/call", &yes).await;
        assert_eq!(site.sent(), 0, "{version}: {:?}", site.events());
    }
}

/// Nor one that a host presents beside the name of no version, or before it has initialized.
#[tokio::test]
async fn a_token_in_a_request_that_cannot_be_served_is_spent() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
    let held = alice.call(1, "send", &send()).await.next().await;
    let token = &held["result"]["_meta"]["mcp-tool-bridge/confirmation"]["token"];
    let meta = json!({"mcp-tool-bridge/confirmation": {"token": token}});
    let yes = request(2, "tools/call", &json!({"name": "send", "arguments": send(), "_meta": meta})).to_string();
    let lying = alice.clone().with("mcp-protocol-version", "2020-01-01");
    assert_eq!(lying.post(yes.clone()).await.status, 400);
    alice.post(yes).await;
    assert_eq!(site.sent(), 0, "{:?}", site.events());
}
