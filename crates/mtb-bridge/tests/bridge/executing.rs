use std::sync::Arc;

use mtb_audit::MemorySink;
use mtb_bridge::{
    ArgumentSource as _, Bridge, Call, CallOptions, CallOutcome, CallRequest, CancellationToken, ContentBlock, Failure,
    HostContext, JsonSchema, RawArguments, Tool, ToolError, ToolRegistry, ToolResult, json,
};
use mtb_core::CanonicalJson;
use mtb_core::json::Limits;
use serde_json::json;

use crate::lab::{Count, Lab, Ran, Setup, answers, dangerous, editor, harmless, json_of, reader, sends};

#[test]
fn arguments_are_read_as_what_they_are() {
    let given = json!({"integer": 7, "number": 2.5, "yes": true, "no": false, "text": "7"});
    let canonical = CanonicalJson::from_value(&given, &Limits::default()).unwrap();
    let arguments = JsonSchema::text(r#"{"type": "object"}"#).decode(&canonical).unwrap();
    assert_eq!(format!("{arguments:?}"), "Arguments(5 members)");
    assert_eq!(arguments.integer("integer").unwrap(), 7);
    assert!((arguments.number("number").unwrap() - 2.5).abs() < f64::EPSILON);
    assert!(arguments.boolean("yes").unwrap() && !arguments.boolean("no").unwrap());
    assert_eq!(arguments.string("text").unwrap(), "7");
    for name in ["text", "missing"] {
        assert!(
            arguments.integer(name).is_err() && arguments.number(name).is_err() && arguments.boolean(name).is_err()
        );
    }
    assert!(arguments.string("integer").is_err());
    assert_eq!(arguments.into_value(), given);
}

#[tokio::test]
async fn invalid_arguments_reach_no_handler() {
    let ran = Ran::default();
    let lab = Lab::new([sends("send", harmless("reader"), &ran)]);
    for (arguments, path) in [
        (json!({}), "/invoiceId"),
        (json!({"invoiceId": 7}), "/invoiceId"),
        (json!({"invoiceId": "INV-x"}), "/invoiceId"),
        (json!({"invoiceId": "INV-1", "extra": 1}), "/extra"),
        (json!([]), ""),
        (json!("INV-1"), ""),
        (json!(null), ""),
    ] {
        let CallOutcome::InvalidArguments { issues, .. } = lab.call(&reader(), "send", arguments.clone()).await else {
            panic!("accepted {arguments}");
        };
        let paths: Vec<_> = issues.iter().map(|issue| issue.path.as_str()).collect();
        assert_eq!(paths, [path], "{arguments}");
    }
    for text in ["", "{", r#"{"invoiceId": "INV-1", "invoiceId": "INV-2"}"#, r#"{"invoiceId": 1e400}"#] {
        let outcome = lab.bridge.call_tool(&reader(), CallRequest::new("send", RawArguments::text(text))).await;
        assert_eq!(outcome.status(), "invalid_arguments", "{text}"); // case 101
    }
    assert_eq!(ran.times(), 0);
    assert_eq!(lab.call(&reader(), "send", json!({"invoiceId": "INV-1"})).await.status(), "ok");
    assert_eq!(ran.times(), 1);
}

#[tokio::test]
async fn answers_of_every_kind_come_through() {
    let tool = |name| Tool::declare(name, "Answers.", JsonSchema::no_arguments(), harmless("reader"));
    let image = || ContentBlock::Image { data: "AAAA".to_owned(), mime_type: "image/png".to_owned() };
    let lab = Lab::new([
        answers("text", "reader"),
        tool("json").handler(|_, _| async { Ok(json(json!({"open": 3, "closed": 9}))) }),
        tool("blocks").handler(move |_, _| async move { Ok(ToolResult::blocks(vec![image()])) }),
        tool("failed").handler(|_, _| async { Ok(ToolResult::from("no").as_error()) }),
    ]);
    let result = async |name| match lab.call(&reader(), name, json!({})).await {
        CallOutcome::Completed { result, .. } => result,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(result("text").await.content, [ContentBlock::Text("text".to_owned())]); // case 100
    assert_eq!(result("json").await.structured, Some(json!({"open": 3, "closed": 9}))); // case 105
    assert_eq!(result("blocks").await.content, [image()]);
    assert!(result("failed").await.is_error);
}

struct Tenant(String);
impl HostContext for Tenant {}

fn tenant_bridge(works: bool, made: &Count, ran: &Count) -> (Bridge<Tenant>, MemorySink) {
    let registry = ToolRegistry::<Tenant>::new();
    let ran = ran.clone();
    let whose = Tool::declare("whose", "Tells whose.", JsonSchema::no_arguments(), harmless("reader"));
    registry
        .register(whose.handler(move |_arguments, call: Call<Tenant>| {
            ran.up();
            async move {
                let fired = call.cancellation().is_cancelled();
                Ok(format!("{}@{} {} {fired}", call.principal().id(), call.context().0, call.id()))
            }
        }))
        .unwrap();
    registry.register(answers("ping", "reader")).unwrap();
    let held = Tool::declare("held", "Waits.", JsonSchema::no_arguments(), dangerous("reader"));
    registry.register(held.handler(|_arguments, _call: Call| async { Ok("ran") })).unwrap();
    let sink = MemorySink::default();
    let made = made.clone();
    let builder = Bridge::builder_with_context(registry, move |principal| {
        made.up();
        async move {
            if works { Ok(Tenant(format!("t-{}", principal.id()))) } else { Err("no database at 10.0.0.3".into()) }
        }
    });
    (Setup::default().apply(builder, &sink).build(), sink)
}

#[tokio::test]
async fn handlers_get_the_host_context_of_the_caller() {
    let (made, ran) = (Count::default(), Count::default());
    let (bridge, _) = tenant_bridge(true, &made, &ran);
    let outcome = bridge.call_tool(&reader(), CallRequest::new("whose", json!({}))).await;
    let id = outcome.call_id();
    let CallOutcome::Completed { result, .. } = outcome else { panic!() };
    assert_eq!(result.content, [ContentBlock::Text(format!("alice@t-alice {id} false"))]); // case 102
    assert_eq!(made.get(), 1);
    // A tool that needs nothing from the host fits the same registry.
    assert_eq!(bridge.call_tool(&reader(), CallRequest::new("ping", json!({}))).await.status(), "ok");
}

#[tokio::test]
async fn refused_calls_get_no_host_context() {
    let (made, ran) = (Count::default(), Count::default());
    let (bridge, _) = tenant_bridge(true, &made, &ran);
    let stranger = mtb_core::Principal::new("eve", ["guest"]).unwrap();
    for (principal, name, arguments) in [
        (&stranger, "whose", json!({})),
        (&stranger, "nothing", json!({})),
        (&reader(), "whose", json!({"x": 1})),
        (&reader(), "held", json!({})),
    ] {
        assert_ne!(bridge.call_tool(principal, CallRequest::new(name, arguments)).await.status(), "ok"); // case 103
    }
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let late = CallRequest::new("whose", json!({})).with_options(CallOptions::new().cancellation(cancelled));
    assert_ne!(bridge.call_tool(&reader(), late).await.status(), "ok");
    tokio::task::yield_now().await;
    assert_eq!((made.get(), ran.get()), (0, 0));
}

#[tokio::test]
async fn a_context_that_fails_ends_the_call_before_it_starts() {
    let (made, ran) = (Count::default(), Count::default());
    let (bridge, sink) = tenant_bridge(false, &made, &ran);
    let outcome = bridge.call_tool(&reader(), CallRequest::new("whose", json!({}))).await;
    assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::Internal, .. })); // case 104
    assert_eq!(ran.get(), 0);
    let [event] = json_of(&sink.events()).try_into().unwrap();
    assert_eq!((&event["type"], &event["error"]["kind"]), (&json!("call.failed"), &json!("context")));
    assert!(!event.to_string().contains("10.0.0.3"));
}

#[tokio::test]
async fn failures_tell_the_model_only_what_is_meant_for_it() {
    let tool = |name| Tool::declare(name, "Fails.", JsonSchema::no_arguments(), harmless("reader"));
    let lab = Lab::new([
        tool("told").handler(|_, _| async { Err::<&str, _>(ToolError::new("No invoice INV-12.").into()) }),
        tool("untold").handler(|_, _| async { Err::<&str, _>(std::io::Error::other("10.0.0.3:5432 refused").into()) }),
        tool("panics").handler(|_, _| async { panic!("10.0.0.3 again") as Result<&str, _> }),
    ]);
    let failure = async |name| match lab.call(&reader(), name, json!({})).await {
        CallOutcome::ToolError { failure, .. } => failure,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(failure("told").await, Failure::Tool(ToolError::new("No invoice INV-12."))); // case 78
    assert_eq!(failure("untold").await, Failure::Internal);
    assert_eq!(failure("panics").await, Failure::Internal);
    let kinds: Vec<_> =
        lab.events().iter().filter_map(|event| event["error"]["kind"].as_str().map(str::to_owned)).collect();
    assert_eq!(kinds, ["tool_error", "exception", "exception"]);
    assert!(!format!("{:?}", lab.events()).contains("10.0.0.3"));
}

#[tokio::test]
async fn the_caller_cannot_change_what_the_handler_sees() {
    let lab = Lab::new([Tool::declare("roles", "Tells roles.", JsonSchema::no_arguments(), harmless("admin"))
        .handler(|_, call: Call| async move { Ok(format!("{:?}", call.principal().roles())) })]);
    let roles = Arc::new(std::sync::Mutex::new(vec!["admin".to_owned()]));
    let principal = mtb_core::Principal::new("root", roles.lock().unwrap().clone()).unwrap();
    roles.lock().unwrap().clear(); // case 26
    let CallOutcome::Completed { result, .. } = lab.call(&principal, "roles", json!({})).await else { panic!() };
    assert_eq!(result.content, [ContentBlock::Text(r#"["admin"]"#.to_owned())]);
}

#[tokio::test]
async fn defaults_are_for_the_handler_to_apply() {
    let ran = Ran::default();
    let schema = JsonSchema::value(json!({
        "type": "object",
        "properties": {"copies": {"type": "integer", "minimum": 0, "default": 1}},
        "additionalProperties": false,
    }));
    let seen = ran.clone();
    let lab =
        Lab::new([Tool::declare("print", "Prints.", schema, harmless("reader")).handler(move |arguments, _call| {
            seen.note(&arguments);
            async { Ok("ok") }
        })]);
    assert_eq!(lab.call(&reader(), "print", json!({})).await.status(), "ok");
    assert_eq!(ran.arguments(), [json!({})]); // case 242
}

#[tokio::test]
async fn handlers_get_canonical_arguments_directly_and_confirmed() {
    let ran = Ran::default();
    let number = || JsonSchema::value(json!({"type": "object", "properties": {"n": {"type": "number"}}}));
    let tool = |name, governance| {
        let ran = ran.clone();
        Tool::declare(name, "Notes.", number(), governance).handler(move |arguments, _call| {
            ran.note(&arguments);
            async { Ok("ok") }
        })
    };
    let lab = Lab::new([tool("direct", harmless("editor")), tool("held", dangerous("editor"))]);
    for text in [r#"{"n": 1.0}"#, r#"{"n": -0.0}"#, r#"{"n": 1e2}"#, r#"{"n": 0.1}"#, r#"{"n": 1e20}"#] {
        let request = |tool| CallRequest::new(tool, RawArguments::text(text));
        assert_eq!(lab.bridge.call_tool(&editor(), request("direct")).await.status(), "ok");
        let held = lab.bridge.call_tool(&editor(), request("held")).await;
        let CallOutcome::ConfirmationRequired { confirmation, .. } = held else { panic!("{held:?}") };
        assert_eq!(lab.bridge.execute_confirmed(&editor(), confirmation.token.expose()).await.status(), "ok");
    }
    let seen = ran.arguments();
    for pair in seen.chunks(2) {
        assert_eq!(pair[0].to_string(), pair[1].to_string());
    }
    assert_eq!(seen[0], json!({"n": 1}));
    assert_eq!(seen[2], json!({"n": 0}));
    assert_eq!(seen[4], json!({"n": 100}));
}
