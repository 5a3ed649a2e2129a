use mtb_mcp::ProtocolLimits;
use serde_json::json;

use crate::peer::{Peer, modern, until};
use crate::site::{Site, options, tool_for};

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

/// Neither its time-out nor its cancellation waits until the client reads what was reported.
#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_holds_up_no_end() {
    for cancelled in [false, true] {
        let site = Site::new();
        let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
        peer.request(1, "tools/call", json!({"name": "flood", "_meta": {"progressToken": 1}})).await;
        // Long enough to fill whatever there is to fill.
        tokio::time::sleep(std::time::Duration::from_secs(30)).await;
        if cancelled {
            peer.notify("notifications/cancelled", json!({"requestId": 1})).await;
        }
        let end = if cancelled { "call.failed aborted" } else { "call.failed timeout" };
        let begun = tokio::time::Instant::now();
        tokio::time::timeout(std::time::Duration::from_secs(60), async {
            while site.events() != ["call.started", end] {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        })
        .await
        .unwrap();
        let most = if cancelled { 1 } else { 31 };
        assert!(begun.elapsed().as_secs() <= most, "{:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn clones_share_their_limits() {
    let site = Site::new();
    let limits = ProtocolLimits { in_flight: 1, ..ProtocolLimits::default() };
    let handler = site.for_alice_with(options().with_limits(limits));
    let mut first = Peer::initialized(handler.clone(), "2025-11-25", json!({})).await;
    let mut second = Peer::initialized(handler, "2025-11-25", json!({})).await;
    first.call(1, "gate", json!({})).await;
    until(|| site.runs() == 1).await;
    let busy = second.called(1, json!({"name": "done"})).await;
    assert!(busy.to_string().contains("busy"), "{busy}");
}

/// A place is free once the call has ended, whether or not anybody reads that.
#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_keeps_no_place() {
    let site = Site::new();
    let limits = ProtocolLimits { in_flight: 1, subscriptions: 1, ..ProtocolLimits::default() };
    let handler = site.for_alice_with(options().with_limits(limits));
    let mut silent = Peer::initialized(handler.clone(), "2025-11-25", json!({})).await;
    let mut other = Peer::initialized(handler.clone(), "2025-11-25", json!({})).await;
    silent.request(1, "tools/call", json!({"name": "flood", "_meta": {"progressToken": 1}})).await;
    tokio::time::sleep(std::time::Duration::from_secs(70)).await;
    assert!(site.events().contains(&"call.failed timeout".to_owned()), "{:?}", site.events());
    let answer = other.called(2, json!({"name": "done"})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
    drop(silent);

    let listen = || json!({"notifications": {"toolsListChanged": true}, "_meta": modern(json!({}))});
    let [mut silent, mut other] = [handler.clone(), handler].map(Peer::of);
    silent.request(1, "subscriptions/listen", listen()).await;
    silent.next().await;
    for number in 0..3_000 {
        site.registry.register(tool_for("staff", &format!("tool_{number}"))).unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    silent.notify("notifications/cancelled", json!({"requestId": 1})).await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    other.request(1, "subscriptions/listen", listen()).await;
    assert_eq!(other.next().await["method"], "notifications/subscriptions/acknowledged");
    // The answer that there are too many would come next.
    other.request(2, "server/discover", json!({"_meta": modern(json!({}))})).await;
    assert_eq!(other.next().await["id"], 2);
}
