use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::lab::{Lab, invoice};
use crate::peer::{Peer, cancelled, error, modern, modern_with, request, text};

#[test]
fn a_cancelled_call_is_stopped_and_never_answered() {
    for (id, by) in [(json!(1), json!(1)), (json!("a"), json!("a")), (json!(1), json!(1.0))] {
        for params in [json!({"name": "slow"}), modern(json!({"name": "slow"}))] {
            let lab = Lab::new();
            let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
            assert!(peer.tell(&request(id.clone(), "tools/call", params)).is_empty());
            assert!(peer.tell(&cancelled(by.clone())).is_empty());
            assert_eq!(lab.noticed.load(Ordering::SeqCst), 1);
            assert!(peer.connection().is_idle());
            assert_eq!(lab.trail(), ["call.started", "call.failed"]);
        }
    }
}

#[test]
fn only_what_is_in_flight_can_be_cancelled() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    peer.tell(&request(1, "tools/call", json!({"name": "slow"})));
    for other in [json!(2), json!("1"), json!(""), json!("hello")] {
        assert!(peer.tell(&cancelled(other)).is_empty());
    }
    for params in [r#"{"requestId":1,"requestId":2}"#, r#"{"requestId":1,"reason":1e400}"#, "[1]", "1"] {
        let message = format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#);
        peer.step(|connection, actions| connection.receive(message.as_bytes(), actions));
        assert_eq!(lab.noticed.load(Ordering::SeqCst), 0, "{params}");
    }
    lab.gate.add_permits(1);
    assert_eq!(text(&peer.settle()[0]), "at last");
    assert!(peer.tell(&cancelled(1)).is_empty(), "too late");
}

#[test]
fn an_id_may_be_used_again_while_the_cancelled_call_winds_up() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    let slow = request(1, "tools/call", json!({"name": "slow"}));
    let answers = peer.tell_all(&[slow.clone(), cancelled(1), request(1, "ping", json!({})), slow]);
    assert_eq!(answers, [json!({"jsonrpc": "2.0", "id": 1, "result": {}})]);
    lab.gate.add_permits(1);
    let answers = peer.settle();
    assert_eq!((answers.len(), text(&answers[0])), (1, "at last"));
}

#[test]
fn the_end_of_a_cancelled_call_does_not_free_the_id_of_the_next() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    let slow = request(1, "tools/call", json!({"name": "slow"}));
    assert!(peer.tell_all(&[slow.clone(), cancelled(1), slow]).is_empty());
    assert_eq!(error(&peer.request(1, "ping", json!({}))).0, -32600, "the second one is in flight");
    lab.gate.add_permits(1);
    assert_eq!(text(&peer.settle()[0]), "at last");
}

#[test]
fn the_handshake_cannot_be_cancelled() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
    let answers = peer.tell_all(&[request(1, "initialize", params), cancelled(1)]);
    assert_eq!(answers.len(), 1);
    assert_eq!(text(&peer.call(2, "ping", json!({}))), "pong");
}

#[test]
fn a_call_that_was_held_when_its_cancellation_came_leaves_no_token_behind() {
    let plain = json!({"name": "send_mail", "arguments": invoice()});
    for (capabilities, params) in [
        (json!({}), plain.clone()),
        (json!({"elicitation": {}}), plain.clone()),
        (json!({}), modern(plain.clone())),
        (json!({}), modern_with(plain, json!({}))),
    ] {
        let lab = Lab::new();
        let mut peer = Peer::legacy(&lab, "2025-11-25", capabilities);
        let call = request(1, "tools/call", params);
        let messages = peer.tell_before_its_end(&call, |connection, actions| {
            connection.receive(cancelled(1).to_string().as_bytes(), actions);
        });
        assert_eq!(messages, [] as [Value; 0], "{call}");
        assert_eq!(lab.trail(), ["confirmation.issued", "confirmation.withdrawn cancelled"], "{call}");
        assert!(peer.connection().is_idle());
    }
}

#[test]
fn a_call_that_is_held_after_its_cancellation_leaves_no_token_behind() {
    for params in [json!({}), json!({"elicitation": {}})] {
        let lab = Lab::new();
        let mut peer = Peer::legacy(&lab, "2025-11-25", params);
        let call = request(1, "tools/call", json!({"name": "send_mail", "arguments": invoice()}));
        let nothing: [Value; 0] = [];
        assert_eq!(peer.tell_all(&[call, cancelled(1)]), nothing);
        let trail = lab.trail();
        let spent = ["confirmation.issued", "confirmation.withdrawn cancelled"];
        assert!(trail.is_empty() || trail == spent || trail == ["call.failed"], "{trail:?}");
        assert!(peer.connection().is_idle());
    }
}
