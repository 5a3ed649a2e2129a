//! What the SDK's line transport does with input that never reaches the bridge. Each of these stands in the crate's
//! documentation; one that fails is good news, and a line there that can go.

use serde_json::{Value, json};

use crate::peer::{Peer, modern, until};
use crate::site::Site;

async fn served(site: &Site) -> Peer {
    Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await
}

#[tokio::test]
async fn a_second_request_under_an_id_in_flight_runs_too() {
    let site = Site::new();
    let mut peer = served(&site).await;
    for _ in 0..2 {
        peer.call(7, "gate", json!({})).await;
    }
    until(|| site.runs() == 2).await;
    site.gate.add_permits(1);
    assert_eq!(peer.next().await["id"], 7);
    // The end of the first is taken for the end of the second.
    until(|| site.events().contains(&"call.failed aborted".to_owned())).await;
    peer.says_nothing_more().await;
}

#[tokio::test]
async fn a_request_whose_envelope_is_wrong_is_not_told_by_its_id() {
    let mut peer = served(&Site::new()).await;
    for line in [
        r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#,
        r#"{"id":5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":5}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[1]}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"done","_meta":5}}"#,
    ] {
        peer.send_line(line).await;
        let answer = peer.next().await;
        assert_eq!(answer.get("id").filter(|id| !id.is_null()), None, "{line}: {answer}");
        assert_eq!(answer["error"]["code"], -32600, "{line}: {answer}");
    }
}

#[tokio::test]
async fn what_the_reader_of_the_sdk_cannot_read_is_never_answered() {
    let mut peer = served(&Site::new()).await;
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    for line in [
        "not json".to_owned(),
        r#"{"jsonrpc":"2.0","id":5,"method":"ping""#.to_owned(),
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"repeat","arguments":{"number":1e400}}}"#
            .to_owned(),
        format!(
            r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{"name":"repeat","arguments":{{"number":{deep}}}}}}}"#
        ),
    ] {
        peer.send_line(&line).await;
        peer.says_nothing_more().await;
    }
}

#[tokio::test]
async fn batches_are_refused_where_the_revision_has_them() {
    let mut peer = Peer::initialized(Site::new().for_alice(), "2025-03-26", json!({})).await;
    peer.send_line(r#"[{"jsonrpc":"2.0","id":5,"method":"ping"}]"#).await;
    let answer = peer.next().await;
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
}

#[tokio::test]
async fn a_notification_before_the_handshake_ends_the_server() {
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
    ] {
        let mut peer = Peer::of(Site::new().for_alice());
        peer.send(message.clone()).await;
        assert_eq!(peer.receive().await, None, "{message}");
    }
}

#[tokio::test]
async fn after_a_request_of_2026_07_28_no_handshake_counts() {
    let mut peer = Peer::of(Site::new().for_alice());
    peer.called(1, json!({"name": "done", "_meta": modern(json!({}))})).await;
    peer.initialize("2025-11-25", json!({})).await;
    let answer = peer.called(2, json!({"name": "done"})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

#[tokio::test]
async fn some_params_of_a_wrong_form_count_as_none() {
    let mut peer = served(&Site::new()).await;
    peer.request(1, "tools/list", json!({"cursor": 7})).await;
    assert!(peer.next().await["result"]["tools"].is_array());
    let answer = peer.called(2, json!({"name": "done", "arguments": null})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
    peer.request(3, "initialize", json!({})).await;
    assert_eq!(peer.next().await["error"]["code"], -32601);
}

/// A message of any size is read whole before a limit of ours can refuse it.
#[tokio::test]
async fn a_message_past_our_limit_is_read_all_the_same() {
    let mut peer = served(&Site::new()).await;
    let answer = peer.called(1, json!({"name": "done", "arguments": {"text": "x".repeat(2 << 20)}})).await;
    assert!(answer["error"]["code"].is_i64(), "{answer}");
}

#[tokio::test]
async fn the_last_of_two_equal_keys_counts() {
    let mut peer = served(&Site::new()).await;
    peer.send_line(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"repeat","arguments":{"number":1,"number":2}}}"#,
    )
    .await;
    assert_eq!(peer.next().await["result"]["content"][0]["text"], "2");
}

#[tokio::test]
async fn schemas_keep_their_meaning_and_not_their_text() {
    let mut peer = served(&Site::new()).await;
    peer.request(1, "tools/list", json!({})).await;
    let answer = peer.next().await;
    let declared: Value = serde_json::from_str(crate::site::NUMBER).unwrap();
    assert_eq!(answer["result"]["tools"][1]["inputSchema"], declared);
}

/// The end of the input is told to handlers when the SDK has waited five seconds for them.
#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_cancels_late() {
    let site = Site::new();
    let mut peer = served(&site).await;
    peer.call(1, "patient", json!({})).await;
    until(|| site.events() == ["call.started"]).await;
    let ended = tokio::time::Instant::now();
    drop(peer);
    until(|| site.events().len() == 2).await;
    assert!(ended.elapsed().as_secs() >= 4, "{:?}", ended.elapsed());
}
