use std::io;
use std::sync::{Arc, Mutex};

use mtb_adapt::{Envelope, adapt, adapt_blocking};
use mtb_bridge::{Arguments, Call, CallOutcome, Failure, JsonSchema, Tool, ToolDraft, ToolError};
use serde_json::{Value, json};

use crate::lab::{Lab, completed, harmless};

#[derive(Clone, PartialEq, Debug)]
struct Action {
    user_id: String,
    data: String,
}

struct Reply {
    success: bool,
    id: String,
    error: Option<String>,
}

/// The existing service: it remembers what it was asked.
#[derive(Clone, Default)]
struct Service(Arc<Mutex<Vec<Action>>>);

impl Service {
    fn execute(&self, action: Action) -> io::Result<Reply> {
        let data: Value = serde_json::from_str(&action.data).unwrap();
        self.0.lock().unwrap().push(action);
        match data["invoiceId"].as_str().unwrap() {
            "INV-0" => Ok(Reply { success: false, id: String::new(), error: Some("Unknown invoice.".to_owned()) }),
            "INV-99" => Err(io::Error::other("ECONNREFUSED db.internal:5432")),
            "INV-666" => panic!("db.internal is on fire"),
            id => Ok(Reply { success: true, id: id.to_owned(), error: None }),
        }
    }

    fn calls(&self) -> Vec<Action> {
        self.0.lock().unwrap().clone()
    }
}

fn envelope() -> Envelope<Reply> {
    Envelope::new(|reply: &Reply| reply.success, |reply| json!({"id": reply.id})).message(|reply| reply.error.clone())
}

#[expect(clippy::unnecessary_wraps, reason = "an input mapper may fail")]
fn action(arguments: Arguments, call: &Call) -> Result<Action, mtb_bridge::HandlerError> {
    let mut data = arguments.into_value();
    data["service"] = json!("billing");
    Ok(Action { user_id: call.principal().id().to_string(), data: data.to_string() })
}

fn schema() -> JsonSchema {
    JsonSchema::value(json!({
        "type": "object",
        "properties": {"invoiceId": {"type": "string", "pattern": "^INV-[0-9]+$"}},
        "required": ["invoiceId"],
        "additionalProperties": false,
    }))
}

fn tools(service: &Service) -> [ToolDraft; 2] {
    let envelope = [envelope(), envelope()].map(Arc::new);
    let [reads, blocks] = envelope.map(|envelope| move |reply: io::Result<Reply>| envelope.read(reply?));
    let (asynchronous, blocking) = (service.clone(), service.clone());
    let running = move |action| {
        let service = asynchronous.clone();
        async move { service.execute(action) }
    };
    [
        Tool::declare("pay", "Pays an invoice.", schema(), harmless())
            .handler(adapt(running).input(action).output(reads)),
        Tool::declare("pay_blocking", "Pays an invoice.", schema(), harmless())
            .handler(adapt_blocking(move |action| blocking.execute(action)).input(action).output(blocks)),
    ]
}

fn lab(service: &Service) -> Lab {
    Lab::new(tools(service).map(|tool| tool.build().unwrap()).into())
}

#[tokio::test]
async fn arguments_that_do_not_fit_never_reach_the_existing_function() {
    let service = Service::default();
    let lab = lab(&service);
    for tool in ["pay", "pay_blocking"] {
        for arguments in [json!({"invoice": "INV-7"}), json!({"invoiceId": "7"}), json!({})] {
            assert_eq!(lab.call(tool, arguments).await.status(), "invalid_arguments"); // case 32
        }
    }
    assert_eq!(service.calls(), []);
}

#[tokio::test]
async fn a_failure_of_the_existing_function_is_told_generically() {
    let service = Service::default();
    let lab = lab(&service);
    for tool in ["pay", "pay_blocking"] {
        for (invoice, kind) in [("INV-99", "exception"), ("INV-666", "exception")] {
            let outcome = lab.call(tool, json!({"invoiceId": invoice})).await;
            assert!(!format!("{outcome:?}").contains("db.internal"));
            let CallOutcome::ToolError { failure, .. } = outcome else { panic!("{outcome:?}") };
            assert_eq!(failure, Failure::Internal); // case 34
            assert_eq!(lab.last_event()["error"]["kind"], kind);
            assert!(!lab.last_event().to_string().contains("db.internal"));
        }
    }
    assert_eq!(service.calls().len(), 4);
}

#[tokio::test]
async fn a_failure_of_the_input_mapper_calls_nothing() {
    let service = Service::default();
    let seen = service.clone();
    let handler = adapt_blocking(move |action| seen.execute(action))
        .input(|arguments: Arguments, _: &Call| {
            Ok(Action { user_id: arguments.string("undeclared")?.to_owned(), data: String::new() })
        })
        .output(|reply| envelope().read(reply?));
    let lab = Lab::new(vec![Tool::declare("pay", "Pays.", schema(), harmless()).handler(handler).build().unwrap()]);
    let outcome = lab.call("pay", json!({"invoiceId": "INV-7"})).await;
    assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Internal, .. }), "{outcome:?}");
    assert_eq!(service.calls(), []);
}

#[tokio::test]
async fn a_failed_envelope_is_told_in_its_words() {
    let lab = lab(&Service::default());
    for tool in ["pay", "pay_blocking"] {
        let outcome = lab.call(tool, json!({"invoiceId": "INV-0"})).await;
        let CallOutcome::ToolError { failure, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(failure, Failure::Tool(ToolError::new("Unknown invoice."))); // case 33
    }
}

#[tokio::test]
async fn the_existing_function_gets_its_own_input_shape() {
    let service = Service::default();
    let lab = lab(&service);
    for tool in ["pay", "pay_blocking"] {
        let result = completed(lab.call(tool, json!({"invoiceId": "INV-7"})).await);
        assert_eq!(result.structured, Some(json!({"id": "INV-7"}))); // case 31
    }
    let calls = service.calls();
    assert_eq!(calls.len(), 2);
    for Action { user_id, data } in calls {
        assert_eq!(user_id, "alice");
        let data: Value = serde_json::from_str(&data).unwrap();
        assert_eq!(data, json!({"service": "billing", "invoiceId": "INV-7"}));
    }
}

#[tokio::test]
async fn a_function_that_returns_an_envelope_needs_no_mapper() {
    let handler = adapt(|id: String| async move { Reply { success: !id.is_empty(), id, error: None } })
        .input(|arguments: Arguments, _: &Call| Ok(arguments.string("invoiceId")?.to_owned()))
        .envelope(envelope());
    let lab = Lab::new(vec![Tool::declare("pay", "Pays.", schema(), harmless()).handler(handler).build().unwrap()]);
    let result = completed(lab.call("pay", json!({"invoiceId": "INV-7"})).await);
    assert_eq!(result.structured, Some(json!({"id": "INV-7"})));
}
