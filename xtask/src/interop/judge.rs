//! Whether what a client saw is what the table expects.

use serde_json::Value;

use super::client::Mode;
use super::drive::{Outcome, Seen};
use super::scenario::{Expect, Scenario};

const CONFIRMATION: &str = "mcp-tool-bridge/confirmation";
const TOKEN: &str = "mtb_";

/// Every difference, in words; empty when there is none.
pub(super) fn judge(scenario: &Scenario, mode: &Mode, seen: &Seen) -> Vec<String> {
    let mut problems = Vec::new();
    if seen.protocol != mode.protocol {
        problems.push(format!("settled on {} instead of {}", seen.protocol, mode.protocol));
    }
    if seen.outcomes.len() != scenario.steps.len() {
        problems.push(format!("{} of {} steps were done", seen.outcomes.len(), scenario.steps.len()));
    }
    for (at, (step, outcome)) in scenario.steps.iter().zip(&seen.outcomes).enumerate() {
        let expect = step.expect();
        let mut found = judge_outcome(expect, outcome);
        if let Some((earlier, tool)) = expect.same_as.and_then(|earlier| twin(scenario, seen, earlier)) {
            let renamed = text_of(outcome).replace(step.tool().unwrap_or_default(), tool);
            if renamed != text_of(earlier) {
                found.push(format!("answers `{renamed}`, elsewhere `{}`", text_of(earlier)));
            }
        }
        problems.extend(found.into_iter().map(|problem| format!("step {}: {problem}", at + 1)));
    }
    if seen.questions.len() != scenario.asked {
        problems.push(format!("the person was asked {} times instead of {}", seen.questions.len(), scenario.asked));
    }
    for question in &seen.questions {
        let confirm = question.pointer("/requestedSchema/properties/confirm/type");
        if confirm.and_then(Value::as_str) != Some("boolean") || question.to_string().contains(TOKEN) {
            problems.push("the question does not ask for `confirm`, or shows a token".into());
        }
    }
    if seen.sends != scenario.sends {
        problems.push(format!("{} emails went out instead of {}", seen.sends, scenario.sends));
    }
    problems
}

fn twin<'a>(scenario: &'a Scenario, seen: &'a Seen, number: usize) -> Option<(&'a Outcome, &'a str)> {
    let at = number.checked_sub(1)?;
    Some((seen.outcomes.get(at)?, scenario.steps.get(at)?.tool()?))
}

fn judge_outcome(expect: &Expect, outcome: &Outcome) -> Vec<String> {
    let mut problems = Vec::new();
    let mut miss = |problem: String| problems.push(problem);
    let shown = without_meta(outcome);
    for word in expect.lacks.iter().map(String::as_str).chain([TOKEN]).filter(|word| shown.contains(word)) {
        miss(format!("the answer contains `{word}`"));
    }
    match outcome {
        Outcome::Failed { message } => miss(format!("the client gave up: {message}")),
        Outcome::Tools { tools } => {
            let names: Vec<&str> = tools.iter().filter_map(|tool| tool.get("name")?.as_str()).collect();
            match &expect.tools {
                Some(expected) if *expected == names => {}
                Some(expected) => miss(format!("lists {names:?} instead of {expected:?}")),
                None => miss("a list where none was expected".into()),
            }
        }
        Outcome::Error { code, message } => match expect.error_code {
            Some(expected) if expected == *code => {}
            Some(expected) => miss(format!("error {code} instead of {expected}")),
            None => miss(format!("error {code}, `{message}`")),
        },
        Outcome::Result { result } => {
            if let Some(code) = expect.error_code {
                miss(format!("a result instead of the error {code}"));
            }
            problems.extend(judge_result(expect, result));
        }
    }
    problems
}

fn judge_result(expect: &Expect, result: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let mut miss = |problem: String| problems.push(problem);
    let is_error = result.get("isError").and_then(Value::as_bool).unwrap_or(false);
    if expect.is_error.is_some_and(|expected| expected != is_error) {
        miss(format!("`isError` is {is_error}: `{}`", text(result)));
    }
    let lower = text(result).to_lowercase();
    for word in expect.text.iter().filter(|word| !lower.contains(&word.to_lowercase())) {
        miss(format!("the text lacks `{word}`: `{}`", text(result)));
    }
    for word in expect.text_lacks.iter().filter(|word| lower.contains(&word.to_lowercase())) {
        miss(format!("the text contains `{word}`: `{}`", text(result)));
    }
    let structured = result.get("structuredContent").unwrap_or(&Value::Null);
    for (pointer, expected) in &expect.structured {
        let found = structured.pointer(pointer);
        if found != Some(expected) {
            miss(format!("`{pointer}` of the structured content is {found:?} instead of {expected}"));
        }
    }
    for pointer in expect.structured_has.iter().filter(|pointer| structured.pointer(pointer).is_none()) {
        miss(format!("the structured content has no `{pointer}`"));
    }
    let confirmation = result.get("_meta").and_then(|meta| meta.get(CONFIRMATION));
    let field = |name: &str| confirmation.and_then(|given| given.get(name)?.as_str()).unwrap_or_default();
    match (expect.held, confirmation) {
        (false, Some(_)) => miss("a confirmation is pending where none should be".into()),
        (true, _) if !field("token").starts_with(TOKEN) => miss(format!("no token under `{CONFIRMATION}` of `_meta`")),
        (true, _) if field("expiresAt").is_empty() || field("callId").is_empty() => {
            miss("the pending confirmation lacks `expiresAt` or `callId`".into());
        }
        _ => {}
    }
    problems
}

/// All that the answer shows to a model.
fn without_meta(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Tools { tools } => tools.iter().map(Value::to_string).collect(),
        Outcome::Error { message, .. } | Outcome::Failed { message } => message.clone(),
        Outcome::Result { result } => {
            let mut result = result.clone();
            if let Some(fields) = result.as_object_mut() {
                fields.remove("_meta");
            }
            result.to_string()
        }
    }
}

/// The words of an answer, with what kind of answer it is.
fn text_of(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Error { code, message } => format!("{code} {message}"),
        other => without_meta(other),
    }
}

fn text(result: &Value) -> String {
    let blocks = result.get("content").and_then(Value::as_array).into_iter().flatten();
    blocks.filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::client::Mode;
    use super::super::drive::Seen;
    use super::super::scenario::parse;
    use super::judge;

    /// The differences that one call's outcome has from an expectation.
    fn check(expect: &str, outcome: &Value) -> Vec<String> {
        check_all(
            &format!("do = \"call\"\ntool = \"send\"\narguments = {{}}\nexpect = {{ {expect} }}"),
            &json!([outcome]),
            0,
        )
    }

    fn check_all(steps: &str, outcomes: &Value, sends: usize) -> Vec<String> {
        let text = format!("[[scenario]]\nname = \"a\"\nroles = \"r\"\n[[scenario.step]]\n{steps}\n");
        let mut seen: Seen =
            serde_json::from_value(json!({"protocol": "v", "questions": [], "outcomes": outcomes})).unwrap();
        seen.sends = sends;
        judge(&parse(&text).unwrap()[0], &Mode { name: "m".into(), protocol: "v".into() }, &seen)
    }

    fn result(fields: &Value) -> Value {
        json!({"kind": "result", "result": fields})
    }

    #[test]
    fn misses_what_differs() {
        let error = json!({"kind": "error", "code": -32601, "message": "no"});
        let plain = result(&json!({"content": [{"type": "text", "text": "Refused: Expired"}], "isError": true}));
        let pending = result(&json!({"content": [], "_meta": {"mcp-tool-bridge/confirmation": {"token": "mtb_x"}}}));
        let leaking = result(&json!({"content": [{"type": "text", "text": "use mtb_x"}]}));
        for (expect, outcome) in [
            ("error_code = -32602", &error),
            ("is_error = false", &error),
            ("error_code = -32602", &plain),
            ("is_error = false", &plain),
            ("text = [\"/query\"]", &plain),
            ("text_lacks = [\"expir\"]", &plain),
            ("lacks = [\"Refused\"]", &plain),
            ("held = true", &plain),
            ("structured = { \"/a\" = 1 }", &plain),
            ("structured_has = [\"/a\"]", &plain),
            ("is_error = false", &pending),
            ("held = true", &pending),
            ("is_error = false", &leaking),
            ("", &json!({"kind": "failed", "message": "schema"})),
            ("", &json!({"kind": "tools", "tools": []})),
        ] {
            assert_eq!(check(expect, outcome).len(), 1, "{expect} {outcome}: {:?}", check(expect, outcome));
        }
    }

    #[test]
    fn accepts_what_fits() {
        let confirmation = json!({"token": "mtb_x", "expiresAt": "2026-01-01T00:00:00Z", "callId": "c"});
        for (expect, outcome) in [
            ("error_code = -32602", json!({"kind": "error", "code": -32602, "message": "no"})),
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
        assert_eq!(check_all(steps, &outcomes("unknown tool: send"), 0), [""; 0]);
        assert_eq!(check_all(steps, &outcomes("forbidden tool: send"), 0).len(), 1);
    }

    #[test]
    fn counts_steps_questions_and_side_effects() {
        let list = "do = \"list\"\nexpect = { tools = [] }";
        let tools = json!([{"kind": "tools", "tools": []}]);
        assert_eq!(check_all(list, &tools, 0), [""; 0]);
        assert_eq!(check_all(list, &tools, 1), ["1 emails went out instead of 0"]);
        assert_eq!(check_all(list, &json!([]), 0), ["0 of 1 steps were done"]);
        assert_eq!(
            check_all(&list.replace("do =", "\ndo ="), &json!([{"kind": "tools", "tools": [{"name": "a"}]}]), 0).len(),
            1
        );
    }
}
