//! A held call of 2026-07-28: the result asks, and the same call comes again with the answer.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::lab::{Lab, editor, invoice, mails_of_admins};
use crate::peer::{Peer, error, failure, modern, modern_with, options, request, result, text};
use mtb_core::{Principal, Transport};
use mtb_mcp::{Action, Actions, CONFIRMATION_META_KEY, Connection, STATUS_META_KEY};

const BAD_STATE: (i64, &str) = (-32602, "Invalid params: `requestState` cannot be used; nothing was done");

fn yes() -> Value {
    json!({"action": "accept", "content": {"confirm": true}})
}

fn call(tool: &str, arguments: &Value) -> Value {
    modern(json!({"name": tool, "arguments": arguments}))
}

/// Calls a held tool and gives the state.
fn ask(peer: &mut Peer, tool: &str, arguments: &Value) -> String {
    let asked = peer.request(1, "tools/call", call(tool, arguments));
    assert_eq!(result(&asked)["resultType"], "input_required", "{asked}");
    result(&asked)["requestState"].as_str().unwrap().to_owned()
}

fn retry(peer: &mut Peer, tool: &str, arguments: &Value, state: &str, answer: &Value) -> Value {
    let mut params = call(tool, arguments);
    params["inputResponses"] = json!({"confirm": answer});
    params["requestState"] = json!(state);
    peer.request(2, "tools/call", params)
}

#[test]
fn a_yes_runs_the_call_once() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let state = ask(&mut peer, "send_mail", &invoice());
    let answer = retry(&mut peer, "send_mail", &invoice(), &state, &yes());
    assert_eq!((text(&answer), &result(&answer)["resultType"]), ("Sent.", &json!("complete"))); // case 182
    assert_eq!(lab.trail(), ["confirmation.issued", "call.started", "call.succeeded"]); // case 182

    let replay = retry(&mut peer, "send_mail", &invoice(), &state, &yes());
    assert_eq!(error(&replay), BAD_STATE);
    assert_eq!(lab.trail(), ["call.rejected confirmation_invalid consumed"]);
    assert_eq!(lab.ran.times(), 1); // case 182
}

#[test]
fn the_token_is_the_state_and_nothing_else() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    for (tool, arguments) in [("send_mail", invoice()), ("transfer", json!({}))] {
        let asked = peer.request(1, "tools/call", call(tool, &arguments));
        let mut shown = result(&asked).clone();
        let state = shown.as_object_mut().unwrap().remove("requestState").unwrap();
        assert!(state.as_str().unwrap().starts_with("mtb_"));
        assert!(!shown.to_string().contains("mtb_"), "{shown}");
    }
}

#[test]
fn arguments_are_compared_by_what_they_mean() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let state = ask(&mut peer, "open", &json!({"a": 1, "b": [true]}));
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"requestState":"{state}","inputResponses":{{"confirm":{}}},"name":"open","arguments":{{ "\u0062" : [ true ], "a" : 1.0 }},"_meta":{}}}}}"#,
        yes(),
        modern(json!({}))["_meta"]
    );
    let answers = peer.tell_text(&text);
    assert_eq!(crate::peer::text(&answers[0]), "Done.");
}

#[test]
fn a_no_of_any_kind_runs_nothing() {
    for (answer, detail) in [
        (json!({"action": "decline"}), "declined"), // case 183
        (json!({"action": "cancel"}), "dismissed"), // case 184
        (json!({"action": "accept", "content": {"confirm": false}}), "not_confirmed"), // case 185
        (json!({"action": "accept", "content": {"confirm": "true"}}), "not_confirmed"),
        (json!({"action": "accept"}), "not_confirmed"),
        (json!({"action": "perhaps"}), "not_confirmed"),
        (json!(7), "not_confirmed"),
        (json!(null), "not_confirmed"),
    ] {
        let lab = Lab::new();
        let mut peer = Peer::new(&lab);
        let state = ask(&mut peer, "send_mail", &invoice());
        let declined = retry(&mut peer, "send_mail", &invoice(), &state, &answer);
        assert!(text(&declined).contains("The user declined"), "{declined}"); // case 183
        assert_eq!(result(&declined).get("isError"), None);
        assert_eq!(result(&declined)["structuredContent"], json!({"status": "declined", "tool": "send_mail"})); // case 183
        assert_eq!(lab.trail(), ["confirmation.issued".to_owned(), format!("confirmation.declined {detail}")]);

        assert_eq!(error(&retry(&mut peer, "send_mail", &invoice(), &state, &yes())), BAD_STATE);
        assert_eq!(error(&retry(&mut peer, "send_mail", &invoice(), &state, &answer)), BAD_STATE);
        assert_eq!(lab.ran.times(), 0); // case 183
    }
}

#[test]
fn a_no_to_a_tool_with_an_output_schema_has_no_structured_content() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let state = ask(&mut peer, "transfer", &json!({}));
    let answer = retry(&mut peer, "transfer", &json!({}), &state, &json!({"action": "decline"}));
    assert!(crate::peer::failure(&answer).contains("The user declined"));
    assert_eq!(result(&answer).get("structuredContent"), None);
    assert_eq!(result(&answer)["_meta"][STATUS_META_KEY], json!({"status": "declined", "tool": "transfer"}));
}

#[test]
fn every_bad_state_reads_the_same() {
    let lab = Lab::new();
    let other = json!({"to": "eve@example.com", "subject": "Invoice 12"});
    for (tool, arguments, reason) in [
        ("send_mail", other, "arguments_mismatch"),
        ("send_mail", json!({"to": "nope"}), "arguments_mismatch"),
        ("send_letter", invoice(), "tool_mismatch"),
    ] {
        let mut peer = Peer::new(&lab);
        let state = ask(&mut peer, "send_mail", &invoice());
        lab.trail();
        assert_eq!(error(&retry(&mut peer, tool, &arguments, &state, &yes())), BAD_STATE, "{reason}");
        assert_eq!(lab.trail(), [format!("call.rejected confirmation_invalid {reason}")]);
    }

    let mut peer = Peer::new(&lab);
    let state = ask(&mut peer, "send_mail", &invoice());
    for answer in [yes(), json!({"action": "decline"}), json!(null)] {
        for state in [&format!("{state}-TAMPERED"), "", "mtb_nonesuch"] {
            assert_eq!(error(&retry(&mut peer, "send_mail", &invoice(), state, &answer)), BAD_STATE, "{state}");
        }
    }
    let mallory = Principal::new("mallory", ["editor"]).unwrap();
    let mut other = Peer::of(&lab, mallory, Transport::HTTP, options());
    lab.trail();
    assert_eq!(error(&retry(&mut other, "send_mail", &invoice(), &state, &yes())), BAD_STATE);
    assert_eq!(lab.trail(), ["call.rejected confirmation_invalid principal_mismatch"]);

    let state = ask(&mut peer, "send_mail", &invoice());
    lab.trail();
    lab.clock.advance(Duration::from_secs(300));
    assert_eq!(error(&retry(&mut peer, "send_mail", &invoice(), &state, &yes())), BAD_STATE);
    assert_eq!(lab.trail(), ["call.rejected confirmation_expired expired"]);
    assert_eq!(lab.ran.times(), 0);
}

#[test]
fn a_token_of_the_host_is_no_state() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let held = json!({"name": "send_mail", "arguments": invoice()});
    let held = peer.request(1, "tools/call", modern_with(held, json!({})));
    let token = result(&held)["_meta"][CONFIRMATION_META_KEY]["token"].as_str().unwrap();
    lab.trail();
    assert_eq!(error(&retry(&mut peer, "send_mail", &invoice(), token, &yes())), BAD_STATE);
    assert_eq!(lab.trail(), ["call.rejected confirmation_invalid carrier_mismatch"]);
}

#[test]
fn a_call_presents_one_confirmation() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let state = ask(&mut peer, "send_mail", &invoice());
    let mut params = call("send_mail", &invoice());
    params["requestState"] = json!(state);
    params["inputResponses"] = json!({"confirm": yes()});
    params["_meta"][CONFIRMATION_META_KEY] = json!({"token": state});
    assert_eq!(error(&peer.request(2, "tools/call", params)).0, -32602);
    // Both were presented, so both are spent.
    assert_eq!(error(&retry(&mut peer, "send_mail", &invoice(), &state, &yes())), BAD_STATE);
    assert_eq!(lab.ran.times(), 0);
}

#[test]
fn of_two_confirmations_both_are_spent() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let state = ask(&mut peer, "send_mail", &invoice());
    let plain = json!({"name": "send_mail", "arguments": invoice()});
    let held = peer.request(2, "tools/call", modern_with(plain, json!({})));
    let mut redeem = call("send_mail", &invoice());
    redeem["_meta"][CONFIRMATION_META_KEY] = json!({"token": result(&held)["_meta"][CONFIRMATION_META_KEY]["token"]});
    let mut both = redeem.clone();
    both["requestState"] = json!(state);
    both["inputResponses"] = json!({"confirm": yes()});
    lab.trail();
    assert_eq!(error(&peer.request(3, "tools/call", both)).0, -32602);
    assert_eq!(lab.trail(), ["confirmation.withdrawn misused", "confirmation.withdrawn misused"]);
    assert_eq!(error(&retry(&mut peer, "send_mail", &invoice(), &state, &yes())), BAD_STATE);
    assert_eq!(failure(&peer.request(4, "tools/call", redeem)), "This confirmation cannot be used. Nothing was done.");
    assert_eq!(lab.ran.times(), 0);
}

#[test]
fn a_state_is_spent_even_with_a_call_that_cannot_be_looked_at() {
    let spoil: [fn(&mut Value); 4] = [
        |params| params["arguments"] = json!([1]),
        |params| params["arguments"] = Value::Null,
        |params| params["name"] = json!(7),
        |params| params["_meta"]["progressToken"] = json!({}),
    ];
    for spoil in spoil {
        let lab = Lab::new();
        let mut peer = Peer::new(&lab);
        let state = ask(&mut peer, "send_mail", &invoice());
        let mut params = call("send_mail", &invoice());
        params["inputResponses"] = json!({"confirm": yes()});
        params["requestState"] = json!(state);
        spoil(&mut params);
        assert_eq!(error(&peer.request(2, "tools/call", params)).0, -32602);
        assert_eq!(lab.trail(), ["confirmation.issued", "confirmation.withdrawn misused"]);
        assert_eq!(error(&retry(&mut peer, "send_mail", &invoice(), &state, &yes())), BAD_STATE);
        assert_eq!(lab.ran.times(), 0);
    }
}

#[test]
fn a_state_that_comes_with_another_call_is_refused_and_spent_whatever_the_answer() {
    let mut other = invoice();
    other["subject"] = json!("Another invoice");
    for answer in
        [None, Some(json!({"action": "decline"})), Some(json!({"action": "cancel"})), Some(json!(7)), Some(yes())]
    {
        for (tool, arguments) in
            [("send_mail", other.clone()), ("send_mail", json!({})), ("open", json!({})), ("nonesuch", json!({}))]
        {
            let lab = Lab::new();
            let mut peer = Peer::new(&lab);
            let state = ask(&mut peer, "send_mail", &invoice());
            let mut params = call(tool, &arguments);
            params["requestState"] = json!(state);
            if let Some(answer) = &answer {
                params["inputResponses"] = json!({"confirm": answer});
            }
            let refused = peer.request(2, "tools/call", params);
            if tool != "nonesuch" {
                assert_eq!(error(&refused), BAD_STATE, "{tool} {answer:?}");
            }
            assert_eq!(error(&refused).0, -32602, "{tool} {answer:?}");
            assert_eq!(error(&retry(&mut peer, "send_mail", &invoice(), &state, &yes())), BAD_STATE);
            assert_eq!(lab.ran.times(), 0);
            assert!(lab.trail().iter().all(|event| !event.contains("declined") && !event.contains("withdrawn")));
        }
    }
}

#[test]
fn a_retry_without_the_answer_is_asked_again() {
    for responses in [None, Some(json!({})), Some(json!({"other": yes()}))] {
        let lab = Lab::new();
        let mut peer = Peer::new(&lab);
        let state = ask(&mut peer, "send_mail", &invoice());
        let mut params = call("send_mail", &invoice());
        params["requestState"] = json!(state);
        if let Some(responses) = responses {
            params["inputResponses"] = responses;
        }
        let again = peer.request(2, "tools/call", params);
        assert_eq!(result(&again)["resultType"], "input_required", "{again}");
        let fresh = result(&again)["requestState"].as_str().unwrap();
        assert_ne!(fresh, state);
        let trail = ["confirmation.issued", "confirmation.withdrawn elicitation_failed", "confirmation.issued"];
        assert_eq!(lab.trail(), trail);
        assert_eq!(error(&retry(&mut peer, "send_mail", &invoice(), &state, &yes())), BAD_STATE);
        assert_eq!(text(&retry(&mut peer, "send_mail", &invoice(), fresh, &yes())), "Sent.");
    }
}

#[test]
fn a_retry_that_can_no_longer_be_asked_gets_the_next_carrier() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let state = ask(&mut peer, "send_mail", &invoice());
    let params = json!({"name": "send_mail", "arguments": invoice(), "requestState": state});
    let held = peer.request(2, "tools/call", modern_with(params, json!({})));
    assert_eq!(result(&held)["structuredContent"]["status"], "confirmation_required");
    let token = &result(&held)["_meta"][CONFIRMATION_META_KEY]["token"];
    let redeem =
        json!({"name": "send_mail", "arguments": invoice(), "_meta": {CONFIRMATION_META_KEY: {"token": token}}});
    assert_eq!(text(&peer.request(3, "tools/call", modern_with(redeem, json!({})))), "Sent.");
}

#[test]
fn answers_without_a_state_are_no_answers() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let mut params = call("send_mail", &invoice());
    params["inputResponses"] = json!({"confirm": yes()});
    let asked = peer.request(1, "tools/call", params);
    assert_eq!(result(&asked)["resultType"], "input_required");
    assert_eq!((lab.ran.times(), lab.trail()), (0, vec!["confirmation.issued".to_owned()]));
}

#[test]
fn the_state_works_on_any_connection_of_the_principal() {
    let lab = Lab::new();
    let state = ask(&mut Peer::new(&lab), "send_mail", &invoice());
    let mut other = Peer::of(&lab, editor(), Transport::HTTP, options());
    assert_eq!(text(&retry(&mut other, "send_mail", &invoice(), &state, &yes())), "Sent.");
}

#[test]
fn an_older_revision_knows_no_state() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    let params = json!({"name": "send_mail", "arguments": invoice(), "requestState": 7, "inputResponses": "junk"});
    let held = peer.request(1, "tools/call", params);
    assert_eq!(result(&held)["structuredContent"]["status"], "confirmation_required");
}

#[test]
fn a_no_whose_tool_is_taken_away_meanwhile_learns_nothing_of_it() {
    for replacement in [None, Some(mails_of_admins())] {
        let lab = Lab::new();
        let mut peer = Peer::new(&lab);
        let state = ask(&mut peer, "send_mail", &invoice());
        let mut params = call("send_mail", &invoice());
        params["requestState"] = json!(state);
        params["inputResponses"] = json!({"confirm": {"action": "decline"}});
        let answers = peer.tell_before_its_end(&request(2, "tools/call", params), |_, _| {
            lab.registry.unregister("send_mail");
            lab.registry.register_all(replacement).unwrap();
        });
        assert_eq!((error(&answers[0]), answers.len()), ((-32602, "Unknown tool: send_mail"), 1));
    }
}

#[test]
fn a_no_about_a_tool_that_is_gone_learns_nothing_of_it() {
    for replacement in [None, Some(mails_of_admins())] {
        let lab = Lab::new();
        let mut peer = Peer::new(&lab);
        let state = ask(&mut peer, "send_mail", &invoice());
        lab.registry.unregister("send_mail");
        lab.registry.register_all(replacement).unwrap();
        let answer = retry(&mut peer, "send_mail", &invoice(), &state, &json!({"action": "decline"}));
        assert_eq!(error(&answer), BAD_STATE);
        let trail = lab.trail();
        assert_eq!(trail.len(), 2);
        assert!(matches!(&*trail[1], "call.rejected unknown_tool" | "call.rejected forbidden"), "{trail:?}");
    }
}

#[test]
fn a_no_learns_nothing_of_a_tool_that_changed_hands_before_the_answer() {
    let lab = Lab::new();
    let state = ask(&mut Peer::new(&lab), "send_mail", &invoice());
    let mut params = call("send_mail", &invoice());
    params["inputResponses"] = json!({"confirm": {"action": "decline"}});
    params["requestState"] = json!(state);
    let (options, progress) = (Arc::new(options()), Arc::new(|_, _| ()));
    let mut connection = Connection::new(lab.bridge.clone(), editor(), Transport::STDIO, options, progress);
    let mut actions = Actions::new();
    connection.receive(request(2, "tools/call", params).to_string().as_bytes(), &mut actions);
    let Some(Action::Start(task)) = actions.pop() else { panic!("nothing to do") };
    let done = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(task.work);
    lab.registry.unregister("send_mail");
    lab.registry.register(mails_of_admins()).unwrap();
    connection.finished(task.id, done, &mut actions);
    let Some(Action::Send(message)) = actions.pop() else { panic!("no answer") };
    let answer = serde_json::from_slice(message.as_bytes()).unwrap();
    assert_eq!(error(&answer), (-32602, "Unknown tool: send_mail"));
}
