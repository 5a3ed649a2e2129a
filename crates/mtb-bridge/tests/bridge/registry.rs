use mtb_bridge::{Call, HostContext, JsonSchema, Tool, ToolRegistry};
use mtb_core::{DefinitionCode, Retain, any_of};
use serde_json::json;

use crate::canary::Logs;
use crate::lab::{Count, answers, dangerous, harmless};

fn names<C>(registry: &ToolRegistry<C>) -> Vec<String> {
    registry.list().iter().map(|tool| tool.declaration().name().to_string()).collect()
}

#[test]
fn nothing_is_registered_when_anything_is_wrong() {
    let registry = ToolRegistry::<()>::new();
    registry.register(answers("a", "reader")).unwrap();
    let told = Count::default();
    let tell = told.clone();
    let _subscription = registry.on_change(move || tell.up());
    let bad = |name| Tool::declare(name, " ", JsonSchema::value(json!({"type": "string"})), harmless(" "));
    let rows = [
        vec![answers("b", "reader"), answers("a", "reader")], // case 225
        vec![answers("b", "reader"), answers("c", "reader"), answers("b", "reader")], // case 226
        vec![answers("b", "reader"), bad("d").handler(|_, _| async { Ok("") })],
        vec![answers("b", "no"), bad("no name").handler(|_, _| async { Ok("") }), answers("c", "reader")],
    ];
    for tools in rows {
        let error = registry.register_all(tools).unwrap_err();
        assert!(!error.problems().is_empty());
        assert_eq!(names(&registry), ["a"]);
        assert_eq!(told.get(), 0); // case 231
    }
}

#[test]
fn one_error_lists_every_problem_of_every_tool() {
    let schema =
        JsonSchema::value(json!({"type": "object", "properties": {"to": {"type": "string", "format": "colour"}}}));
    let mut nobody = harmless("x");
    nobody.roles = any_of(["", "ok"]);
    let first = Tool::declare("send mail", "Sends.", schema, nobody);
    let second = Tool::declare("b", "", JsonSchema::no_arguments(), harmless("reader"))
        .retain(Retain::nothing().argument("/to"));
    let registry = ToolRegistry::<()>::new();
    let error = registry
        .register_all([
            first.handler(|_, _| async { Ok("") }),
            second.handler(|_, _| async { Ok("") }),
            answers("c", "reader"),
            answers("c", "reader"),
        ])
        .unwrap_err();
    let found: Vec<_> = error.problems().iter().map(|p| (p.tool.as_str(), p.pointer.as_str(), p.code)).collect();
    assert_eq!(
        found,
        [
            ("send mail", "/name", DefinitionCode::InvalidName),
            ("send mail", "/governance/roles", DefinitionCode::InvalidRoles),
            ("send mail", "/arguments/properties/to/format", DefinitionCode::InvalidSchema),
            ("b", "/description", DefinitionCode::InvalidDescription),
            ("b", "/retain/arguments/0", DefinitionCode::InvalidRetention),
            ("c", "/name", DefinitionCode::DuplicateName),
        ],
        "{error}"
    );
    let text = error.to_string(); // case 222
    assert!(error.problems().iter().all(|problem| text.contains(&problem.remedy) && !problem.remedy.is_empty()));
    assert!(registry.is_empty());
}

#[test]
fn tools_come_and_go_in_order() {
    let registry = ToolRegistry::<()>::new();
    registry.register_all([answers("b", "r"), answers("a", "r")]).unwrap();
    registry.register(answers("c", "r")).unwrap();
    assert_eq!(names(&registry), ["b", "a", "c"]); // case 224
    assert_eq!(registry.len(), 3);
    assert!(registry.get("a").is_some() && registry.get("missing").is_none());
    let before = registry.list();
    assert!(registry.unregister("a")); // case 228
    assert!(!registry.unregister("a"));
    assert_eq!(names(&registry), ["b", "c"]);
    assert_eq!(before.len(), 3); // case 229
}

#[test]
fn what_is_shown_of_tools_is_their_names() {
    let draft = answers("a", "r");
    assert_eq!(draft.name(), "a");
    assert_eq!(format!("{draft:?}"), r#"ToolDraft { name: "a", .. }"#);
    let registry = ToolRegistry::<()>::new();
    assert!(registry.is_empty());
    registry.register(draft).unwrap();
    assert!(!registry.is_empty());
    let shown = format!("{registry:?} {:?} {:?}", registry.list(), registry.on_change(|| ()));
    assert_eq!(shown, r#"{"a"} [Tool { name: "a", .. }] Subscription"#);
}

#[test]
fn listeners_hear_of_changes_only_and_only_while_they_listen() {
    let registry = ToolRegistry::<()>::new();
    let told = Count::default();
    let tell = told.clone();
    let subscription = registry.on_change(move || tell.up());
    registry.register_all([answers("a", "r"), answers("b", "r")]).unwrap(); // case 230
    assert_eq!(told.get(), 1);
    registry.register_all(Vec::<mtb_bridge::ToolDraft>::new()).unwrap();
    registry.unregister("missing");
    assert_eq!(told.get(), 1);
    registry.unregister("a");
    assert_eq!(told.get(), 2);
    drop(subscription);
    registry.unregister("b");
    assert_eq!(told.get(), 2);
}

#[test]
fn a_listener_that_panics_undoes_nothing_and_silences_nobody() {
    let registry = ToolRegistry::<()>::new();
    let told = Count::default();
    let tell = told.clone();
    let _bad = registry.on_change(|| panic!("boom"));
    let _good = registry.on_change(move || tell.up());
    let logs = Logs::default();
    tracing::subscriber::with_default(logs.clone(), || registry.register(answers("a", "r")).unwrap()); // case 232
    assert!(logs.holds("boom"));
    assert_eq!(names(&registry), ["a"]);
    assert_eq!(told.get(), 1);
}

#[test]
fn a_listener_may_use_the_registry() {
    let registry = ToolRegistry::<()>::new();
    let (seen, inside) = (Count::default(), registry.clone());
    let count = seen.clone();
    let _subscription = registry.on_change(move || (0..inside.len()).for_each(|_| count.up()));
    registry.register_all([answers("a", "r"), answers("b", "r")]).unwrap();
    assert_eq!(seen.get(), 2);
}

struct App;
impl HostContext for App {}

#[test]
fn a_tool_without_needs_fits_any_registry() {
    let registry = ToolRegistry::<App>::new();
    let needs = Tool::declare("needs", "Needs.", JsonSchema::no_arguments(), harmless("r"));
    registry.register(needs.handler(|_, _call: Call<App>| async { Ok("ok") })).unwrap(); // case 233
    registry.register(answers("free", "r")).unwrap();
    let built = answers("built", "r").build().unwrap();
    registry.register(built).unwrap();
    assert_eq!(names(&registry), ["needs", "free", "built"]);
}

#[test]
fn the_registry_prints_itself_for_review() {
    let registry = ToolRegistry::<()>::new();
    let mut both = dangerous("billing");
    both.roles = any_of(["billing", "admin"]);
    let schema =
        JsonSchema::value(json!({"type": "object", "properties": {"to": {"type": "string", "format": "callsign"}},
        "x-order": ["to"]}));
    let schema = schema.allow_formats(["callsign"]).allow_keywords(["x-order"]);
    let output = JsonSchema::value(json!({"type": "object", "x-kind": 1})).allow_keywords(["x-kind"]);
    let send = Tool::declare("send", "Sends.", schema, both).output(&output).always_confirm();
    let send = send.retain(Retain::nothing().argument("/to").errors());
    registry.register(send.handler(|_, _| async { Ok("") })).unwrap();
    registry.register(answers("search_notes", "reader")).unwrap();
    assert_eq!(
        registry.review().to_string(),
        "\
| tool         | sensitivity | reversible   | confirm | roles          | kept in the audit         | unchecked in schemas                                                         |
| ------------ | ----------- | ------------ | ------- | -------------- | ------------------------- | ---------------------------------------------------------------------------- |
| send         | high        | irreversible | always  | billing, admin | arguments/to, error texts | arguments: formats `callsign`; keywords `x-order`; result: keywords `x-kind` |
| search_notes | none        | reversible   | policy  | reader         | nothing                   | nothing                                                                      |
"
    );
}
