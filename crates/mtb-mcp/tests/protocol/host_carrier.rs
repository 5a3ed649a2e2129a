//! A held call that the host confirms: the token goes out and comes back in `_meta`.

use std::time::Duration;

use mtb_mcp::{CONFIRMATION_META_KEY, Elicitation, STATUS_META_KEY};
use serde_json::{Value, json};

use crate::lab::{Lab, invoice};
use crate::peer::{Peer, error, failure, modern, modern_with, options, result, text};

const REFUSED: &str = "This confirmation cannot be used. Nothing was done.";

/// A client that cannot ask.
fn peer(lab: &Lab) -> Peer {
    Peer::legacy(lab, "2025-11-25", json!({}))
}

fn call_with(tool: &str, arguments: &Value, confirmation: &Value) -> Value {
    json!({"name": tool, "arguments": arguments, "_meta": {CONFIRMATION_META_KEY: confirmation}})
}

fn token(held: &Value) -> String {
    result(held)["_meta"][CONFIRMATION_META_KEY]["token"].as_str().unwrap().to_owned()
}

fn assert_held(answer: &Value) {
    assert_eq!(result(answer)["structuredContent"]["status"], "confirmation_required", "{answer}");
}

#[test]
fn a_held_call_says_what_is_pending_and_keeps_the_token_from_the_model() {
    let lab = Lab::new();
    let answer = peer(&lab).call(1, "send_mail", invoice());
    let mut held = result(&answer).clone();
    assert_eq!(held.get("isError"), None); // case 178
    assert!(text(&answer).contains(r#"Confirmation required: Send "Invoice 12" to ada@example.com"#)); // case 178
    let summary = r#"Send "Invoice 12" to ada@example.com"#;
    let expires = "2026-10-02T12:05:00.000Z";
    let status =
        json!({"status": "confirmation_required", "tool": "send_mail", "summary": summary, "expiresAt": expires});
    assert_eq!(held["structuredContent"], status); // case 178

    let meta = held.as_object_mut().unwrap().remove("_meta").unwrap();
    assert!(!held.to_string().contains("mtb_"), "{held}"); // case 178
    let carried = &meta[CONFIRMATION_META_KEY];
    assert!(carried["token"].as_str().unwrap().starts_with("mtb_")); // case 178
    assert_eq!(carried["expiresAt"], expires); // case 178
    let event = &lab.events()[0];
    assert_eq!(carried["callId"], event["callId"]);
    assert_eq!((lab.ran.times(), lab.trail()), (0, vec!["confirmation.issued".to_owned()]));
}

#[test]
fn the_same_call_with_the_token_runs_once() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let token = token(&peer.call(1, "send_mail", invoice()));
    let redeem = call_with("send_mail", &invoice(), &json!({"token": token}));
    assert_eq!(text(&peer.request(2, "tools/call", redeem.clone())), "Sent."); // case 179
    assert_eq!(lab.ran.times(), 1); // case 179
    assert_eq!(lab.trail(), ["confirmation.issued", "call.started", "call.succeeded"]); // case 179

    assert_eq!(failure(&peer.request(3, "tools/call", redeem)), REFUSED); // case 179
    assert_eq!(lab.ran.times(), 1); // case 179
    assert_eq!(lab.trail(), ["call.rejected confirmation_invalid consumed"]);
}

#[test]
fn the_model_cannot_confirm_through_arguments() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let token = token(&peer.call(1, "open", json!({})));
    for arguments in [
        json!({"_meta": {CONFIRMATION_META_KEY: {"token": token}}}),
        json!({"confirmationToken": token}),
        json!({CONFIRMATION_META_KEY: {"token": token}}),
    ] {
        assert_held(&peer.call(2, "open", arguments)); // case 180
    }
    assert_eq!(lab.ran.times(), 0); // case 180
}

#[test]
fn every_token_that_is_not_good_reads_the_same() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let fresh = |peer: &mut Peer| token(&peer.call(1, "send_mail", invoice()));
    let other = json!({"to": "eve@example.com", "subject": "Invoice 12"});
    let broken = json!({"to": "nope"});
    for (tool, arguments, confirmation, reason) in [
        ("send_mail", invoice(), json!({"token": "mtb_nonesuch"}), "unknown"),
        ("send_mail", invoice(), json!({"token": ""}), "unknown"),
        ("send_mail", invoice(), json!({"token": 7}), "unknown"),
        ("send_mail", invoice(), json!({}), "unknown"),
        ("send_mail", invoice(), json!("mtb_nonesuch"), "unknown"),
        ("send_mail", invoice(), json!(null), "unknown"),
        ("send_mail", invoice(), json!([]), "unknown"),
        ("send_mail", other, json!({"token": fresh(&mut peer)}), "arguments_mismatch"), // case 188
        ("send_mail", broken, json!({"token": fresh(&mut peer)}), "arguments_mismatch"),
        ("send_letter", invoice(), json!({"token": fresh(&mut peer)}), "tool_mismatch"),
    ] {
        lab.trail();
        let params = call_with(tool, &arguments, &confirmation);
        assert_eq!(failure(&peer.request(2, "tools/call", params)), REFUSED, "{reason}"); // case 188
        assert_eq!(lab.trail(), [format!("call.rejected confirmation_invalid {reason}")]);
    }

    let late = fresh(&mut peer);
    lab.clock.advance(Duration::from_secs(301));
    let params = call_with("send_mail", &invoice(), &json!({"token": late}));
    assert_eq!(failure(&peer.request(2, "tools/call", params)), REFUSED); // case 188
    assert_eq!(lab.ran.times(), 0);
    for word in ["expir", "argument", "principal", "consumed", "tool"] {
        assert!(!REFUSED.to_lowercase().contains(word), "{word}"); // case 188
    }
}

#[test]
fn presenting_a_token_spends_it_even_with_a_call_that_cannot_be_looked_at() {
    let spoil: [fn(&mut Value); 4] = [
        |params| params["arguments"] = json!([1]),
        |params| params["arguments"] = Value::Null,
        |params| params["name"] = json!(7),
        |params| params["_meta"]["progressToken"] = json!({}),
    ];
    for spoil in spoil {
        let lab = Lab::new();
        let mut peer = peer(&lab);
        let token = token(&peer.call(1, "send_mail", invoice()));
        let good = call_with("send_mail", &invoice(), &json!({"token": token}));
        let mut spoilt = good.clone();
        spoil(&mut spoilt);
        assert_eq!(error(&peer.request(2, "tools/call", spoilt)).0, -32602);
        assert_eq!(lab.trail(), ["confirmation.issued", "confirmation.withdrawn misused"]);
        assert_eq!(failure(&peer.request(3, "tools/call", good)), REFUSED);
        assert_eq!(lab.ran.times(), 0);
    }
}

#[test]
fn presenting_a_token_spends_it_even_beside_a_state_that_cannot_be_read() {
    for (name, spoilt) in [("requestState", json!(7)), ("requestState", Value::Null), ("inputResponses", json!("junk"))]
    {
        let lab = Lab::new();
        let mut peer = Peer::new(&lab);
        let held =
            peer.request(1, "tools/call", modern_with(call_with("send_mail", &invoice(), &Value::Null), json!({})));
        assert_eq!(failure(&held), REFUSED);
        let plain = modern_with(json!({"name": "send_mail", "arguments": invoice()}), json!({}));
        let token = token(&peer.request(2, "tools/call", plain));
        let good = modern_with(call_with("send_mail", &invoice(), &json!({"token": token})), json!({}));
        let mut bad = good.clone();
        bad[name] = spoilt;
        assert_eq!(error(&peer.request(3, "tools/call", bad)).0, -32602, "{name}");
        assert_eq!(failure(&peer.request(4, "tools/call", good)), REFUSED);
        assert_eq!(lab.ran.times(), 0);
    }
}

#[test]
fn somebody_elses_token_is_refused() {
    let lab = Lab::new();
    let token = token(&peer(&lab).call(1, "send_mail", invoice()));
    let mallory = mtb_core::Principal::new("mallory", ["editor"]).unwrap();
    let mut other = Peer::of(&lab, mallory, mtb_core::Transport::STDIO, options());
    other.initialize("2025-11-25", json!({}));
    let params = call_with("send_mail", &invoice(), &json!({"token": token}));
    assert_eq!(failure(&other.request(1, "tools/call", params)), REFUSED);
    assert_eq!(lab.trail(), ["confirmation.issued", "call.rejected confirmation_invalid principal_mismatch"]);
}

#[test]
fn a_token_of_a_question_is_refused_from_the_host() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let asked = peer.request(1, "tools/call", modern(json!({"name": "send_mail", "arguments": invoice()})));
    let state = result(&asked)["requestState"].as_str().unwrap();
    let params = modern(call_with("send_mail", &invoice(), &json!({"token": state})));
    assert_eq!(failure(&peer.request(2, "tools/call", params)), REFUSED);
    assert_eq!(lab.trail(), ["confirmation.issued", "call.rejected confirmation_invalid carrier_mismatch"]);
}

#[test]
fn clients_that_are_not_asked_get_the_token() {
    let forms = json!({"elicitation": {"form": {}}});
    let off = || options().with_elicit_confirmations(Elicitation::Off);
    let lab = Lab::new();
    let call = || json!({"name": "send_mail", "arguments": invoice()});
    assert_held(&Peer::legacy_with(&lab, off(), "2025-11-25", forms.clone()).call(1, "send_mail", invoice())); // case 181
    assert_held(&Peer::with(&lab, off()).request(1, "tools/call", modern(call()))); // case 181
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}}), json!({"sampling": {}})] {
        assert_held(&Peer::legacy(&lab, "2025-11-25", capabilities.clone()).call(1, "send_mail", invoice())); // case 187
        assert_held(&Peer::new(&lab).request(1, "tools/call", modern_with(call(), capabilities)));
    }
    // Revisions before elicitation have no such capability, whatever the client says.
    for version in ["2024-11-05", "2025-03-26"] {
        let answer = Peer::legacy(&lab, version, forms.clone()).call(1, "send_mail", invoice()); // pitfall 9
        assert!(text(&answer).starts_with("Confirmation required: "), "{answer}");
        assert_eq!(result(&answer).get("structuredContent"), None);
        assert!(token(&answer).starts_with("mtb_"));
    }
    assert_eq!(lab.ran.times(), 0);
}

#[test]
fn a_token_redeems_in_the_modern_era_too() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let call = json!({"name": "send_mail", "arguments": invoice()});
    let held = peer.request(1, "tools/call", modern_with(call, json!({})));
    assert_held(&held);
    let redeem = modern_with(call_with("send_mail", &invoice(), &json!({"token": token(&held)})), json!({}));
    assert_eq!(text(&peer.request(2, "tools/call", redeem)), "Sent.");
}

#[test]
fn a_tool_with_an_output_schema_is_held_without_structured_content() {
    let lab = Lab::new();
    let mut peer = peer(&lab);
    let answer = peer.call(1, "transfer", json!({}));
    assert!(failure(&answer).starts_with("Confirmation required: transfer"));
    assert_eq!(result(&answer).get("structuredContent"), None);
    let status = &result(&answer)["_meta"][STATUS_META_KEY];
    let expect = json!({"status": "confirmation_required", "tool": "transfer", "summary": "transfer", "expiresAt": "2026-10-02T12:05:00.000Z"});
    assert_eq!(status, &expect);
    let redeem = call_with("transfer", &json!({}), &json!({"token": token(&answer)}));
    assert_eq!(result(&peer.request(2, "tools/call", redeem))["structuredContent"], json!({"balance": 7}));
}
