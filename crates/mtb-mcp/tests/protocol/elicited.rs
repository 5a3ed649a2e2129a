//! A held call that is confirmed through a request to the client.

use std::time::Duration;

use mtb_mcp::{CONFIRMATION_META_KEY, ProtocolLimits, STATUS_META_KEY};
use serde_json::{Value, json};

use crate::lab::{Lab, invoice};
use crate::peer::{Peer, cancelled, options, request, result, text};

const VERSIONS: [&str; 2] = ["2025-06-18", "2025-11-25"];

fn peer(lab: &Lab) -> Peer {
    Peer::legacy(lab, "2025-11-25", json!({"elicitation": {"form": {}}}))
}

/// Calls a held tool and gives the id of the question.
fn ask(peer: &mut Peer, id: i64, tool: &str, arguments: Value) -> String {
    let questions = peer.tell(&request(id, "tools/call", json!({"name": tool, "arguments": arguments})));
    assert_eq!(questions.len(), 1, "{questions:#?}");
    assert_eq!(questions[0]["method"], "elicitation/create", "{questions:#?}");
    questions[0]["id"].as_str().unwrap().to_owned()
}

fn respond(question: &str, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": question, "result": result})
}

fn yes(question: &str) -> Value {
    respond(question, &json!({"action": "accept", "content": {"confirm": true}}))
}

fn one(messages: Vec<Value>) -> Value {
    assert_eq!(messages.len(), 1, "{messages:#?}");
    messages.into_iter().next().unwrap()
}

/// The next carrier: the token is for the host now, and was never part of the question.
fn assert_next_carrier(answer: &Value) {
    let mut held = result(answer).clone();
    assert_eq!(held["structuredContent"]["status"], "confirmation_required", "{answer}");
    let meta = held.as_object_mut().unwrap().remove("_meta").unwrap();
    assert!(meta[CONFIRMATION_META_KEY]["token"].is_string(), "{answer}");
    assert!(!held.to_string().contains("mtb_"), "{held}");
}

#[test]
fn a_yes_runs_the_call_once() {
    for version in VERSIONS {
        let lab = Lab::new();
        let mut peer = Peer::legacy(&lab, version, json!({"elicitation": {}}));
        let question = ask(&mut peer, 1, "send_mail", invoice());
        let answer = one(peer.tell(&yes(&question)));
        assert_eq!((text(&answer), answer["id"].as_i64()), ("Sent.", Some(1))); // case 182
        assert_eq!(lab.events()[1]["confirmed"], true); // case 182
        assert_eq!(lab.trail(), ["confirmation.issued", "call.started", "call.succeeded"]); // case 182
        assert!(peer.tell(&yes(&question)).is_empty(), "a late answer");
        assert_eq!(lab.ran.times(), 1); // case 182
    }
}

#[test]
fn a_no_of_any_kind_runs_nothing() {
    for (action, detail) in [
        (json!({"action": "decline"}), "declined"), // case 183
        (json!({"action": "cancel"}), "dismissed"), // case 184
        (json!({"action": "accept", "content": {"confirm": false}}), "not_confirmed"), // case 185
        (json!({"action": "accept", "content": {"confirm": "yes", "extra": 1}}), "not_confirmed"),
        (json!({"action": "accept", "content": {}}), "not_confirmed"),
        (json!({"action": "accept"}), "not_confirmed"),
    ] {
        let lab = Lab::new();
        let mut peer = peer(&lab);
        let question = ask(&mut peer, 1, "send_mail", invoice());
        let answer = one(peer.tell(&respond(&question, &action)));
        assert!(text(&answer).contains("The user declined"), "{answer}"); // case 183
        assert_eq!(result(&answer).get("isError"), None);
        assert_eq!(result(&answer)["structuredContent"], json!({"status": "declined", "tool": "send_mail"})); // case 183
        assert_eq!(lab.trail(), ["confirmation.issued".to_owned(), format!("confirmation.declined {detail}")]);
        assert!(peer.tell(&yes(&question)).is_empty(), "a second thought");
        assert_eq!(lab.ran.times(), 0); // case 183
    }
}

#[test]
fn a_no_to_a_tool_with_an_output_schema_has_no_structured_content() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let question = ask(&mut peer, 1, "transfer", json!({}));
    let answer = one(peer.tell(&respond(&question, &json!({"action": "decline"}))));
    assert!(crate::peer::failure(&answer).contains("The user declined"));
    assert_eq!(result(&answer).get("structuredContent"), None);
    assert_eq!(result(&answer)["_meta"][STATUS_META_KEY], json!({"status": "declined", "tool": "transfer"}));
}

#[test]
fn a_client_that_cannot_answer_gets_the_next_carrier() {
    for response in [
        |id: &str| json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "no window"}}), // case 186
        |id: &str| respond(id, &json!({})),
        |id: &str| respond(id, &json!(null)),
        |id: &str| respond(id, &json!(7)),
        |id: &str| respond(id, &json!({"action": "perhaps"})),
        |id: &str| respond(id, &json!({"action": 7})),
        |id: &str| json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept", "content": {"confirm": true}}, "error": {}}),
        |id: &str| json!({"jsonrpc": "1.0", "id": id, "result": {"action": "accept", "content": {"confirm": true}}}),
        |id: &str| json!({"id": id, "result": {"action": "accept", "content": {"confirm": true}}}),
    ] {
        let lab = Lab::new();
        let mut peer = peer(&lab);
        let question = ask(&mut peer, 1, "send_mail", invoice());
        assert_next_carrier(&one(peer.tell(&response(&question)))); // case 186
        assert_eq!(
            lab.trail(),
            ["confirmation.issued", "confirmation.withdrawn elicitation_failed", "confirmation.issued"]
        );
        assert_eq!(lab.ran.times(), 0); // case 186
    }
}

#[test]
fn an_answer_with_an_unreadable_value_is_no_answer() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let question = ask(&mut peer, 1, "send_mail", invoice());
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":"{question}","result":{{"action":"accept","content":{{"confirm":true,"confirm":true}}}}}}"#
    );
    assert_next_carrier(&one(peer.tell_text(&text)));
}

#[test]
fn the_next_carrier_redeems() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let question = ask(&mut peer, 1, "send_mail", invoice());
    let held = one(peer.tell(&respond(&question, &json!({}))));
    let token = &result(&held)["_meta"][CONFIRMATION_META_KEY]["token"];
    let params =
        json!({"name": "send_mail", "arguments": invoice(), "_meta": {CONFIRMATION_META_KEY: {"token": token}}});
    assert_eq!(text(&peer.request(2, "tools/call", params)), "Sent.");
}

#[test]
fn a_question_does_not_hold_its_token() {
    for version in VERSIONS {
        let lab = Lab::new();
        let mut peer = Peer::legacy(&lab, version, json!({"elicitation": {}}));
        ask(&mut peer, 1, "send_mail", invoice());
        ask(&mut peer, 2, "transfer", json!({}));
        let sent = String::from_utf8_lossy(&peer.raw);
        assert!(sent.contains("elicitation/create") && !sent.contains("mtb_"), "{sent}");
    }
}

#[test]
fn answers_to_nothing_are_ignored() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let question = ask(&mut peer, 1, "send_mail", invoice());
    for response in [yes("nonesuch"), yes(""), json!({"jsonrpc": "2.0", "id": 1, "result": {}})] {
        assert!(peer.tell(&response).is_empty(), "{response}"); // pitfall 17
    }
    assert_eq!(lab.ran.times(), 0);
    assert_eq!(text(&one(peer.tell(&yes(&question)))), "Sent.");
}

#[test]
fn nobody_can_guess_a_question() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let ids: Vec<_> = (0..3).map(|id| ask(&mut peer, id, "send_mail", invoice())).collect();
    for id in &ids {
        assert_eq!((id.len(), id.as_bytes()[14]), (36, b'4'), "a random UUID: {id}"); // pitfall 17
    }
    // Another connection of the same principal cannot answer for this one.
    assert!(self::peer(&lab).tell(&yes(&ids[0])).is_empty()); // pitfall 17
    assert_eq!(lab.ran.times(), 0);
}

#[test]
fn a_question_waits_as_long_as_its_confirmation_lives() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    assert_eq!(peer.connection().deadline(), None);
    ask(&mut peer, 1, "send_mail", invoice());
    assert_eq!(peer.connection().deadline().unwrap().to_string(), "2026-10-02T12:05:00.000Z");
    lab.clock.advance(Duration::from_millis(299_999));
    assert!(peer.expire().is_empty());
    lab.clock.advance(Duration::from_millis(1));
    let messages = peer.expire();
    assert_eq!(messages[0]["method"], "notifications/cancelled");
    assert_next_carrier(&messages[1]);
    assert_eq!((messages.len(), peer.connection().deadline()), (2, None));
    let trail = ["confirmation.issued", "confirmation.withdrawn elicitation_timeout", "confirmation.issued"];
    assert_eq!(lab.trail(), trail);
}

#[test]
fn a_question_waits_no_longer_than_it_is_told_to() {
    let lab = Lab::new();
    let patient = options().with_elicitation_timeout(Some(Duration::from_secs(30)));
    let mut peer = Peer::legacy_with(&lab, patient, "2025-06-18", json!({"elicitation": {}}));
    let question = ask(&mut peer, 1, "send_mail", invoice());
    assert_eq!(peer.connection().deadline().unwrap().to_string(), "2026-10-02T12:00:30.000Z");
    lab.clock.advance(Duration::from_secs(30));
    assert_next_carrier(&peer.expire()[1]);
    assert!(peer.tell(&yes(&question)).is_empty(), "too late");
    assert_eq!(lab.ran.times(), 0);
}

#[test]
fn questions_expire_one_by_one() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    for id in [1, 2] {
        ask(&mut peer, id, "send_mail", invoice());
        lab.clock.advance(Duration::from_secs(60));
    }
    for (deadline, id) in [("2026-10-02T12:05:00.000Z", 1), ("2026-10-02T12:06:00.000Z", 2)] {
        assert_eq!(peer.connection().deadline().unwrap().to_string(), deadline);
        lab.clock.advance(Duration::from_secs(if id == 1 { 180 } else { 60 }));
        let messages = peer.expire();
        assert_eq!((messages.len(), &messages[1]["id"]), (2, &json!(id)));
    }
}

#[test]
fn a_question_never_outlives_its_confirmation() {
    let lab = Lab::new();
    let patient = options().with_elicitation_timeout(Some(Duration::from_secs(3_600)));
    let mut peer = Peer::legacy_with(&lab, patient, "2025-11-25", json!({"elicitation": {}}));
    let question = ask(&mut peer, 1, "send_mail", invoice());
    assert_eq!(peer.connection().deadline().unwrap().to_string(), "2026-10-02T12:05:00.000Z");
    lab.clock.advance(Duration::from_secs(300));
    let answer = one(peer.tell(&yes(&question)));
    assert_eq!(crate::peer::failure(&answer), "This confirmation cannot be used. Nothing was done.");
    assert_eq!(lab.trail(), ["confirmation.issued", "call.rejected confirmation_expired expired"]);
    assert_eq!(lab.ran.times(), 0);
}

#[test]
fn without_a_clock_nothing_is_due_and_nothing_runs() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let question = ask(&mut peer, 1, "send_mail", invoice());
    lab.clock.break_down();
    assert!(peer.expire().is_empty());
    assert_eq!(result(&one(peer.tell(&yes(&question))))["isError"], true);
    assert_eq!(lab.ran.times(), 0);
}

#[test]
fn cancelling_the_call_ends_the_question() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let question = ask(&mut peer, 1, "send_mail", invoice());
    let notification = one(peer.tell(&cancelled(1)));
    assert_eq!(notification["method"], "notifications/cancelled"); // pitfall 7
    assert_eq!(notification["params"]["requestId"], *question); // pitfall 7
    assert!(peer.tell(&yes(&question)).is_empty());
    assert_eq!(lab.trail(), ["confirmation.issued", "confirmation.withdrawn cancelled"]);
    assert_eq!((lab.ran.times(), peer.connection().is_idle()), (0, true));
}

#[test]
fn past_the_limit_of_questions_the_host_is_asked() {
    let lab = Lab::new();
    let limits = ProtocolLimits { pending_questions: 1, ..ProtocolLimits::default() };
    let mut peer = Peer::legacy_with(&lab, options().with_limits(limits), "2025-11-25", json!({"elicitation": {}}));
    let question = ask(&mut peer, 1, "send_mail", invoice());
    assert_next_carrier(&peer.call(2, "send_mail", invoice()));
    assert_eq!(lab.trail(), ["confirmation.issued", "confirmation.issued"]);
    peer.tell(&yes(&question));
    ask(&mut peer, 3, "send_mail", invoice());
}

#[test]
fn calls_that_race_for_the_last_question_are_all_answered() {
    let lab = Lab::new();
    let limits = ProtocolLimits { pending_questions: 1, ..ProtocolLimits::default() };
    let mut peer = Peer::legacy_with(&lab, options().with_limits(limits), "2025-11-25", json!({"elicitation": {}}));
    let call = |id: i64| request(id, "tools/call", json!({"name": "send_mail", "arguments": invoice()}));
    let messages = peer.tell_all(&[call(1), call(2)]);
    let (questions, answers): (Vec<_>, Vec<_>) =
        messages.into_iter().partition(|message| message["method"].is_string());
    assert_eq!((questions.len(), answers.len()), (1, 1));
}

#[test]
fn a_confirmed_call_reports_its_progress_to_the_call() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let params = json!({"name": "send_mail", "arguments": invoice(), "_meta": {"progressToken": "p"}});
    let question = one(peer.tell(&request(1, "tools/call", params)));
    let messages = peer.tell(&yes(question["id"].as_str().unwrap()));
    assert_eq!(messages[0]["params"], json!({"progressToken": "p", "progress": 1, "total": 1, "message": "sent"}));
    assert_eq!(text(&messages[1]), "Sent.");
}

#[test]
fn a_tool_that_went_away_meanwhile_does_not_run() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let question = ask(&mut peer, 1, "send_mail", invoice());
    lab.registry.unregister("send_mail");
    let answer = one(peer.tell(&yes(&question)));
    assert_eq!(crate::peer::error(&answer), (-32602, "Unknown tool: send_mail"));
    assert_eq!(lab.ran.times(), 0);
}
