use std::sync::atomic::Ordering;

use mtb_core::json::{ScanLimits, Scanner};
use mtb_mcp::Connection;
use serde_json::{Value, json};

use crate::lab::{Lab, invoice};
use crate::peer::{Peer, failure, modern, modern_with, request};

fn peer(lab: &Lab) -> Peer {
    Peer::legacy(lab, "2025-11-25", json!({"elicitation": {}}))
}

#[test]
fn calls_in_flight_are_cancelled_and_answered() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    peer.tell(&request(1, "tools/call", json!({"name": "slow"})));
    peer.tell(&request(2, "tools/call", modern(json!({"name": "slow"}))));
    assert!(!peer.connection().is_idle());
    let mut answers = peer.close(); // pitfall 15
    answers.sort_by_key(|answer| answer["id"].as_i64());
    assert_eq!(answers.iter().map(|answer| answer["id"].clone()).collect::<Vec<_>>(), [1, 2]);
    for answer in &answers {
        assert_eq!(failure(answer), "The call was cancelled.");
    }
    assert_eq!(lab.noticed.load(Ordering::SeqCst), 2); // pitfall 15
    assert!(peer.connection().is_idle());
}

#[test]
fn pending_questions_are_withdrawn_and_their_calls_answered() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let question = peer.call(1, "send_mail", invoice());
    let messages = peer.close();
    assert_eq!(messages[0]["params"]["requestId"], question["id"]);
    assert_eq!((failure(&messages[1]), messages.len()), ("The call was cancelled.", 2));
    assert_eq!(lab.trail(), ["confirmation.issued", "confirmation.withdrawn closed"]);
    assert_eq!(peer.connection().deadline(), None);
}

#[test]
fn nothing_new_is_answered() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let nothing: [Value; 0] = [];
    assert_eq!(peer.close(), nothing);
    for message in
        [request(1, "ping", json!({})), request(2, "tools/call", json!({"name": "ping"})), json!(7), json!([])]
    {
        assert_eq!(peer.tell(&message), nothing, "{message}");
    }
    let mut scanner = Scanner::new(&ScanLimits::default());
    scanner.feed(request(3, "ping", json!({})).to_string().as_bytes());
    assert_eq!(peer.step(|connection, actions| connection.receive_oversized(scanner.finish(), actions)), nothing);
    assert_eq!(peer.close(), nothing);
    assert!(lab.events().is_empty());
}

#[test]
fn a_call_that_was_held_just_before_closing_leaves_no_token_behind() {
    let plain = json!({"name": "send_mail", "arguments": invoice()});
    for params in [plain.clone(), modern(plain.clone()), modern_with(plain, json!({}))] {
        let lab = Lab::new();
        let mut peer = peer(&lab);
        let answers = peer.tell_before_its_end(&request(1, "tools/call", params), Connection::close);
        assert_eq!((failure(&answers[0]), answers.len()), ("The call was cancelled.", 1), "{answers:#?}");
        assert_eq!(lab.trail(), ["confirmation.issued", "confirmation.withdrawn closed"]);
    }
}

#[test]
fn a_call_that_is_held_while_closing_leaves_no_token_behind() {
    for modern_era in [false, true] {
        let lab = Lab::new();
        let mut peer = peer(&lab);
        let params = json!({"name": "send_mail", "arguments": invoice()});
        let params = if modern_era { modern(params) } else { params };
        let call = request(1, "tools/call", params).to_string();
        let answers = peer.close_after(&call);
        assert_eq!(failure(&answers[0]), "The call was cancelled.", "{answers:#?}");
        assert_eq!(answers.len(), 1);
        let trail = lab.trail();
        assert_eq!(
            trail.last().map_or("confirmation.withdrawn closed", String::as_str),
            "confirmation.withdrawn closed"
        );
    }
}
