//! Requests of 2026-07-28, which stand by themselves.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, until};
use crate::site::Site;

const TO_BOB: &str = "bob@example.com";

fn capable() -> Value {
    json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}})
}

fn sending(more: &Value) -> Value {
    let mut params = json!({"name": "send", "arguments": {"to": TO_BOB, "text": "Hello"}, "_meta": capable()});
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    params
}

fn yes(state: &Value) -> Value {
    json!({"requestState": state, "inputResponses": {"confirm": {"action": "accept", "content": {"confirm": true}}}})
}

#[tokio::test]
async fn an_answer_is_one_message_unless_something_comes_before_it() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let mut answer = alice.modern(1, "tools/call", &json!({"name": "greet", "arguments": {"name": "Ada"}})).await;
    assert_eq!(answer.response.headers()["content-type"], "application/json");
    assert_eq!(answer.next().await["result"]["resultType"], "complete");

    let steps = json!({"name": "steps", "arguments": {"count": 2}, "_meta": {"progressToken": "t"}});
    let mut answer = alice.modern(2, "tools/call", &steps.clone()).await;
    assert_eq!(answer.response.headers()["content-type"], "text/event-stream");
    assert_eq!(answer.response.headers()["x-accel-buffering"], "no");
    for progress in [1.0, 2.0] {
        assert_eq!(answer.next().await["params"]["progress"].as_f64(), Some(progress));
    }
    assert_eq!(answer.next().await["id"], 2);
    assert_eq!(answer.receive().await, None);

    // Who reads one message only gets that one; who reads events only gets it as one.
    let mut answer = alice.clone().with("accept", "application/json").modern(3, "tools/call", &steps).await;
    assert_eq!(answer.next().await["id"], 3);
    let answer = alice.with("accept", "text/event-stream").modern(4, "tools/list", &json!({})).await;
    assert_eq!(answer.response.headers()["content-type"], "text/event-stream");
    let text = answer.text().await;
    assert!(text.starts_with("data: {") && text.ends_with("\n\n"), "{text}");
}

#[tokio::test]
async fn a_held_call_is_a_result_and_its_state_is_good_once_for_this_call_of_this_person() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let bob = Client::of(site.router()).known_by(&site.bob);
    let held = async || {
        let mut answer = alice.modern(1, "tools/call", &sending(&json!({}))).await;
        assert_eq!(answer.response.headers()["content-type"], "application/json");
        let result = answer.next().await["result"].clone();
        assert_eq!(result["resultType"], "input_required");
        result["requestState"].clone()
    };
    let refused = async |client: &Client, params: Value| {
        let mut answer = client.modern(2, "tools/call", &params).await;
        assert_eq!((answer.status.as_u16(), answer.next().await["error"]["code"].as_i64()), (400, Some(-32602)));
    };
    // Another person; and the person whose it is, after that.
    let state = held().await;
    refused(&bob, sending(&yes(&state))).await;
    refused(&alice, sending(&yes(&state))).await;
    // Other arguments, another tool, a state that is no such one.
    let state = held().await;
    let other = json!({"to": "eve@example.com", "text": "Hello"});
    let mut params = sending(&yes(&state));
    params["arguments"] = other;
    refused(&alice, params).await;
    let state = held().await;
    let mut params = sending(&yes(&state));
    params["name"] = json!("transfer");
    params["arguments"] = json!({"to": TO_BOB, "amount": 1});
    refused(&alice, params).await;
    let state = held().await;
    refused(&alice, sending(&yes(&json!(format!("{}x", state.as_str().unwrap()))))).await;
    assert_eq!(site.sent(), 0);

    // By another key of the same person it is good, and then no more.
    let state = held().await;
    let other_key = Client::of(site.router()).known_by(&site.alices_other);
    let mut answer = other_key.modern(3, "tools/call", &sending(&yes(&state))).await;
    assert_eq!(answer.next().await["result"]["structuredContent"]["messageId"], "m-1");
    refused(&alice, sending(&yes(&state))).await;
    assert_eq!(site.sent(), 1);
}

#[tokio::test]
async fn hanging_up_cancels() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    // Before anything came back, and in the middle of a stream.
    let waiting = tokio::spawn({
        let alice = alice.clone();
        async move { alice.modern(1, "tools/call", &json!({"name": "wait"})).await.status }
    });
    until(|| site.events() == ["call.started"]).await;
    waiting.abort();
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
    let wait = json!({"name": "wait", "_meta": {"progressToken": 1}});
    let mut answer = alice.modern(2, "tools/call", &wait).await;
    assert_eq!(answer.next().await["method"], "notifications/progress");
    drop(answer);
    until(|| site.events().len() == 4).await;
    assert_eq!(site.events()[3], "call.failed aborted");
}

#[tokio::test]
async fn who_does_not_read_a_stream_holds_up_no_end() {
    let site = Site::adjusted(|options| options.with_drain(Duration::from_millis(20)));
    let alice = Client::of(site.router()).known_by(&site.alice);
    let wait = json!({"name": "wait", "_meta": {"progressToken": 1}});
    let unread = alice.modern(1, "tools/call", &wait).await;
    assert_eq!(unread.response.headers()["content-type"], "text/event-stream");
    site.server.shut_down().await;
    assert_eq!(site.events(), ["call.started", "call.failed aborted"]);
    drop(unread);
}

/// Nobody but the one who hangs up ends a call.
#[tokio::test]
async fn a_posted_cancellation_is_dropped() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let wait = json!({"name": "wait", "_meta": {"progressToken": 1}});
    let mut answer = alice.modern(7, "tools/call", &wait).await;
    answer.next().await;
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7,
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}});
    for client in [alice.clone(), alice.with("mcp-protocol-version", "2026-07-28")] {
        assert_eq!(client.post(cancelled.to_string()).await.status, 202);
    }
    assert_eq!(site.events(), ["call.started"]);
}

#[tokio::test]
async fn a_subscription_is_told_of_what_its_principal_sees() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let mut stream = alice.modern(5, "subscriptions/listen", &filter).await;
    assert_eq!(stream.response.headers()["content-type"], "text/event-stream");
    assert_eq!(stream.next().await["method"], "notifications/subscriptions/acknowledged");
    alice.modern(6, "tools/call", &json!({"name": "switch"})).await;
    let told = stream.next().await;
    assert_eq!(told["method"], "notifications/tools/list_changed");
    assert_eq!(told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 5);
    site.server.shut_down().await;
    let ended = stream.next().await;
    assert_eq!((ended["id"].as_i64(), ended["result"]["resultType"].as_str()), (Some(5), Some("complete")));
    assert_eq!(stream.receive().await, None);
}

/// What a principal cannot see changes nothing for them, whichever stream they are told by.
#[tokio::test]
async fn changes_that_a_principal_cannot_see_are_told_to_others_only() {
    let site = Site::new();
    let key = mtb_http::ApiKey::generate().unwrap();
    site.keys.add(key.hash(), mtb_core::Principal::new("guest", ["reader"]).unwrap(), None);
    let (guest, alice) = (Client::of(site.router()).known_by(&key), Client::of(site.router()).known_by(&site.alice));
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let mut guests = [
        guest.modern(5, "subscriptions/listen", &filter).await,
        guest.begun("2025-11-25", &json!({})).await.get().await,
    ];
    let mut alices = alice.begun("2025-11-25", &json!({})).await.get().await;
    assert_eq!(guests[0].next().await["method"], "notifications/subscriptions/acknowledged");
    site.bridge.registry().unregister("transfer");
    assert_eq!(alices.next().await["method"], "notifications/tools/list_changed");
    for stream in &mut guests {
        assert!(stream.is_silent().await);
    }
    site.bridge.registry().unregister("count");
    for stream in &mut guests {
        assert_eq!(stream.next().await["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn a_stream_ends_with_its_credential() {
    let site = Site::new();
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let mut stream = Client::of(site.router()).known_by(&site.alice).modern(5, "subscriptions/listen", &filter).await;
    stream.next().await;
    site.keys.revoke(&site.alice.hash());
    assert_eq!(stream.next().await["result"]["resultType"], "complete");
    assert_eq!(stream.receive().await, None);

    let wait = json!({"name": "wait", "_meta": {"progressToken": 1}});
    let mut answer = Client::of(site.router()).known_by(&site.bob).modern(1, "tools/call", &wait).await;
    answer.next().await;
    site.keys.revoke(&site.bob.hash());
    answer.receive().await;
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
}
