use mtb_adapt::Envelope;
use mtb_bridge::{
    CallOutcome, Failure, HandlerError, JsonSchema, Tool, ToolError, ToolResult, json as json_result, text,
};
use serde_json::json;

use crate::lab::{Lab, completed, harmless};

struct Legacy {
    success: bool,
    data: Option<&'static str>,
    error: Option<&'static str>,
}

impl Legacy {
    const fn failed(error: Option<&'static str>) -> Self {
        Self { success: false, data: None, error }
    }
}

fn envelope() -> Envelope<Legacy> {
    Envelope::new(|legacy: &Legacy| legacy.success, |legacy| json!({"id": legacy.data}))
        .message(|legacy| legacy.error.map(str::to_owned))
}

type Read = fn() -> Result<ToolResult, HandlerError>;

/// What the model reads of an envelope, through the whole path.
async fn failure_of(tool: &'static str, read: Read) -> Failure {
    let tool = Tool::declare(tool, "Reads an envelope.", JsonSchema::no_arguments(), harmless());
    let lab = Lab::new(vec![tool.handler(move |_, _| async move { read() }).build().unwrap()]);
    let name = lab.bridge.registry().list()[0].declaration().name().to_string();
    match lab.call(&name, json!({})).await {
        CallOutcome::ToolError { failure, .. } => failure,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_failed_envelope_becomes_its_message() {
    let said = |text: &str| Failure::Tool(ToolError::new(text));
    let quota = || envelope().read(Legacy::failed(Some("Quota exceeded.")));
    assert_eq!(failure_of("quota", quota).await, said("Quota exceeded.")); // case 28
    let silent: [(Read, &str); 4] = [
        (|| envelope().read(Legacy::failed(None)), "The operation failed."), // case 28
        (|| envelope().read(Legacy::failed(Some(" \n"))), "The operation failed."),
        (|| envelope().default_message("Not now.").read(Legacy::failed(None)), "Not now."),
        // A failed envelope that carries data gives none of it.
        (|| envelope().read(Legacy { success: false, data: Some("x1"), error: None }), "The operation failed."),
    ];
    for (silent, text) in silent {
        assert_eq!(failure_of("silent", silent).await, said(text));
    }
}

#[test]
fn a_successful_envelope_becomes_the_answer() {
    let answer = envelope().read(Legacy { success: true, data: Some("x1"), error: None }).unwrap();
    assert!(answer == json_result(json!({"id": "x1"}))); // case 27
    // A message beside success is none of the model's business.
    let answer = envelope().read(Legacy { success: true, data: Some("x1"), error: Some("warned") }).unwrap();
    assert!(answer == json_result(json!({"id": "x1"})));
}

#[tokio::test]
async fn any_two_fields_can_be_an_envelope() {
    fn read((ok, detail): (bool, &'static str)) -> Result<ToolResult, HandlerError> {
        Envelope::new(|(ok, _): &(bool, &str)| *ok, |(_, detail)| text(detail))
            .message(|(_, detail)| Some((*detail).to_owned()))
            .read((ok, detail))
    }
    let failure = failure_of("archive", || read((false, "Already archived."))).await;
    assert_eq!(failure, Failure::Tool(ToolError::new("Already archived."))); // case 29
    assert!(read((true, "Archived.")).unwrap() == text("Archived."));
}

#[tokio::test]
async fn envelopes_pass_the_whole_path() {
    let schema = JsonSchema::value(json!({
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "additionalProperties": false,
    }));
    let create =
        Tool::declare("create", "Creates a thing.", schema, harmless()).handler(|arguments, _call| async move {
            envelope().read(match arguments.string("name")? {
                "taken" => Legacy::failed(Some("That name is taken.")),
                _ => Legacy { success: true, data: Some("c1"), error: None },
            })
        });
    let lab = Lab::new(vec![create.build().unwrap()]);

    let outcome = lab.call("create", json!({"name": "taken"})).await;
    let CallOutcome::ToolError { failure, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(failure, Failure::Tool(ToolError::new("That name is taken.")));
    let event = lab.last_event();
    assert_eq!((&event["type"], &event["error"]["kind"]), (&json!("call.failed"), &json!("tool_error"))); // case 30
    // The declaration keeps no error texts.
    assert!(!event.to_string().contains("taken"), "{event}");

    let result = completed(lab.call("create", json!({"name": "free"})).await);
    assert_eq!(result.structured, Some(json!({"id": "c1"})));
}
