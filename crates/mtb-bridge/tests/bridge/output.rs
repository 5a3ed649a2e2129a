//! Results of tools that declare an output schema.

use mtb_bridge::{CallOutcome, Failure, JsonSchema, Tool, ToolResult, json, text};
use mtb_core::Retain;
use serde_json::json;

use crate::canary::Logs;
use crate::lab::{Lab, harmless, reader};

const SECRET: &str = "c4n4ry";

fn answers(answer: ToolResult, retain: Retain) -> Lab {
    let output = JsonSchema::value(json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}, "rows": {"type": "array", "items": {"maxLength": 3, "type": "string"}}},
        "required": ["n"],
        "additionalProperties": false,
    }));
    let tool = Tool::declare("tool", "A tool.", JsonSchema::no_arguments(), harmless("reader"));
    Lab::new([tool.output(&output).retain(retain).handler(move |_, _| {
        let answer = answer.clone();
        async move { Ok(answer) }
    })])
}

/// Checks that an answer is withheld, and what the operator learns: from the log, and from an audit that keeps errors.
async fn withheld(answer: ToolResult, declared: &str, place: &str) {
    for (retain, kept) in [(Retain::nothing(), false), (Retain::nothing().errors(), true)] {
        let logs = Logs::default();
        let _capture = tracing::subscriber::set_default(logs.clone());
        let lab = answers(answer.clone(), retain);
        let outcome = lab.call(&reader(), "tool", json!({})).await;
        let CallOutcome::ToolError { failure, .. } = &outcome else { panic!("{outcome:?}") };
        assert_eq!(*failure, Failure::InvalidOutput);
        let last = lab.last();
        assert_eq!((&last["type"], &last["error"]["kind"]), (&json!("call.failed"), &json!("invalid_output")));
        let message = last["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(message.contains(place), kept, "{message}");
        assert!(logs.holds(&format!("a result of tool `tool` was withheld: {declared}")), "{declared}");
        assert!(!logs.holds(SECRET) && !format!("{outcome:?}").contains(SECRET));
    }
}

#[tokio::test]
async fn a_result_that_does_not_fit_is_withheld_and_the_operator_learns_where() {
    const MISFIT: &str = "the structured content does not fit the output schema:";
    for (structured, declared, place) in [
        (json!({"n": SECRET}), "`type` at `/properties/n/type`", "`/n` must be an integer, not a string"),
        (json!({"n": "1"}), "`type` at `/properties/n/type`", "`/n` must be an integer, not a string"),
        (json!({"n": null}), "`type` at `/properties/n/type`", "`/n` must be an integer, not null"),
        (json!({"n": 1, SECRET: 2}), "`additionalProperties` at `/additionalProperties`", "`/c4n4ry` "),
        (json!({"n": 1, "rows": ["abc", SECRET]}), "`maxLength` at `/properties/rows/items/maxLength`", "`/rows/1` "),
        (json!([SECRET]), "`type` at `/type`", "`` must be an object, not an array"),
    ] {
        withheld(json(structured), &format!("{MISFIT} {declared}"), place).await;
    }
    let none = "the tool declares an output schema and answered without structured content";
    withheld(text(SECRET), none, none).await;
    withheld(ToolResult::blocks(Vec::new()), none, none).await;
}

#[tokio::test]
async fn what_fits_leaves_as_it_is_and_a_failure_need_not_fit() {
    let lab = |answer: &ToolResult| answers(answer.clone(), Retain::nothing());
    for answer in [
        json(json!({"n": 1.0, "rows": []})),
        text("said otherwise").with_structured(json!({"n": 2})),
        text("no such invoice").as_error(),
        json(json!({"reason": "closed"})).as_error(),
    ] {
        let outcome = lab(&answer).call(&reader(), "tool", json!({})).await;
        let CallOutcome::Completed { result, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(result, answer);
    }
}
