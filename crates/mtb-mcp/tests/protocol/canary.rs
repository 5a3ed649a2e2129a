//! A marker in what a caller sends or a tool answers turns up where it is allowed to, and nowhere else.

use mtb_mcp::CONFIRMATION_META_KEY;
use serde_json::{Value, json};

use crate::lab::Lab;
use crate::peer::{Peer, modern, request};

const MARKER: &str = "canary-7f3a";

fn peers(lab: &Lab) -> [Peer; 3] {
    [
        Peer::legacy(lab, "2025-03-26", json!({})),
        Peer::legacy(lab, "2025-11-25", json!({"elicitation": {}})),
        Peer::new(lab),
    ]
}

/// Whatever is answered, the marker is not part of it.
fn assert_silent(message: &Value) {
    let lab = Lab::new();
    for mut peer in peers(&lab) {
        for message in [message.clone(), json!([message])] {
            peer.tell(&message);
            let sent = String::from_utf8_lossy(&peer.raw).into_owned();
            assert!(!sent.contains(MARKER), "{message}: {sent}");
            assert!(!format!("{:?}", peer.connection()).contains(MARKER));
        }
    }
    let events = lab.events();
    assert!(!json!(events).to_string().contains(MARKER), "{message}: {events:#?}");
}

#[test]
fn no_error_repeats_a_value() {
    let wide = json!({"to": MARKER, "subject": 7});
    for params in [
        json!({"name": "send_mail", "arguments": wide}),
        json!({"name": "send_mail", "arguments": MARKER}),
        json!({"name": "ping", "arguments": {"x": MARKER}}),
        json!({"name": [MARKER]}),
        json!({"name": "ping", "_meta": MARKER}),
        json!({"name": "ping", "_meta": {"progressToken": {"x": MARKER}}}),
        json!({"name": "open", "_meta": {CONFIRMATION_META_KEY: {"token": MARKER}}}),
        json!({"name": "open", "_meta": {CONFIRMATION_META_KEY: MARKER}}),
        json!({"cursor": MARKER}),
        json!({"protocolVersion": {"x": MARKER}}),
        json!({"notifications": MARKER}),
        json!([MARKER]),
        json!(MARKER),
    ] {
        for method in ["tools/call", "tools/list", "initialize", "subscriptions/listen", "ping", "server/discover"] {
            assert_silent(&request(1, method, params.clone()));
            if params.is_object() && !params["_meta"].is_string() {
                assert_silent(&request(1, method, modern(params.clone())));
            }
        }
    }
    for state in [json!({"x": MARKER}), json!(MARKER)] {
        let params = json!({"name": "open", "requestState": state, "inputResponses": {"confirm": {"action": MARKER}}});
        assert_silent(&request(1, "tools/call", modern(params)));
    }
}

#[test]
fn no_error_repeats_an_envelope() {
    for message in [
        request(1, MARKER, json!({})),
        json!({"jsonrpc": MARKER, "id": 1, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": {"x": MARKER}, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": 1, "method": [MARKER]}),
        json!({"jsonrpc": "2.0", "id": 1, MARKER: MARKER}),
        json!({"jsonrpc": "2.0", "id": MARKER, "result": MARKER}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": MARKER, "reason": MARKER}}),
        json!(MARKER),
        json!([MARKER]),
    ] {
        assert_silent(&message);
    }
}

/// What a caller invents may be named to it: a tool, a property, an id, a revision, a progress token.
#[test]
fn what_a_caller_named_is_named_back_to_it_alone() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    let mut revision = modern(json!({}));
    revision["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(MARKER);
    for message in [
        request(MARKER, "ping", json!({})),
        request(1, "tools/call", json!({"name": MARKER})),
        request(1, "tools/call", json!({"name": "ping", "arguments": {MARKER: 1}})),
        request(1, "tools/list", revision),
    ] {
        assert!(json!(peer.tell(&message)).to_string().contains(MARKER), "{message}");
    }
    assert!(!json!(lab.events()).to_string().contains(MARKER));
}

#[test]
fn no_type_shows_what_it_holds() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let call = request(MARKER, "tools/call", modern(json!({"name": "open", "arguments": {"x": MARKER}}))).to_string();
    let mut actions = mtb_mcp::Actions::new();
    peer.step(|connection, _| {
        connection.receive(call.as_bytes(), &mut actions);
        connection.receive(request(MARKER, "ping", json!({})).to_string().as_bytes(), &mut actions);
        let shown = format!("{connection:?} {actions:?}");
        assert!(!shown.contains(MARKER), "{shown}");
    });
    while let Some(action) = actions.pop() {
        let shown = format!("{action:?}");
        assert!(!shown.contains(MARKER), "{shown}");
        if let mtb_mcp::Action::Start(task) = action {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
            let done = runtime.block_on(task.work);
            assert_eq!(format!("{done:?}"), "TaskDone(outcome)");
        }
    }
}
