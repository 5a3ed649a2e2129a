use mtb_mcp::CONFIRMATION_META_KEY;
use serde_json::{Value, json};

use crate::peer::{Peer, modern, until};
use crate::site::Site;

const ASKS: [&str; 2] = ["2025-06-18", "2025-11-25"];

fn can_ask() -> Value {
    json!({"elicitation": {}})
}

/// A held call whose question was asked, with the question.
async fn asked(site: &Site, version: &str) -> (Peer, Value) {
    let mut peer = Peer::initialized(site.for_alice(), version, can_ask()).await;
    peer.call(1, "send", json!({})).await;
    let question = peer.next().await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    (peer, question)
}

/// The token that the host is given with a held result.
fn token_of(answer: &Value) -> &str {
    assert_eq!(answer["result"]["structuredContent"]["status"], "confirmation_required", "{answer}");
    answer["result"]["_meta"][CONFIRMATION_META_KEY]["token"].as_str().unwrap()
}

#[tokio::test]
async fn without_a_way_to_ask_the_host_gets_the_token() {
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}}), json!({"sampling": {}})] {
        let site = Site::new();
        let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", capabilities).await;
        let held = peer.called(1, json!({"name": "send"})).await;
        let token = token_of(&held);
        assert!(!held["result"]["content"].to_string().contains(token), "the model reads no token");
        assert_eq!(site.runs(), 0);
        let meta = json!({CONFIRMATION_META_KEY: {"token": token}});
        let sent = peer.called(2, json!({"name": "send", "_meta": meta})).await;
        assert_eq!(sent["result"]["content"][0]["text"], "sent", "{sent}");
        let replay = peer.called(3, json!({"name": "send", "_meta": meta})).await;
        assert_eq!(replay["result"]["isError"], true, "{replay}");
        assert_eq!(site.runs(), 1);
    }
}

#[tokio::test]
async fn the_question_reads_as_everywhere_else() {
    let (_peer, question) = asked(&Site::new(), "2025-06-18").await;
    assert_eq!(question["params"]["message"], "Send it\n\nDo you want this to be done?");
    assert_eq!(question["params"]["requestedSchema"]["properties"]["confirm"]["type"], "boolean");
    assert_eq!(question["params"]["mode"], Value::Null, "2025-06-18 has no modes");
}

#[tokio::test]
async fn only_a_yes_that_says_so_runs_the_call() {
    for version in ASKS {
        for (answer, status, runs) in [
            (json!({"action": "accept", "content": {"confirm": true}}), "sent", 1),
            (json!({"action": "accept", "content": {"confirm": false}}), "declined", 0),
            (json!({"action": "accept", "content": {"confirm": "true"}}), "declined", 0),
            (json!({"action": "accept", "content": {}}), "declined", 0),
            (json!({"action": "accept"}), "declined", 0),
            (json!({"action": "decline"}), "declined", 0),
            (json!({"action": "cancel"}), "declined", 0),
            (json!({"action": "decline", "content": {"confirm": true}}), "declined", 0),
            (json!({"action": "ACCEPT", "content": {"confirm": true}}), "confirmation_required", 0),
            (json!({"content": {"confirm": true}}), "confirmation_required", 0),
            (
                json!({"role": "user", "model": "m", "content": {"type": "text", "text": "yes"}}),
                "confirmation_required",
                0,
            ),
            (json!({"roots": []}), "confirmation_required", 0),
            (json!({}), "confirmation_required", 0),
        ] {
            let site = Site::new();
            let (mut peer, question) = asked(&site, version).await;
            peer.answer(&question, answer.clone()).await;
            let result = peer.next().await;
            assert_eq!(result["id"], 1, "{result}");
            let said = &result["result"];
            let found = said["structuredContent"]["status"].as_str().or(said["content"][0]["text"].as_str()).unwrap();
            assert_eq!(found, status, "{answer}: {result}");
            assert_eq!(site.runs(), runs, "{answer}");
        }
    }
}

#[tokio::test]
async fn a_client_that_errs_gets_the_next_carrier() {
    let site = Site::new();
    let (mut peer, question) = asked(&site, "2025-11-25").await;
    let error = json!({"code": -32601, "message": "what is that"});
    peer.send(json!({"jsonrpc": "2.0", "id": question["id"], "error": error})).await;
    let held = peer.next().await;
    token_of(&held);
    let events = ["confirmation.issued", "confirmation.withdrawn elicitation_failed", "confirmation.issued"];
    assert_eq!(site.events(), events);
}

/// The SDK alone leaves the question open until its own time-out.
#[tokio::test]
async fn cancelling_the_call_ends_its_question() {
    let site = Site::new();
    let (mut peer, question) = asked(&site, "2025-11-25").await;
    peer.notify("notifications/cancelled", json!({"requestId": 1})).await;
    let withdrawn = peer.next().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled", "{withdrawn}");
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
    until(|| site.events() == ["confirmation.issued", "confirmation.withdrawn cancelled"]).await;
    peer.answer(&question, json!({"action": "accept", "content": {"confirm": true}})).await;
    peer.says_nothing_more().await;
    assert_eq!(site.runs(), 0, "a yes that comes too late");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_goes_leaves_no_question() {
    let site = Site::new();
    let (peer, _) = asked(&site, "2025-11-25").await;
    peer.served.abort();
    drop(peer);
    until(|| site.events() == ["confirmation.issued", "confirmation.withdrawn cancelled"]).await;
}

#[tokio::test]
async fn a_question_nobody_answers_is_over_by_the_clock_of_the_bridge() {
    let site = Site::new();
    let (mut peer, question) = asked(&site, "2025-11-25").await;
    site.clock.fetch_add(600_000, std::sync::atomic::Ordering::SeqCst);
    let withdrawn = peer.next().await;
    assert_eq!(withdrawn["params"]["requestId"], question["id"], "{withdrawn}");
    token_of(&peer.next().await);
    assert_eq!(site.runs(), 0);
}

/// The SDK asks nobody who named 2026-07-28 in the handshake, unless it is told what was settled.
#[tokio::test]
async fn a_client_that_asks_for_the_newest_by_the_handshake_is_asked_too() {
    let site = Site::new();
    let mut peer = Peer::of(site.for_alice());
    assert_eq!(peer.initialize("2026-07-28", can_ask()).await["result"]["protocolVersion"], "2025-11-25");
    peer.call(1, "send", json!({})).await;
    let question = peer.next().await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
}

#[tokio::test]
async fn in_2026_07_28_the_result_asks_and_the_state_answers() {
    let site = Site::new();
    let mut peer = Peer::of(site.for_alice());
    let meta = modern(can_ask());
    let held = peer.called(1, json!({"name": "send", "_meta": meta})).await;
    assert_eq!(held["result"]["resultType"], "input_required", "{held}");
    let state = held["result"]["requestState"].as_str().unwrap().to_owned();
    let key = held["result"]["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    let retry = |state: &str, tool: &str, answer: Value| json!({"name": tool, "requestState": state, "inputResponses": {&key: answer}, "_meta": meta});
    let yes = json!({"action": "accept", "content": {"confirm": true}});

    let sent = peer.called(2, retry(&state, "send", yes.clone())).await;
    assert_eq!(sent["result"]["content"][0]["text"], "sent", "{sent}");
    let replay = peer.called(3, retry(&state, "send", yes.clone())).await;
    assert_eq!(replay["error"]["code"], -32602, "{replay}");

    let held = peer.called(4, json!({"name": "send", "_meta": meta})).await;
    let state = held["result"]["requestState"].as_str().unwrap().to_owned();
    let other = peer.called(5, retry(&state, "receipt", yes.clone())).await;
    assert_eq!(other["error"]["code"], -32602, "for another tool: {other}");
    let again = peer.called(6, retry(&state, "send", yes)).await;
    assert_eq!(again["error"]["code"], -32602, "presenting it has spent it: {again}");
    assert_eq!(site.runs(), 1);

    let held = peer.called(7, json!({"name": "send", "_meta": meta})).await;
    let state = held["result"]["requestState"].as_str().unwrap().to_owned();
    let declined = peer.called(8, retry(&state, "send", json!({"action": "decline"}))).await;
    assert_eq!(declined["result"]["structuredContent"]["status"], "declined", "{declined}");
}

#[tokio::test]
async fn a_tool_with_an_output_schema_is_held_without_structured_content() {
    let site = Site::new();
    let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
    let held = peer.called(1, json!({"name": "receipt"})).await;
    assert_eq!(held["result"]["structuredContent"], Value::Null, "{held}");
    assert_eq!(held["result"]["isError"], true);
    let token = held["result"]["_meta"][CONFIRMATION_META_KEY]["token"].as_str().unwrap();
    let meta = json!({CONFIRMATION_META_KEY: {"token": token}});
    let done = peer.called(2, json!({"name": "receipt", "_meta": meta})).await;
    assert_eq!(done["result"]["structuredContent"], json!({"id": "r1"}), "{done}");
}

/// A call that the SDK cannot read still spends the token that came along.
#[tokio::test]
async fn an_unreadable_call_spends_its_token() {
    let site = Site::new();
    let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
    let held = peer.called(1, json!({"name": "send"})).await;
    let meta = json!({CONFIRMATION_META_KEY: {"token": token_of(&held)}});
    let unreadable = peer.called(2, json!({"name": "send", "arguments": [1], "_meta": meta})).await;
    assert_eq!(unreadable["error"]["code"], -32602, "{unreadable}");
    let spent = peer.called(3, json!({"name": "send", "_meta": meta})).await;
    assert_eq!(spent["result"]["isError"], true, "{spent}");
    assert_eq!(site.runs(), 0);
}
