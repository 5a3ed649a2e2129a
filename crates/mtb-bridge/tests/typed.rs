//! Tools whose arguments or results are Rust types.
#![cfg(feature = "schemars")]
#![expect(clippy::unwrap_used, reason = "a test that finds nothing to look at has failed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mtb_audit::{AuditSink, MemorySink, Trail};
use mtb_bridge::{
    ArgumentSource, Bridge, Call, CallOutcome, CallRequest, JsonSchema, Tool, ToolDraft, ToolRegistry, Typed, json,
};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, UnknownArguments, any_of};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

fn harmless() -> Governance {
    Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: any_of(["reader"]) }
}

async fn call(draft: ToolDraft, arguments: Value) -> (CallOutcome, Vec<Value>) {
    let sink = MemorySink::default();
    let registry = ToolRegistry::new();
    registry.register(draft).unwrap();
    let sinks: [Arc<dyn AuditSink>; 1] = [Arc::new(sink.clone())];
    let trail = Trail::new(sinks).unwrap();
    let bridge = Bridge::builder(registry).audit(trail).build();
    let reader = Principal::new("alice", ["reader"]).unwrap();
    let outcome = bridge.call_tool(&reader, CallRequest::new("tool", arguments)).await;
    (outcome, sink.events().iter().map(|event| serde_json::to_value(event).unwrap()).collect())
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Booking {
    guests: u8,
    #[serde(default)]
    #[schemars(extend("default" = "double"))]
    room: Option<String>,
    #[expect(dead_code, reason = "only read by Deserialize")]
    address: Option<std::net::SocketAddr>,
}

fn book(ran: &Arc<AtomicUsize>) -> ToolDraft {
    let ran = Arc::clone(ran);
    let tool = Tool::declare("tool", "Books.", Typed::<Booking>::new(), harmless());
    tool.handler(move |booking, _: Call| {
        ran.fetch_add(1, Ordering::SeqCst);
        async move { Ok(format!("{} {:?}", booking.guests, booking.room)) }
    })
}

#[tokio::test]
async fn what_the_type_refuses_reaches_no_handler_and_has_a_place() {
    let ran = Arc::default();
    for (arguments, path) in [
        (json!({"guests": "3"}), "/guests"),
        (json!({"guests": 256}), "/guests"),
        (json!({"guests": null}), "/guests"),
        (json!({"guests": 1, "room": true}), "/room"),
        // The schema says text, and only the type knows which.
        (json!({"guests": 1, "address": "5107-secret"}), "/address"),
    ] {
        let (outcome, events) = call(book(&ran), arguments).await;
        let CallOutcome::InvalidArguments { issues, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(issues[0].path, path);
        assert!(!format!("{issues:?} {} {events:?}", issues[0].message).contains("5107"));
        assert_eq!(events[0]["type"], "call.rejected");
    }
    assert_eq!(ran.load(Ordering::SeqCst), 0);
    let (outcome, _) = call(book(&ran), json!({"guests": 3.0})).await;
    let CallOutcome::Completed { result, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(result.content, [mtb_bridge::ContentBlock::Text("3 None".to_owned())]);
}

#[test]
fn what_is_done_about_unknown_arguments_is_handed_on() {
    let schema = |unknown| Typed::<Booking>::new().unknown_arguments(unknown).schema();
    let shown = |unknown| {
        let compiled = mtb_core::Schema::compile(&schema(unknown), mtb_core::SchemaRole::Arguments).unwrap();
        compiled.text().contains(r#""additionalProperties":false"#)
    };
    assert!(!shown(UnknownArguments::AsDeclared) && shown(UnknownArguments::Refuse));
}

#[test]
fn a_type_that_json_cannot_carry_is_a_definition_error() {
    #[derive(Deserialize, schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Sizes {
        by_id: std::collections::HashMap<u32, u8>,
    }
    let tool = Tool::declare("tool", "Sizes.", Typed::<Sizes>::new(), harmless());
    let error = tool.handler(|_, _: Call| async { Ok("") }).build().unwrap_err();
    assert_eq!(error.problems()[0].pointer, r"/arguments/properties/by_id/patternProperties/^\d+$");
}

#[derive(Serialize, schemars::JsonSchema)]
struct Count {
    open: u8,
    by_day: Vec<u8>,
}

#[tokio::test]
async fn a_result_that_its_type_would_not_write_does_not_leave() {
    for (answer, fits) in [
        (json!({"open": 256, "by_day": []}), false),
        (json!({"open": 1, "by_day": [0, "1"]}), false),
        (json!({"by_day": []}), false),
        (json!([]), false),
        (serde_json::to_value(Count { open: 3, by_day: vec![1] }).unwrap(), true),
    ] {
        let tool = Tool::declare("tool", "Counts.", JsonSchema::no_arguments(), harmless()).output_type::<Count>();
        let draft = tool.handler(move |_, _: Call| {
            let answer = answer.clone();
            async move { Ok(json(answer)) }
        });
        let (outcome, events) = call(draft, json!({})).await;
        assert_eq!(outcome.status() == "ok", fits, "{events:?}");
        assert_eq!(events.last().unwrap()["type"] == "call.succeeded", fits);
    }
}
