use std::time::Duration;

use mtb_audit::MemorySink;
use mtb_bridge::{
    Bridge, Call, CallOptions, CallRequest, HostContext, JsonSchema, Tool, ToolBuilder, ToolError, ToolRegistry, json,
};
use mtb_core::{CanonicalJson, Retain, Transport};
use serde_json::{Value, json};

use crate::lab::{Lab, Setup, answers, dangerous, harmless, invoices, json_of, reader};

const PRIVATE: [&str; 4] = ["private body", "hunter2", "Invoice 12", "ada@example.com"];

fn mail() -> Value {
    json!({"to": "ada@example.com", "subject": "Invoice 12", "body": "private body", "password": "hunter2"})
}

fn mail_schema() -> JsonSchema {
    let text = json!({"type": "string"});
    JsonSchema::value(json!({
        "type": "object",
        "properties": {"to": text, "subject": text, "body": text, "password": text},
        "required": ["to"],
        "additionalProperties": false,
    }))
}

fn send_mail(role: &str) -> ToolBuilder {
    Tool::declare("send_mail", "Sends mail.", mail_schema(), harmless(role))
}

struct App;
impl HostContext for App {}

#[tokio::test]
async fn two_events_tell_of_a_call_and_nothing_of_its_content() {
    let registry = ToolRegistry::<App>::new();
    let tool = send_mail("reader").handler(|_, _: Call<App>| async { Ok(json(json!({"messageId": "m-1"}))) });
    registry.register(tool).unwrap();
    let sink = MemorySink::default();
    let clock = Lab::new(Vec::new()).clock;
    let slow = clock.clone();
    let bridge = Bridge::builder_with_context(registry, move |_| {
        slow.advance(Duration::from_millis(25));
        async { Ok(App) }
    });
    let bridge = Setup::default().apply(bridge, &sink).clock(clock).build();
    let options = CallOptions::new().transport(Transport::STDIO);
    let outcome = bridge.call_tool(&reader(), CallRequest::new("send_mail", mail()).with_options(options)).await;
    assert_eq!(outcome.status(), "ok");
    let [started, ended] = json_of(&sink.events()).try_into().unwrap(); // case 74
    let digest = CanonicalJson::from_value(&mail(), &mtb_core::json::Limits::default()).unwrap().digest().to_string();
    for event in [&started, &ended] {
        assert_eq!(event["callId"], outcome.call_id().to_string());
        assert_eq!(event["transport"], "stdio");
        assert_eq!(event["principal"], json!({"id": "alice", "roles": ["reader"]}));
        assert_eq!(event["tool"], "send_mail");
        assert_eq!(event["argsDigest"], digest);
        assert!(event.get("args").is_none());
        assert!(PRIVATE.iter().all(|text| !event.to_string().contains(text)), "{event}");
    }
    assert_eq!((&started["type"], &started["confirmed"]), (&json!("call.started"), &json!(false)));
    assert_eq!(started["at"], "2026-10-02T12:00:00.025Z");
    assert_eq!((&ended["type"], &ended["confirmed"]), (&json!("call.succeeded"), &json!(false)));
    assert_eq!(ended["result"], json!({"isError": false}));
}

#[tokio::test]
async fn declared_fields_are_kept_and_no_others() {
    let retain = Retain::nothing().argument("/to").result("/messageId");
    let answer = || json(json!({"messageId": "m-1", "body": "private body"}));
    let lab = Lab::new([send_mail("reader").retain(retain).handler(move |_, _| async move { Ok(answer()) })]);
    assert_eq!(lab.call(&reader(), "send_mail", mail()).await.status(), "ok");
    let ended = lab.last(); // case 75
    assert_eq!(ended["args"], json!({"/to": "ada@example.com"}));
    assert_eq!(ended["result"], json!({"isError": false, "kept": {"/messageId": "m-1"}}));
    let all = format!("{:?}", lab.events());
    assert!(["private body", "hunter2", "Invoice 12"].iter().all(|text| !all.contains(text)), "{all}");
}

#[tokio::test]
async fn the_summary_goes_to_the_person_and_not_to_the_audit() {
    let tool = Tool::declare("send_mail", "Sends mail.", mail_schema(), dangerous("reader"));
    let summary = |args: &mtb_bridge::Arguments| {
        format!("Send \"{}\" to {}", args.string("subject").unwrap_or("?"), args.string("to").unwrap_or("?"))
    };
    let lab = Lab::new([tool.summarize(summary).handler(|_, _| async { Ok("Sent.") })]);
    let held = lab.hold(&reader(), "send_mail", mail()).await; // cases 76, 269
    let read = "Send \"Invoice 12\" to ada@example.com";
    assert_eq!(held.summary, read);
    assert_ne!(held.summary, "Send nothing");
    assert_eq!(held.summary.to_string(), read);
    assert_eq!(format!("{:?}", held.summary), "Summary(36 bytes)");
    assert_eq!(lab.trail(), ["confirmation.issued"]);
    let all = format!("{:?} {:?} {held:?}", lab.events(), lab.sink.events());
    assert!(PRIVATE.iter().all(|text| !all.contains(text)), "{all}");
}

#[tokio::test]
async fn the_transport_is_direct_unless_said_otherwise() {
    let lab = Lab::new([answers("ping", "reader")]);
    assert_eq!(lab.call(&reader(), "ping", json!({})).await.status(), "ok");
    assert_eq!(lab.last()["transport"], "direct"); // case 77
}

#[tokio::test]
async fn error_texts_are_kept_only_when_declared_and_cut() {
    let fails = |name, retain| {
        let tool = Tool::declare(name, "Fails.", JsonSchema::no_arguments(), harmless("reader")).retain(retain);
        tool.handler(|_, _| async { Err::<&str, _>(ToolError::new("é".repeat(2_000)).into()) })
    };
    let lab = Lab::new([fails("silent", Retain::nothing()), fails("told", Retain::nothing().errors())]);
    assert_eq!(lab.call(&reader(), "silent", json!({})).await.status(), "tool_error");
    assert_eq!(lab.last()["error"], json!({"kind": "tool_error"})); // cases 30, 78
    assert_eq!(lab.call(&reader(), "told", json!({})).await.status(), "tool_error");
    let message = lab.last()["error"]["message"].as_str().unwrap().to_owned();
    assert_eq!(message, format!("{}…", "é".repeat(500))); // case 79
}

#[tokio::test]
async fn refusals_are_recorded_with_their_reason_and_declared_places() {
    let lab = Lab::new([send_mail("reader").handler(|_, _| async { Ok("") }), answers("secret", "admin")]);
    for (name, arguments) in [("missing", mail()), ("secret", json!({})), ("send_mail", json!({"marker-name": 1}))] {
        assert!(matches!(lab.call(&reader(), name, arguments).await.status(), "rejected" | "invalid_arguments"));
    }
    assert_eq!(lab.refusals(), ["unknown_tool", "forbidden", "invalid_arguments"]); // case 80
    let issues = &lab.last()["issues"];
    assert!(issues.as_array().unwrap().contains(&json!({"keyword": "required", "path": "/required"})), "{issues}");
    // What the caller invented is not named: neither the property nor the tool. (case 22)
    let all = format!("{:?}", lab.events());
    assert!(!all.contains("marker-name") && !all.contains("missing"), "{all}");
}

#[tokio::test]
async fn nothing_that_is_recorded_holds_the_token() {
    let (lab, _) = invoices(Setup::default());
    let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
    let repeat = || CallRequest::new("send_invoice", json!({"invoiceId": "INV-1"})).with_token(token.expose());
    assert!(!format!("{:?}", repeat()).contains(token.expose()));
    for _ in 0..2 {
        let outcome = lab.bridge.call_tool(&reader(), repeat()).await;
        assert!(!format!("{outcome:?}").contains(token.expose()));
    }
    let all = format!("{:?} {:?}", lab.events(), lab.sink.events());
    assert!(!all.contains(token.expose()) && !all.contains(&token.expose()[4..]), "{all}"); // case 151
}
