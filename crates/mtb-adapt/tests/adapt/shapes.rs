use mtb_adapt::import_definitions;
use mtb_bridge::{Arguments, Bridge, Call, CallOutcome, CallRequest, HostContext, ToolRegistry};
use mtb_core::{Sensitivity, ToolName};
use serde_json::{Value, json};

use crate::lab::{Dispatched, Lab, all_harmless, completed, query_schema, reader, text_of};

/// A definition in one shape, as a value and as text, gives the same tool.
async fn check(definition: Value) {
    let (name, description) = ("search", "Finds things.");
    let definitions = json!([definition]);
    let text = definitions.to_string();
    let dispatched = Dispatched::default();
    let from_value = dispatched.import(&definitions, &all_harmless(&["search"])).unwrap();
    let from_text = dispatched.import(&text, &all_harmless(&["search"])).unwrap();
    for tools in [from_value, from_text] {
        let [tool] = tools.as_slice() else { panic!("{tools:?}") };
        assert_eq!(tool.declaration().name().as_str(), name);
        assert_eq!(tool.declaration().description(), description);
        assert_eq!(tool.declaration().sensitivity(), Sensitivity::None);
        assert_eq!(tool.declaration().arguments().value(), &query_schema());
        let lab = Lab::new(tools);
        let result = completed(lab.call("search", json!({"query": "van"})).await);
        assert_eq!(text_of(&result), r#"search: {"query":"van"}"#);
    }
    let call = ("search".to_owned(), json!({"query": "van"}), "alice".to_owned());
    assert_eq!(dispatched.calls(), [call.clone(), call]);
}

#[tokio::test]
async fn all_four_shapes_are_read() {
    let (name, description, schema) = ("search", "Finds things.", query_schema());
    check(json!({"name": name, "description": description, "input_schema": schema})).await; // case 35
    check(json!({"name": name, "description": description, "inputSchema": schema})).await; // case 36
    let function = json!({"name": name, "description": description, "parameters": schema});
    check(json!({"type": "function", "function": function})).await; // case 37
    check(json!({"type": "function", "name": name, "description": description, "parameters": schema})).await; // case 38
    // What people send beside the four: an explicit type, and a function without one.
    check(json!({"type": "custom", "name": name, "description": description, "input_schema": schema})).await;
    check(json!({"function": function})).await;
    check(json!({"name": name, "description": description, "parameters": schema, "strict": true})).await;
}

#[tokio::test]
async fn shapes_mix_and_order_is_kept() {
    let definitions = json!([
        {"type": "function", "function": {"name": "z", "description": "Z.", "parameters": query_schema()}},
        {"name": "a", "description": "A.", "input_schema": query_schema()},
        {"name": "m", "description": "M.", "inputSchema": query_schema(), "title": "Middle",
         "outputSchema": {"type": "object", "properties": {"id": {"type": "string"}}},
         "annotations": {"title": "Ignored", "readOnlyHint": true, "destructiveHint": false}},
    ]);
    let tools = Dispatched::default().import(&definitions, &all_harmless(&["a", "m", "z"])).unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.declaration().name().as_str()).collect();
    assert_eq!(names, ["z", "a", "m"]);
    assert_eq!(tools[1].declaration().title(), None);
    assert_eq!(tools[2].declaration().title(), Some("Middle"));
    assert!(tools[2].declaration().output().is_some());
    assert!(tools[1].declaration().output().is_none());
}

#[test]
fn schemas_in_text_reach_clients_as_they_are_written() {
    let schema = r#"{"type":"object", "properties":{"z":{"type":"number","maximum":1.50},"a":{"type":"string"}}}"#;
    let text = format!(r#"[{{"name":"search","description":"Finds.","inputSchema":{schema}}}]"#);
    let tools = Dispatched::default().import(&text, &all_harmless(&["search"])).unwrap();
    assert_eq!(tools[0].declaration().arguments().text(), schema);
}

#[tokio::test]
async fn arguments_are_checked_against_the_imported_schema() {
    let definitions = json!([{"name": "search", "description": "Finds.", "input_schema": query_schema()}]);
    let dispatched = Dispatched::default();
    let lab = Lab::new(dispatched.import(&definitions, &all_harmless(&["search"])).unwrap());
    let outcome = lab.call("search", json!({"query": ""})).await;
    let CallOutcome::InvalidArguments { issues, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(issues.iter().map(|issue| issue.path.as_str()).collect::<Vec<_>>(), ["/query"]); // case 39
    assert_eq!(dispatched.calls(), []);
}

#[tokio::test]
async fn a_definition_without_a_schema_takes_no_arguments() {
    for definition in [
        json!({"name": "ping", "description": "Pings."}),
        json!({"name": "ping", "description": "Pings.", "input_schema": null}),
        json!({"type": "function", "function": {"name": "ping", "description": "Pings.", "parameters": null}}),
    ] {
        let dispatched = Dispatched::default();
        let lab = Lab::new(dispatched.import(&json!([definition]), &all_harmless(&["ping"])).unwrap());
        let outcome = lab.call("ping", json!({"extra": 1})).await;
        assert_eq!(outcome.status(), "invalid_arguments"); // case 40
        assert_eq!(dispatched.calls(), []);
        completed(lab.bridge.call_tool(&reader(), CallRequest::new("ping", json!({}))).await);
        assert_eq!(dispatched.calls().len(), 1);
    }
}

#[tokio::test]
async fn the_dispatcher_gets_the_context_of_the_host() {
    struct App {
        tenant: &'static str,
    }
    impl HostContext for App {}

    let dispatch = |name: ToolName, _: Arguments, call: Call<App>| async move {
        Ok(format!("{name} for {} of {}", call.principal().id(), call.context().tenant))
    };
    let definitions = json!([{"name": "ping", "description": "Pings."}]);
    let registry = ToolRegistry::new();
    registry.register_all(import_definitions(&definitions, dispatch, &all_harmless(&["ping"])).unwrap()).unwrap();
    let bridge = Bridge::builder_with_context(registry, |_| async { Ok(App { tenant: "acme" }) }).build();
    let result = completed(bridge.call_tool(&reader(), CallRequest::new("ping", json!({}))).await);
    assert_eq!(text_of(&result), "ping for alice of acme");
}
