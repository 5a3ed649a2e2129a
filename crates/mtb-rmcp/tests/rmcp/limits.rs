use mtb_mcp::ProtocolLimits;
use serde_json::json;

use crate::peer::{Peer, until};
use crate::site::{Site, options};

#[tokio::test]
async fn calls_past_the_limit_are_told_that_the_server_is_busy() {
    let site = Site::new();
    let limits = ProtocolLimits { in_flight: 2, ..ProtocolLimits::default() };
    let handler = site.for_alice_with(options().with_limits(limits));
    let mut peer = Peer::initialized(handler, "2025-11-25", json!({})).await;
    for id in [1, 2] {
        peer.call(id, "gate", json!({})).await;
    }
    until(|| site.runs() == 2).await;
    let busy = peer.called(3, json!({"name": "gate"})).await;
    assert_eq!(busy["result"]["isError"], true, "{busy}");
    assert!(busy.to_string().contains("busy"), "{busy}");
    assert!(site.events().contains(&"call.failed overloaded".to_owned()), "{:?}", site.events());
    // A free place serves again.
    site.gate.add_permits(1);
    assert_eq!(peer.next().await["result"]["content"][0]["text"], "through");
    let answer = peer.called(4, json!({"name": "done"})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
}

#[tokio::test]
async fn a_pending_question_takes_no_place_of_a_call() {
    let site = Site::new();
    let limits = ProtocolLimits { in_flight: 1, ..ProtocolLimits::default() };
    let handler = site.for_alice_with(options().with_limits(limits));
    let mut peer = Peer::initialized(handler, "2025-11-25", json!({"elicitation": {}})).await;
    peer.call(1, "send", json!({})).await;
    let question = peer.next().await;
    assert_eq!(question["method"], "elicitation/create");
    let answer = peer.called(2, json!({"name": "done"})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
    peer.answer(&question, json!({"action": "accept", "content": {"confirm": true}})).await;
    assert_eq!(peer.next().await["result"]["content"][0]["text"], "sent");
}

#[tokio::test]
async fn questions_past_the_limit_go_to_the_host() {
    let site = Site::new();
    let limits = ProtocolLimits { pending_questions: 1, ..ProtocolLimits::default() };
    let handler = site.for_alice_with(options().with_limits(limits));
    let mut peer = Peer::initialized(handler, "2025-11-25", json!({"elicitation": {}})).await;
    peer.call(1, "send", json!({})).await;
    assert_eq!(peer.next().await["method"], "elicitation/create");
    let held = peer.called(2, json!({"name": "send"})).await;
    assert_eq!(held["result"]["structuredContent"]["status"], "confirmation_required", "{held}");
}

#[tokio::test]
async fn arguments_past_the_limits_of_a_message_are_refused() {
    let mut peer = Peer::initialized(Site::new().for_alice(), "2025-11-25", json!({})).await;
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    for arguments in
        [json!({"number": deep}), json!({"number": vec![1; 60_000]}), json!({"number": "x".repeat(600_000)})]
    {
        let answer = peer.called(1, json!({"name": "repeat", "arguments": arguments})).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}
