use mtb_bridge::Progress;
use mtb_mcp::{Action, Actions};
use serde_json::{Value, json};

use crate::lab::Lab;
use crate::peer::{Peer, cancelled, modern, request, text};

fn call(token: &Value) -> Value {
    json!({"name": "reports", "_meta": {"progressToken": token}})
}

fn reports(messages: &[Value]) -> Vec<Value> {
    let (answer, reports) = messages.split_last().unwrap();
    assert_eq!(text(answer), "done");
    reports.iter().map(|report| report["params"].clone()).collect()
}

#[test]
fn progress_grows_or_is_not_told() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    for token in [json!("p"), json!(0), json!(-7)] {
        let expect = [
            json!({"progressToken": token, "progress": 0, "total": 100, "message": "working"}),
            json!({"progressToken": token, "progress": 50, "total": 100, "message": "working"}),
            json!({"progressToken": token, "progress": 100}),
        ];
        assert_eq!(reports(&peer.tell(&request(1, "tools/call", call(&token)))), expect);
        assert_eq!(reports(&peer.tell(&request(1, "tools/call", modern(call(&token))))), expect);
    }
}

#[test]
fn the_first_revision_has_no_message() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2024-11-05", json!({}));
    let reports = reports(&peer.tell(&request(1, "tools/call", call(&json!("p")))));
    assert_eq!(reports[0], json!({"progressToken": "p", "progress": 0, "total": 100}));
}

#[test]
fn nobody_is_told_who_did_not_ask() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    assert_eq!(text(&peer.call(1, "reports", json!({}))), "done");
}

#[test]
fn a_call_that_nobody_waits_for_has_no_progress() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    let call = request(1, "tools/call", call(&json!("p"))).to_string();
    let mut actions = Actions::new();
    peer.step(|connection, _| {
        connection.receive(call.as_bytes(), &mut actions);
        let Some(Action::Start(task)) = actions.pop() else { panic!("nothing was started") };
        let progress = |done| Progress { done, total: None, message: None };
        connection.progress(task.id, progress(1.0), &mut actions);
        assert!(matches!(actions.pop(), Some(Action::Send(_))));
        connection.receive(cancelled(1).to_string().as_bytes(), &mut actions);
        connection.progress(task.id, progress(2.0), &mut actions);
        assert!(actions.is_empty());
    });
}
