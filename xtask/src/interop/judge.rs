//! Whether what a client saw is what the table expects.

use std::collections::BTreeSet;

use serde_json::Value;

use super::client::Mode;
use super::drive::{Outcome, Seen};
use super::scenario::{Expect, Scenario, Step};

const CONFIRMATION: &str = "mcp-tool-bridge/confirmation";
const TOKEN: &str = "mtb_";
/// A hundred calls that fail alike are not told a hundred times.
const SHOWN_PROBLEMS: usize = 3;

#[cfg(test)]
mod tests;

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
        let expect = step.expect(mode);
        let mut found = judge_step(step, mode, outcome);
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
    if seen.effects != scenario.effects {
        problems.push(format!("the effects are {:?} instead of {:?}", seen.effects, scenario.effects));
    }
    if let Some(audit) = scenario.audit.as_ref().filter(|audit| **audit != seen.audit) {
        problems.push(format!("the audit has {:?} instead of {audit:?}", seen.audit));
    }
    problems
}

fn twin<'a>(scenario: &'a Scenario, seen: &'a Seen, number: usize) -> Option<(&'a Outcome, &'a str)> {
    let at = number.checked_sub(1)?;
    Some((seen.outcomes.get(at)?, scenario.steps.get(at)?.tool()?))
}

fn judge_step(step: &Step, mode: &Mode, outcome: &Outcome) -> Vec<String> {
    let expect = step.expect(mode);
    match (step, outcome) {
        (Step::Listen { .. } | Step::Changed { .. }, Outcome::Done) => Vec::new(),
        (Step::Listen { .. } | Step::Changed { .. }, other) => vec![format!("came to {}", text_of(other))],
        (Step::Parallel { count, .. }, Outcome::Many { outcomes }) => judge_many(expect, mode, *count, outcomes),
        (_, Outcome::Done | Outcome::Many { .. }) => vec!["another kind of outcome was expected".into()],
        _ => judge_outcome(expect, mode, outcome),
    }
}

fn judge_many(expect: &Expect, mode: &Mode, count: usize, outcomes: &[Outcome]) -> Vec<String> {
    let mut problems: Vec<String> =
        outcomes.iter().flat_map(|outcome| judge_outcome(expect, mode, outcome)).take(SHOWN_PROBLEMS).collect();
    if outcomes.len() != count {
        problems.push(format!("{} of {count} answers came", outcomes.len()));
    }
    if let Some(pointer) = &expect.distinct {
        let values: BTreeSet<String> =
            outcomes.iter().filter_map(|outcome| Some(payload(outcome)?.pointer(pointer)?.to_string())).collect();
        if values.len() != count {
            problems.push(format!("`{pointer}` has {} values instead of {count}", values.len()));
        }
    }
    problems
}

/// What a program reads of a result: its structured content, or, where there is none, its text as JSON.
fn payload(outcome: &Outcome) -> Option<Value> {
    let Outcome::Result { result, .. } = outcome else { return None };
    let structured = result.get("structuredContent").cloned();
    structured.or_else(|| serde_json::from_str(&text(result)).ok())
}

fn judge_outcome(expect: &Expect, mode: &Mode, outcome: &Outcome) -> Vec<String> {
    let mut problems = Vec::new();
    let mut miss = |problem: String| problems.push(problem);
    let shown = without_meta(outcome);
    for word in expect.lacks.iter().map(String::as_str).chain([TOKEN]).filter(|word| shown.contains(word)) {
        miss(format!("the answer contains `{word}`"));
    }
    match outcome {
        Outcome::Failed { .. } | Outcome::Error { .. } if expect.unanswered => {}
        Outcome::Failed { message } => miss(format!("the client gave up: {message}")),
        Outcome::Server { server } => {
            for (pointer, expected) in &expect.server {
                let found = server.pointer(pointer);
                if found != Some(expected) {
                    miss(format!("`{pointer}` of the server is {found:?} instead of {expected}"));
                }
            }
            if expect.server.is_empty() {
                miss("a server where none was asked for".into());
            }
        }
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
        Outcome::Result { result, progress } => {
            if let Some(code) = expect.error_code {
                miss(format!("a result instead of the error {code}"));
            }
            if expect.unanswered {
                miss("an answer where none was expected".into());
            }
            if let Some(count) = expect.progress
                && (progress.len() != count || !progress.is_sorted_by(|earlier, later| earlier < later))
            {
                miss(format!("the progress was {progress:?} instead of {count} growing numbers"));
            }
            problems.extend(judge_result(expect, mode, result));
        }
        Outcome::Many { .. } | Outcome::Done => miss("no answer".into()),
    }
    problems
}

fn judge_result(expect: &Expect, mode: &Mode, result: &Value) -> Vec<String> {
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
    let structured = result.get("structuredContent").filter(|content| !content.is_null());
    if mode.has_structured_content() {
        for (pointer, expected) in &expect.structured {
            let found = structured.and_then(|content| content.pointer(pointer));
            if found != Some(expected) {
                miss(format!("`{pointer}` of the structured content is {found:?} instead of {expected}"));
            }
        }
        let has = |pointer: &str| structured.is_some_and(|content| content.pointer(pointer).is_some());
        for pointer in expect.structured_has.iter().filter(|pointer| !has(pointer)) {
            miss(format!("the structured content has no `{pointer}`"));
        }
    }
    if structured.is_some() && (expect.unstructured || !mode.has_structured_content()) {
        miss("structured content where there should be none".into());
    }
    let meta = result.get("_meta");
    for (pointer, expected) in &expect.meta {
        let found = meta.and_then(|meta| meta.pointer(pointer));
        if found != Some(expected) {
            miss(format!("`{pointer}` of `_meta` is {found:?} instead of {expected}"));
        }
    }
    let confirmation = meta.and_then(|meta| meta.get(CONFIRMATION));
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
        Outcome::Server { server } => server.to_string(),
        Outcome::Tools { tools } => tools.iter().map(Value::to_string).collect(),
        Outcome::Error { message, .. } | Outcome::Failed { message } => message.clone(),
        Outcome::Result { result, .. } => {
            let mut result = result.clone();
            if let Some(fields) = result.as_object_mut() {
                fields.remove("_meta");
            }
            result.to_string()
        }
        Outcome::Many { outcomes } => outcomes.iter().map(without_meta).collect(),
        Outcome::Done => String::new(),
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
