//! Clients before 2026-07-28, which have sessions.

use serde_json::{Value, json};

use crate::client::{Answer, Client, until};
use crate::site::Site;

fn send() -> Value {
    json!({"to": "bob@example.com", "text": "Hello"})
}

fn capable() -> Value {
    json!({"elicitation": {}})
}

/// The answer to a question, which anybody may post.
fn answer_to(question: &Value, action: &str) -> String {
    let result = json!({"action": action, "content": {"confirm": true}});
    json!({"jsonrpc": "2.0", "id": question["id"], "result": result}).to_string()
}

#[tokio::test]
async fn every_version_with_sessions_is_served() {
    let site = Site::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let alice = Client::of(site.router()).known_by(&site.alice).begun(version, &json!({})).await;
        let mut answer = alice.call(1, "greet", &json!({"name": "Ada"})).await;
        assert_eq!((answer.status.as_u16(), answer.next().await["id"].as_i64()), (200, Some(1)), "{version}");
        // The header is not asked for: older clients do not know it.
        let mut answer = alice.without("mcp-protocol-version").call(2, "nobody_has_this", &json!({})).await;
        assert_eq!((answer.status.as_u16(), answer.next().await["error"]["code"].as_i64()), (200, Some(-32602)));
    }
}

#[tokio::test]
async fn a_question_goes_out_on_the_stream_of_its_call_and_is_answered_by_its_principal() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &capable()).await;
    let mut call = alice.call(1, "send", &send()).await;
    assert_eq!(call.response.headers()["content-type"], "text/event-stream");
    let question = call.next().await;
    assert_eq!(question["method"], "elicitation/create");

    // Bob in alice's session, bob in his own, alice in another session of hers: nobody of them was asked.
    let bob = Client::of(site.router()).known_by(&site.bob);
    let session = alice.clone().known_by(&site.bob);
    assert_eq!(session.post(answer_to(&question, "accept")).await.status, 404);
    for other in [bob, Client::of(site.router()).known_by(&site.alice)] {
        let other = other.begun("2025-11-25", &capable()).await;
        assert_eq!(other.post(answer_to(&question, "accept")).await.status, 202);
    }
    assert_eq!(site.sent(), 0);

    // A refreshed credential keeps the session.
    let refreshed = alice.known_by(&site.alices_other);
    assert_eq!(refreshed.post(answer_to(&question, "accept")).await.status, 202);
    assert_eq!(call.next().await["result"]["structuredContent"]["messageId"], "m-1");
    assert_eq!((site.sent(), call.receive().await), (1, None));
    // And what comes twice is dropped.
    assert_eq!(refreshed.post(answer_to(&question, "accept")).await.status, 202);
    assert_eq!(site.sent(), 1);
}

#[tokio::test]
async fn a_no_is_a_no() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-06-18", &capable()).await;
    let mut call = alice.call(1, "send", &send()).await;
    let question = call.next().await;
    alice.post(answer_to(&question, "decline")).await;
    assert_eq!(call.next().await["result"]["structuredContent"]["status"], "declined");
    assert_eq!(site.sent(), 0);
}

/// Who reads one message only is asked by the host.
#[tokio::test]
async fn who_cannot_be_asked_gets_the_token() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &capable()).await;
    let mut answer = alice.with("accept", "application/json").call(1, "send", &send()).await;
    let result = answer.next().await["result"].clone();
    assert!(result["_meta"]["mcp-tool-bridge/confirmation"]["token"].is_string(), "{result}");
}

async fn waiting(client: &Client, id: i64) -> Answer {
    let params = json!({"name": "wait", "_meta": {"progressToken": id}});
    let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
    let mut answer = client.post(call.to_string()).await;
    assert_eq!(answer.next().await["method"], "notifications/progress");
    answer
}

fn cancellation(id: i64) -> String {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string()
}

#[tokio::test]
async fn a_cancellation_reaches_the_calls_of_its_session() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
    let other = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
    let mut call = waiting(&alice, 7).await;
    assert_eq!(alice.clone().known_by(&site.bob).post(cancellation(7)).await.status, 404);
    assert_eq!(other.post(cancellation(7)).await.status, 202);
    assert_eq!(alice.post(cancellation(8)).await.status, 202);
    assert_eq!(site.events(), ["call.started"]);
    assert_eq!(alice.post(cancellation(7)).await.status, 202);
    assert_eq!(call.receive().await, None);
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
}

#[tokio::test]
async fn hanging_up_cancels_nothing_and_ending_the_session_does() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
    drop(waiting(&alice, 1).await);
    // It goes on: its session can still cancel it.
    assert_eq!(site.events(), ["call.started"]);
    assert_eq!(alice.clone().known_by(&site.bob).delete().await.status, 404);
    assert_eq!(alice.delete().await.status, 200);
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
    for answer in [alice.delete().await, alice.get().await, alice.call(2, "greet", &json!({"name": "Ada"})).await] {
        assert_eq!(answer.status, 404);
    }
}

#[tokio::test]
async fn a_call_whose_client_hung_up_ends_as_it_ends() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
    let params = json!({"name": "linger", "_meta": {"progressToken": 1}});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let mut answer = alice.post(call.to_string()).await;
    answer.next().await;
    drop(answer);
    // The second report finds nobody, and the call goes on.
    site.released.notify_one();
    alice.call(2, "greet", &json!({"name": "Ada"})).await;
    site.released.notify_one();
    until(|| site.events().len() == 4).await;
    assert_eq!(site.events()[3], "call.succeeded");
}

#[tokio::test]
async fn a_session_is_told_of_changes_on_one_stream() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
    let mut older = alice.get().await;
    let mut stream = alice.get().await;
    assert_eq!(older.receive().await, None);
    alice.call(1, "switch", &json!({})).await;
    assert_eq!(stream.next().await["method"], "notifications/tools/list_changed");
    assert_eq!(alice.clone().known_by(&site.bob).get().await.status, 404);
    site.keys.revoke(&site.alice.hash());
    assert_eq!(stream.receive().await, None);
}

#[tokio::test]
async fn batches_are_of_one_version_only() {
    let site = Site::new();
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "greet", "arguments": {"name": "Ada"}}},
    ]);
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-03-26", &json!({})).await;
    let call = waiting(&alice, 7).await;
    let mut answer = alice.post(batch.to_string()).await;
    let answers = answer.next().await;
    assert_eq!((answers[0]["id"].as_i64(), answers[1]["id"].as_i64()), (Some(1), Some(2)));
    until(|| site.events().contains(&"call.failed aborted".to_owned())).await;
    drop(call);
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-06-18", &json!({})).await;
    let mut answer = alice.post(batch.to_string()).await;
    assert_eq!((answer.status.as_u16(), answer.next().await["error"]["code"].as_i64()), (400, Some(-32600)));
}

#[tokio::test]
async fn what_is_under_way_has_the_drain_and_is_recorded() {
    let site = Site::adjusted(|options| options.with_drain(std::time::Duration::from_millis(50)));
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
    let _session = waiting(&alice, 1).await;
    let stateless = Client::of(site.router()).known_by(&site.alice);
    let wait = json!({"name": "wait", "_meta": {"progressToken": 1}});
    let mut other = stateless.modern(2, "tools/call", &wait).await;
    other.next().await;
    site.server.shut_down().await;
    let mut events = site.events();
    events.sort_unstable();
    assert_eq!(events, ["call.failed aborted", "call.failed aborted", "call.started", "call.started"]);
    assert_eq!(alice.call(3, "greet", &json!({"name": "Ada"})).await.status, 503);
}
