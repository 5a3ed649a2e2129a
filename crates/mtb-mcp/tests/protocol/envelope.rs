//! Messages that are no good, and requests that are no good: what is told to whom.

use mtb_core::json::{Limits, ScanLimits, Scanner};
use mtb_mcp::ProtocolLimits;
use serde_json::{Value, json};

use crate::lab::Lab;
use crate::peer::{Peer, error, options, request, result, text};

fn peer(lab: &Lab) -> Peer {
    Peer::legacy(lab, "2025-11-25", json!({}))
}

/// Every message gets one error, with the id if there was one to be read.
fn check(peer: &mut Peer, rows: &[(&str, i64, Value)]) {
    for (message, code, id) in rows {
        let answers = peer.tell_text(message);
        assert_eq!(answers.len(), 1, "{message}: {answers:#?}");
        assert_eq!(error(&answers[0]).0, *code, "{message}");
        assert_eq!(answers[0].get("id").unwrap_or(&Value::Null), id, "{message}");
    }
}

#[test]
fn what_is_no_message_is_told_without_an_id() {
    let lab = Lab::new();
    check(
        &mut peer(&lab),
        &[
            ("", -32700, json!(null)),
            ("not json", -32700, json!(null)),             // pitfall 11
            (r#"{"jsonrpc":"2.0","#, -32700, json!(null)), // pitfall 11
            ("\"\u{0}\"", -32700, json!(null)),
            ("7", -32600, json!(null)),
            ("null", -32600, json!(null)),
            ("\"ping\"", -32600, json!(null)),
            ("{}", -32600, json!(null)),
            (r#"{"jsonrpc":"2.0"}"#, -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","method":7}"#, -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}"#, -32600, json!(null)),
        ],
    );
    let answers = peer(&lab).tell_bytes(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}");
    assert_eq!(error(&answers[0]).0, -32700); // pitfall 11
}

#[test]
fn a_request_is_told_under_its_id_whatever_is_wrong_with_it() {
    let lab = Lab::new();
    check(
        &mut peer(&lab),
        &[
            (r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#, -32600, json!(5)), // pitfall 4
            (r#"{"id":6,"method":"ping"}"#, -32600, json!(6)),                 // pitfall 4
            (r#"{"jsonrpc":"2.0","id":7,"method":5}"#, -32600, json!(7)),      // pitfall 4
            (r#"{"jsonrpc":"2.0","id":7}"#, -32600, json!(7)),
            (r#"{"jsonrpc":"2.0","id":7,"method":"ping","result":{}}"#, -32600, json!(7)),
            (r#"{"jsonrpc":"2.0","id":8,"method":"tools/list","params":[]}"#, -32602, json!(8)), // pitfall 4
            (r#"{"jsonrpc":"2.0","id":8,"method":"tools/list","params":null}"#, -32602, json!(8)),
            (r#"{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":5}}"#, -32602, json!(9)), // pitfall 4
            (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, -32600, json!(1)),
            (r#"{"jsonrpc":"2.0","id":3,"method":"ping","x":1e400}"#, -32600, json!(3)),
            (r#"{"jsonrpc":"2.0","id":4,"method":"ping""#, -32700, json!(4)),
        ],
    );
}

#[test]
fn what_is_wrong_inside_params_is_the_params_fault() {
    let lab = Lab::new();
    let deep = format!("{}{}", "[".repeat(70), "]".repeat(70));
    let many = format!("[{}0]", "0,".repeat(50_000));
    let long = format!("\"{}\"", "x".repeat(600_000));
    for value in ["1e400", "18446744073709551616", r#"{"a":1,"a":2}"#, &deep, &many, &long] {
        let message = format!(
            r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"name":"open","arguments":{{"v":{value}}}}},"id":12}}"#
        );
        let answers = peer(&lab).tell_text(&message);
        assert_eq!((error(&answers[0]).0, &answers[0]["id"]), (-32602, &json!(12)), "{}", &value[..5]); // pitfall 12
        assert_eq!(answers.len(), 1);
    }
    assert!(lab.events().is_empty());
}

#[test]
fn ids_come_back_as_they_were_written() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    for id in ["0", "-7", "1.0", "1e2", "9223372036854775807", r#""""#, r#""\u0041\/b""#] {
        peer.raw.clear();
        let message = format!(r#"{{"params":{{}},"method":"x","jsonrpc":"2.0","id":{id}}}"#);
        peer.tell_text(&message);
        let sent = String::from_utf8(peer.raw.clone()).unwrap();
        assert!(sent.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error":"#)), "{sent}");
    }
}

#[test]
fn names_may_be_written_with_escapes() {
    let lab = Lab::new();
    let message = r#"{"jsonrpc":"2.0","id":1,"\u006dethod":"tools\/call","params":{"n\u0061me":"pi\u006eg"}}"#;
    assert_eq!(text(&peer(&lab).tell_text(message)[0]), "pong");
}

#[test]
fn a_duplicate_id_is_refused_and_the_first_goes_on() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let slow = |id: Value| request(id, "tools/call", json!({"name": "slow"}));
    assert!(peer.tell(&slow(json!(7))).is_empty());
    for second in [slow(json!(7)), request(7, "ping", json!({})), request(7, "tools/call", json!({"name": "ping"}))] {
        let refused = peer.tell(&second);
        assert_eq!((error(&refused[0]).0, refused.len()), (-32600, 1), "{second}"); // pitfall 2
    }
    let refused = peer.tell_text(r#"{"jsonrpc":"2.0","id":7.0,"method":"ping"}"#);
    assert_eq!(error(&refused[0]).0, -32600, "the same number");
    assert_eq!(result(&peer.request("7", "ping", json!({}))), &json!({}), "another id");
    lab.gate.add_permits(1);
    let answers = peer.settle();
    assert_eq!((text(&answers[0]), &answers[0]["id"], answers.len()), ("at last", &json!(7), 1)); // pitfall 2
    assert_eq!(text(&peer.call(7, "ping", json!({}))), "pong", "an id may be used again");
    assert_eq!(lab.trail(), ["call.started", "call.succeeded", "call.started", "call.succeeded"]);
}

#[test]
fn notifications_are_never_answered() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    for message in [
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"ping"}}"#,
        r#"{"jsonrpc":"2.0","method":"ping"}"#,
        r#"{"jsonrpc":"2.0","method":"initialize","params":[]}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1e400}}"#,
        r#"{"jsonrpc":"2.0","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}"#,
    ] {
        assert!(peer.tell_text(message).is_empty(), "{message}");
    }
    assert!(lab.events().is_empty());
}

fn oversized(peer: &mut Peer, message: &str) -> Vec<Value> {
    let mut scanner = Scanner::new(&ScanLimits { message_bytes: 64, json: Limits::default() });
    message.as_bytes().chunks(17).for_each(|chunk| scanner.feed(chunk));
    peer.step(|connection, actions| connection.receive_oversized(scanner.finish(), actions))
}

#[test]
fn a_message_that_is_too_long_is_told_under_its_id() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let padding = "x".repeat(200);
    for (message, id) in [
        (format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"x":"{padding}"}},"id":90}}"#), json!(90)), // pitfall 13
        (
            format!(r#"{{"jsonrpc":"2.0","id":"first","method":"tools/call","params":{{"x":"{padding}"}}}}"#),
            json!("first"),
        ),
        (format!(r#"[{{"jsonrpc":"2.0","id":1,"method":"ping"}},"{padding}"]"#), json!(null)),
        (format!(r#""{padding}""#), json!(null)),
    ] {
        let answers = oversized(&mut peer, &message);
        assert_eq!((error(&answers[0]).0, answers.len()), (-32600, 1), "{message}");
        assert_eq!(answers[0].get("id").unwrap_or(&Value::Null), &id, "{message}");
    }
}

#[test]
fn a_whole_message_past_the_limit_is_too_long_as_well() {
    let lab = Lab::new();
    let limits = ProtocolLimits { message_bytes: 100, ..ProtocolLimits::default() };
    let mut peer = Peer::with(&lab, options().with_limits(limits));
    let answers = peer.tell(&request(1, "ping", json!({"padding": "x".repeat(100)})));
    assert_eq!((error(&answers[0]).0, &answers[0]["id"]), (-32600, &json!(1)));
    assert_eq!(result(&peer.request(1, "ping", json!({}))), &json!({}));
}

#[test]
fn an_answer_that_is_too_long_is_no_answer() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({"elicitation": {}}));
    let asked = peer.request(1, "tools/call", json!({"name": "open"}));
    let question = asked["id"].as_str().unwrap();
    let content = json!({"confirm": true, "padding": "x".repeat(200)});
    let message = json!({"jsonrpc": "2.0", "id": question, "result": {"action": "accept", "content": content}});
    let held = oversized(&mut peer, &message.to_string());
    assert_eq!(result(&held[0])["structuredContent"]["status"], "confirmation_required");
    assert_eq!(lab.ran.times(), 0);
}

#[test]
fn a_request_that_is_too_long_is_no_answer_either() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({"elicitation": {}}));
    let asked = peer.request(1, "tools/call", json!({"name": "open"}));
    let question = &asked["id"];
    let answers = oversized(&mut peer, &request(question.clone(), "x", json!({"x": "x".repeat(200)})).to_string());
    assert_eq!((error(&answers[0]).0, &answers[0]["id"], answers.len()), (-32600, question, 1));
    let yes = json!({"jsonrpc": "2.0", "id": question, "result": {"action": "accept", "content": {"confirm": true}}});
    assert_eq!(text(&peer.tell(&yes)[0]), "Done.");
}
