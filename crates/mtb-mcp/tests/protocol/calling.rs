use std::time::Duration;

use serde_json::{Value, json};

use crate::lab::{Lab, invoice, reader};
use crate::peer::{Peer, error, failure, modern, options, request, result, text};
use mtb_core::Transport;
use mtb_mcp::CONFIRMATION_META_KEY;

#[test]
fn answers_what_the_tool_answered() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    assert_eq!(result(&peer.call(1, "ping", json!({}))), &json!({"content": [{"type": "text", "text": "pong"}]})); // case 174
    assert_eq!(result(&peer.call(2, "stats", json!({})))["structuredContent"], json!({"open": 3})); // case 174
    assert_eq!(lab.events()[0]["transport"], "stdio");
}

#[test]
fn a_forbidden_tool_answers_like_an_unknown_one() {
    let lab = Lab::new();
    let mut peer = Peer::of(&lab, reader(), Transport::STDIO, options());
    peer.initialize("2025-11-25", json!({}));
    let eras: [fn(Value) -> Value; 2] = [|params| params, modern];
    // Whatever the arguments: a refusal of them would tell the schema.
    for arguments in [invoice(), json!({"to": "nope"}), json!({})] {
        for era in eras {
            let mut call =
                |tool| peer.request(1, "tools/call", era(json!({"name": tool, "arguments": arguments.clone()})));
            let (forbidden, unknown) = (call("send_mail"), call("nonesuch"));
            assert_eq!(error(&forbidden), (-32602, "Unknown tool: send_mail")); // case 175
            assert_eq!(forbidden.to_string().replace("send_mail", "nonesuch"), unknown.to_string()); // case 175
            assert_eq!(lab.trail(), ["call.rejected forbidden", "call.rejected unknown_tool"]); // case 175
        }
    }

    let invented = format!("pay\u{202e}\n{}", "x".repeat(500));
    let unknown = peer.call(2, &invented, json!({}));
    assert_eq!(error(&unknown), (-32602, &*format!("Unknown tool: pay {}…", "x".repeat(123))));
}

#[test]
fn a_forbidden_tool_answers_like_an_unknown_one_however_it_is_called() {
    let token = || json!({CONFIRMATION_META_KEY: {"token": "mtb_nonesuch"}});
    let plain = json!({"arguments": {"to": "nope"}});
    let held = json!({"_meta": token()});
    let yes = json!({"requestState": "mtb_nonesuch", "inputResponses": {"confirm": {"action": "accept", "content": {"confirm": true}}}});
    let lab = Lab::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        for params in [plain.clone(), held.clone(), modern(plain.clone()), modern(held.clone()), modern(yes.clone())] {
            let mut peer = Peer::of(&lab, reader(), Transport::STDIO, options());
            peer.initialize(version, json!({}));
            let mut answer = |tool: &str| {
                let mut params = params.clone();
                params["name"] = json!(tool);
                peer.request(1, "tools/call", params).to_string()
            };
            assert_eq!(answer("send_mail").replace("send_mail", "nonesuch"), answer("nonesuch"), "{version} {params}");
        }
    }
}

#[test]
fn arguments_that_do_not_fit_are_told_to_the_model() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    let answer = peer.call(1, "send_mail", json!({"to": "nope"}));
    let text = failure(&answer);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "Invalid arguments for send_mail:"); // case 176
    assert!(lines.iter().any(|line| line.starts_with("- /subject: ")), "{text}"); // case 176
    assert!(lines.iter().any(|line| line.starts_with("- /to: ")), "{text}"); // case 176
    assert_eq!((lines.len(), lab.ran.times()), (3, 0)); // case 176
    assert!(!text.contains("nope"));
}

#[test]
fn failures_say_what_the_model_may_know() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    assert_eq!(failure(&peer.call(1, "no_invoice", json!({}))), "No such invoice."); // case 177
    for tool in ["leaks", "panics"] {
        let answer = peer.call(2, tool, json!({}));
        assert_eq!(failure(&answer), "The tool failed. Its operator can find out why."); // case 177, pitfall 1
        assert!(!answer.to_string().contains("hunter2"), "{answer}"); // case 177
    }
}

#[test]
fn a_tool_that_hangs_is_answered_when_its_time_is_over() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    let call = request(1, "tools/call", json!({"name": "hangs"}));
    assert!(peer.tell(&call).is_empty());
    assert!(peer.pass(Duration::from_millis(19)).is_empty());
    let answers = peer.pass(Duration::from_millis(2));
    assert_eq!(failure(&answers[0]), "The tool did not answer within 20 ms.");
    assert_eq!(answers.len(), 1);
}

#[test]
fn a_call_without_arguments_has_none() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    assert_eq!(text(&peer.request(1, "tools/call", json!({"name": "ping"}))), "pong");
    assert_eq!(text(&peer.request(2, "tools/call", modern(json!({"name": "ping"})))), "pong");
}

#[test]
fn params_that_are_no_call_are_refused() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    for params in [
        json!({}),
        json!({"name": 7}),
        json!({"name": null}),
        json!({"name": "ping", "arguments": null}),
        json!({"name": "ping", "arguments": [1]}),
        json!({"name": "ping", "arguments": "s"}),
        json!({"name": "ping", "arguments": 7}),
        json!({"name": "ping", "_meta": {"progressToken": {}}}),
        json!({"name": "ping", "_meta": {"progressToken": null}}),
        json!({"name": "ping", "_meta": {"progressToken": 1.5}}),
    ] {
        assert_eq!(error(&peer.request(1, "tools/call", params.clone())).0, -32602, "{params}"); // pitfall 3
        assert_eq!(error(&peer.request(2, "tools/call", modern(params.clone()))).0, -32602, "{params}");
    }
    for params in [
        json!({"name": "ping", "inputResponses": "junk"}),
        json!({"name": "ping", "inputResponses": null}),
        json!({"name": "ping", "requestState": 7}),
        json!({"name": "ping", "requestState": null}),
    ] {
        assert_eq!(error(&peer.request(1, "tools/call", modern(params.clone()))).0, -32602, "{params}"); // pitfall 3
    }
    assert!(lab.events().is_empty());
}
