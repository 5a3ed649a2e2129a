use mtb_bridge::BridgeLimits;
use mtb_mcp::{CONFIRMATION_META_KEY, ProtocolLimits};
use serde_json::json;

use crate::lab::{Lab, invoice};
use crate::peer::{Peer, cancelled, failure, modern, modern_with, options, request, result, text};

const BUSY: &str = "The server is busy. Nothing was done; try again later.";

fn peer(lab: &Lab, in_flight: usize) -> Peer {
    let limits = ProtocolLimits { in_flight, ..ProtocolLimits::default() };
    Peer::legacy_with(lab, options().with_limits(limits), "2025-11-25", json!({"elicitation": {}}))
}

#[test]
fn past_the_limit_calls_are_answered_at_once_and_recorded() {
    let lab = Lab::new();
    let mut peer = peer(&lab, 2);
    let slow = |id: i64| request(id, "tools/call", json!({"name": "slow"}));
    let busy = peer.tell_all(&[slow(1), slow(2), slow(3), request(4, "tools/call", modern(json!({"name": "ping"})))]);
    assert_eq!(busy.len(), 2, "{busy:#?}"); // pitfall 6
    assert_eq!((failure(&busy[0]), failure(&busy[1])), (BUSY, BUSY)); // pitfall 6
    assert_eq!(lab.events().iter().filter(|event| event["type"] == "call.failed").count(), 2);
    lab.gate.add_permits(2);
    assert_eq!(peer.settle().len(), 2);
    assert_eq!(text(&peer.call(5, "ping", json!({}))), "pong");
}

#[test]
fn a_token_that_comes_while_there_is_no_room_is_spent() {
    for capabilities in [json!({}), json!({"elicitation": {}})] {
        let lab = Lab::new();
        let mut peer = peer(&lab, 1);
        let mut params = modern_with(json!({"name": "send_mail", "arguments": invoice()}), capabilities);
        let held = peer.request(1, "tools/call", params.clone());
        if let Some(state) = result(&held).get("requestState") {
            params["requestState"] = state.clone();
            params["inputResponses"] = json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
        } else {
            let token = &result(&held)["_meta"][CONFIRMATION_META_KEY]["token"];
            params["_meta"][CONFIRMATION_META_KEY] = json!({"token": token});
        }
        peer.tell(&request(2, "tools/call", json!({"name": "slow"})));
        assert_eq!(failure(&peer.request(3, "tools/call", params.clone())), BUSY);
        lab.gate.add_permits(1);
        peer.settle();
        lab.trail();
        peer.request(4, "tools/call", params);
        assert_eq!(lab.trail(), ["call.rejected confirmation_invalid consumed"]);
        assert_eq!(lab.ran.times(), 0);
    }
}

#[test]
fn a_cancelled_call_frees_its_slot() {
    let lab = Lab::new();
    let mut peer = peer(&lab, 1);
    peer.tell(&request(1, "tools/call", json!({"name": "slow"})));
    assert_eq!(failure(&peer.call(2, "ping", json!({}))), BUSY);
    peer.tell(&cancelled(1));
    assert_eq!(text(&peer.call(3, "ping", json!({}))), "pong");
}

#[test]
fn a_pending_question_holds_no_slot_and_its_yes_needs_none() {
    let lab = Lab::new();
    let mut peer = peer(&lab, 1);
    let question = peer.call(1, "send_mail", invoice());
    peer.tell(&request(2, "tools/call", json!({"name": "slow"})));
    assert_eq!(failure(&peer.call(3, "ping", json!({}))), BUSY);
    let yes =
        json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"confirm": true}}});
    assert_eq!(text(&peer.tell(&yes)[0]), "Sent.");
}

#[test]
fn a_confirmed_call_counts_once_it_runs() {
    let lab = Lab::new();
    let mut peer = peer(&lab, 1);
    let question = peer.call(1, "slow_held", json!({}));
    let yes =
        json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"confirm": true}}});
    assert!(peer.tell(&yes).is_empty());
    assert_eq!(failure(&peer.call(2, "ping", json!({}))), BUSY);
    lab.gate.add_permits(1);
    assert_eq!(text(&peer.settle()[0]), "at last");
    assert_eq!(text(&peer.call(3, "ping", json!({}))), "pong");
}

#[test]
fn a_driver_is_told_when_there_is_no_room() {
    let lab = Lab::new();
    let mut peer = peer(&lab, 1);
    let call = |id: i64| request(id, "tools/call", json!({"name": "slow"})).to_string();
    let mut actions = mtb_mcp::Actions::new();
    assert!(peer.connection().has_room());
    peer.step(|connection, _| {
        connection.receive(call(1).as_bytes(), &mut actions);
        assert!(connection.has_room());
        connection.receive(call(2).as_bytes(), &mut actions);
        assert!(!connection.has_room(), "the refusal takes a task as well");
    });
}

#[test]
fn the_bridge_has_limits_of_its_own() {
    let lab = Lab::with_limits(BridgeLimits { in_flight: 1, result_bytes: 4, ..BridgeLimits::default() });
    let mut peer = peer(&lab, 256);
    peer.tell(&request(1, "tools/call", json!({"name": "slow"})));
    assert_eq!(failure(&peer.call(2, "ping", json!({}))), BUSY);
    peer.tell(&cancelled(1));
    assert_eq!(text(&peer.call(3, "ping", json!({}))), "pong");
    assert_eq!(
        failure(&peer.call(4, "search", json!({}))),
        "The answer of the tool is too large. Ask for less at a time."
    );
}
