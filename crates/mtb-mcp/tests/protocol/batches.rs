use serde_json::{Value, json};

use crate::lab::{Lab, invoice};
use crate::peer::{Peer, cancelled, error, modern, notify, request, result, text};

fn peer(lab: &Lab) -> Peer {
    Peer::legacy(lab, "2025-03-26", json!({}))
}

fn call(id: i64, tool: &str) -> Value {
    request(id, "tools/call", json!({"name": tool}))
}

/// The answers of the one batch that came back.
fn gathered(messages: Vec<Value>) -> Vec<Value> {
    assert_eq!(messages.len(), 1, "{messages:#?}");
    messages.into_iter().next().unwrap().as_array().unwrap().clone()
}

fn ids(answers: &[Value]) -> Vec<Value> {
    answers.iter().map(|answer| answer.get("id").cloned().unwrap_or_default()).collect()
}

#[test]
fn answers_to_a_batch_leave_together() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let batch = json!([
        request(1, "ping", json!({})),
        notify("notifications/whatever", json!({})),
        call(2, "slow"),
        call(3, "ping"),
        request(4, "nonesuch", json!({})),
        request(5, "initialize", json!({"protocolVersion": "2025-03-26", "capabilities": {}})),
        json!({"jsonrpc": "2.0", "id": 77, "result": {}}),
    ]);
    assert!(peer.tell(&batch).is_empty()); // pitfall 14
    lab.gate.add_permits(1);
    let answers = gathered(peer.settle());
    assert_eq!(ids(&answers), [1, 4, 5, 3, 2]); // pitfall 14
    assert_eq!(result(&answers[0]), &json!({}));
    assert_eq!((error(&answers[1]).0, error(&answers[2]).0), (-32601, -32600));
    assert_eq!((text(&answers[3]), text(&answers[4])), ("pong", "at last"));
}

#[test]
fn a_batch_without_requests_is_not_answered() {
    let lab = Lab::new();
    let batch = json!([notify("notifications/initialized", json!({})), {"jsonrpc": "2.0", "id": 0, "result": {}}]);
    assert!(peer(&lab).tell(&batch).is_empty());
}

#[test]
fn what_is_wrong_with_one_message_spoils_no_other() {
    let lab = Lab::new();
    let batch = r#"[7, {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{"a":1,"a":2}}},
        [], {"jsonrpc":"2.0","id":2,"method":"ping"}, {"jsonrpc":"1.0","id":3,"method":"ping"}]"#;
    let answers = gathered(peer(&lab).tell_text(&batch.replace('\n', " ")));
    assert_eq!(ids(&answers), [json!(null), json!(1), json!(null), json!(2), json!(3)]);
    let codes: Vec<_> = answers.iter().map(|answer| answer["error"]["code"].as_i64()).collect();
    assert_eq!(codes, [Some(-32600), Some(-32602), Some(-32600), None, Some(-32600)]);
}

#[test]
fn batches_that_are_none_are_refused_as_a_whole() {
    let lab = Lab::new();
    for (batch, code) in [("[]", -32600), (" [ ] ", -32600), ("[1,", -32700), ("[{]", -32700)] {
        let answers = peer(&lab).tell_text(batch);
        assert_eq!((answers.len(), error(&answers[0]).0, answers[0].get("id")), (1, code, None), "{batch}");
    }
}

/// What is wrong with each of very many is longer to say than they are.
#[test]
fn a_batch_that_is_too_long_is_refused_as_one() {
    let lab = Lab::new();
    let calls = |count: i64| json!((0..count).map(|id| call(id, "open")).collect::<Vec<_>>()).to_string();
    let nothings = |count: usize| format!("[{}]", vec!["1"; count].join(","));
    let ran = lab.ran.times();
    for batch in [calls(257), nothings(257), nothings(50_001)] {
        let answers = peer(&lab).tell_text(&batch);
        assert_eq!((answers.len(), error(&answers[0]).0, answers[0].get("id")), (1, -32600, None));
    }
    assert_eq!((lab.ran.times(), lab.trail().len()), (ran, 0));
    assert_eq!(gathered(peer(&lab).tell_text(&nothings(256))).len(), 256);
    let most: Vec<_> = (0..256).map(|id| request(id, "ping", json!({}))).collect();
    assert_eq!(gathered(peer(&lab).tell(&json!(most))).len(), 256);
}

#[test]
fn other_revisions_have_no_batches() {
    let lab = Lab::new();
    let batch = json!([request(1, "ping", json!({}))]);
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let answers = Peer::legacy(&lab, version, json!({})).tell(&batch);
        assert_eq!((answers.len(), error(&answers[0]).0), (1, -32600), "{version}");
    }
    assert_eq!(error(&Peer::new(&lab).tell(&batch)[0]).0, -32600);
    let answers = gathered(peer(&lab).tell(&json!([request(1, "tools/list", modern(json!({})))])));
    assert_eq!(error(&answers[0]).0, -32600, "a modern request in a batch");
}

#[test]
fn an_id_is_in_use_until_its_batch_has_left() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    assert!(peer.tell(&json!([request(1, "ping", json!({})), call(2, "slow")])).is_empty());
    assert_eq!(error(&peer.request(1, "ping", json!({}))).0, -32600);
    assert_eq!(error(&peer.request(2, "ping", json!({}))).0, -32600);
    lab.gate.add_permits(1);
    assert_eq!(gathered(peer.settle()).len(), 2);
    assert_eq!(result(&peer.request(1, "ping", json!({}))), &json!({}));

    let twice = gathered(peer.tell(&json!([request(3, "ping", json!({})), request(3, "ping", json!({}))])));
    assert_eq!((twice.len(), error(&twice[1]).0), (2, -32600));
}

#[test]
fn a_cancelled_request_does_not_hold_its_batch_up() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    assert!(peer.tell(&json!([call(1, "slow"), request(2, "ping", json!({}))])).is_empty());
    assert!(peer.tell(&cancelled(2)).is_empty(), "too late");
    assert_eq!(error(&peer.request(2, "ping", json!({}))).0, -32600, "and still in use");
    assert_eq!(ids(&gathered(peer.tell(&cancelled(1)))), [2]);

    assert!(peer.tell(&json!([call(1, "slow")])).is_empty());
    assert!(peer.tell(&cancelled(1)).is_empty(), "nothing is left to answer");
    assert!(peer.connection().is_idle());
}

#[test]
fn a_held_call_in_a_batch_waits_for_the_host() {
    let lab = Lab::new();
    let held = request(1, "tools/call", json!({"name": "send_mail", "arguments": invoice()}));
    let answers = gathered(peer(&lab).tell(&json!([held])));
    assert!(text(&answers[0]).starts_with("Confirmation required: "));
}
