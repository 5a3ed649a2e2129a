use serde_json::{Value, json};

use super::super::client::Mode;
use super::super::drive::Seen;
use super::super::scenario::parse;
use super::judge;

const NEW: &str = "2025-11-25";

/// The differences that one call's outcome has from an expectation.
fn check(expect: &str, outcome: &Value) -> Vec<String> {
    check_in(NEW, expect, outcome)
}

fn check_in(version: &str, expect: &str, outcome: &Value) -> Vec<String> {
    let step = format!("do = \"call\"\ntool = \"send\"\narguments = {{}}\nexpect = {{ {expect} }}");
    check_all(version, &step, &json!([outcome]), "")
}

fn check_all(version: &str, steps: &str, outcomes: &Value, effect: &str) -> Vec<String> {
    let text = format!(
        "[[scenario]]\nname = \"a\"\neffects = {{ sent = 1 }}\naudit = [\"call.started\"]\n[[scenario.step]]\n{steps}\n"
    );
    let mut seen: Seen =
        serde_json::from_value(json!({"protocol": version, "questions": [], "outcomes": outcomes})).unwrap();
    seen.effects.insert("sent".into(), 1);
    seen.audit.push("call.started".into());
    if !effect.is_empty() {
        seen.effects.insert(effect.into(), 1);
        seen.audit.push(effect.into());
    }
    judge(&parse(&text).unwrap()[0], &Mode { name: "m".into(), protocol: version.into() }, &seen)
}

fn result(fields: &Value) -> Value {
    json!({"kind": "result", "result": fields, "progress": [1, 2, 2]})
}

#[test]
fn misses_what_differs() {
    let error = json!({"kind": "error", "code": -32601, "message": "no"});
    let plain = result(&json!({"content": [{"type": "text", "text": "Refused: Expired"}], "isError": true}));
    let pending = result(&json!({"content": [], "_meta": {"mcp-tool-bridge/confirmation": {"token": "mtb_x"}}}));
    let leaking = result(&json!({"content": [{"type": "text", "text": "use mtb_x"}]}));
    let structured = result(&json!({"content": [], "structuredContent": {"a": 1}}));
    for (expect, outcome) in [
        ("error_code = -32602", &error),
        ("is_error = false", &error),
        ("error_code = -32602", &plain),
        ("unanswered = true", &plain),
        ("is_error = false", &plain),
        ("text = [\"/query\"]", &plain),
        ("text_lacks = [\"expir\"]", &plain),
        ("lacks = [\"Refused\"]", &plain),
        ("held = true", &plain),
        ("structured = { \"/a\" = 1 }", &plain),
        ("structured_has = [\"/a\"]", &plain),
        ("unstructured = true", &structured),
        ("meta = { \"/a\" = 1 }", &plain),
        ("progress = 2", &plain),
        ("progress = 3", &plain),
        ("is_error = false", &pending),
        ("held = true", &pending),
        ("is_error = false", &leaking),
        ("", &json!({"kind": "failed", "message": "schema"})),
        ("", &json!({"kind": "tools", "tools": []})),
        ("server = { \"/name\" = \"b\" }", &json!({"kind": "server", "server": {"name": "a"}})),
        ("", &json!({"kind": "server", "server": {"name": "a"}})),
        ("", &json!({"kind": "done"})),
        ("", &json!({"kind": "many", "outcomes": []})),
    ] {
        assert_eq!(check(expect, outcome).len(), 1, "{expect} {outcome}: {:?}", check(expect, outcome));
    }
    assert_eq!(check_in("2025-03-26", "", &structured).len(), 1);
}

#[test]
fn accepts_what_fits() {
    let confirmation = json!({"token": "mtb_x", "expiresAt": "2026-01-01T00:00:00Z", "callId": "c"});
    for (expect, outcome) in [
        ("error_code = -32602", json!({"kind": "error", "code": -32602, "message": "no"})),
        ("unanswered = true", json!({"kind": "error", "code": -32601, "message": "no"})),
        ("unanswered = true", json!({"kind": "failed", "message": "no"})),
        ("server = { \"/name\" = \"a\" }", json!({"kind": "server", "server": {"name": "a"}})),
        ("progress = 2", json!({"kind": "result", "result": {"content": []}, "progress": [1, 2.5]})),
        ("meta = { \"/a~1b/c\" = 1 }", result(&json!({"content": [], "_meta": {"a/b": {"c": 1}}}))),
        (
            "is_error = false, held = true, structured = { \"/status\" = \"s\" }, text = [\"WAIT\"]",
            result(&json!({
                "content": [{"type": "text", "text": "wait"}], "structuredContent": {"status": "s"},
                "_meta": {"mcp-tool-bridge/confirmation": confirmation},
            })),
        ),
        ("structured_has = [\"/a/b\"]", result(&json!({"content": [], "structuredContent": {"a": {"b": 1}}}))),
    ] {
        assert_eq!(check(expect, &outcome), [""; 0], "{expect}");
    }
    // Older versions have no structured content to look into.
    assert_eq!(check_in("2025-03-26", "structured = { \"/a\" = 1 }", &result(&json!({"content": []}))), [""; 0]);
}

#[test]
fn the_same_answer_apart_from_the_name() {
    let steps = "do = \"call\"\ntool = \"none\"\narguments = {}\nexpect = { error_code = 1 }\n\
        [[scenario.step]]\ndo = \"call\"\ntool = \"send\"\narguments = {}\nexpect = { error_code = 1, same_as = 1 }";
    let outcomes = |second: &str| {
        json!([
            {"kind": "error", "code": 1, "message": "unknown tool: none"},
            {"kind": "error", "code": 1, "message": second},
        ])
    };
    assert_eq!(check_all(NEW, steps, &outcomes("unknown tool: send"), ""), [""; 0]);
    assert_eq!(check_all(NEW, steps, &outcomes("forbidden tool: send"), "").len(), 1);
}

#[test]
fn counts_steps_effects_and_events() {
    let list = "do = \"list\"\nexpect = { tools = [] }";
    let tools = json!([{"kind": "tools", "tools": []}]);
    assert_eq!(check_all(NEW, list, &tools, ""), [""; 0]);
    assert_eq!(
        check_all(NEW, list, &tools, "moved"),
        [
            "the effects are {\"moved\": 1, \"sent\": 1} instead of {\"sent\": 1}",
            "the audit has [\"call.started\", \"moved\"] instead of [\"call.started\"]",
        ]
    );
    assert_eq!(check_all(NEW, list, &json!([]), ""), ["0 of 1 steps were done"]);
    assert_eq!(check_all(NEW, list, &json!([{"kind": "tools", "tools": [{"name": "a"}]}]), "").len(), 1);
}

#[test]
fn what_was_waited_for_must_have_come() {
    for step in ["do = \"listen\"", "do = \"changed\""] {
        assert_eq!(check_all(NEW, step, &json!([{"kind": "done"}]), ""), [""; 0]);
        assert_eq!(check_all(NEW, step, &json!([{"kind": "failed", "message": "no news"}]), "").len(), 1);
    }
}

#[test]
fn parallel_calls_all_have_an_answer_of_their_own() {
    let step = "do = \"parallel\"\ntool = \"t\"\narguments = {}\ncount = 2\n\
        expect = { is_error = false, distinct = \"/n\" }";
    let answer = |n: u8| json!({"kind": "result", "result": {"content": [], "structuredContent": {"n": n}}});
    let older = json!({"kind": "result", "result": {"content": [{"type": "text", "text": "{\"n\":2}"}]}});
    let many = |outcomes: &[Value]| check_all(NEW, step, &json!([{"kind": "many", "outcomes": outcomes}]), "");
    assert_eq!(many(&[answer(1), answer(2)]), [""; 0]);
    assert_eq!(many(&[answer(1), older]), [""; 0]);
    assert_eq!(many(&[answer(1), answer(1)]).len(), 1);
    assert_eq!(many(&[answer(1)]).len(), 2);
    assert_eq!(many(&[answer(1), json!({"kind": "failed", "message": "lost"})]).len(), 2);
}
