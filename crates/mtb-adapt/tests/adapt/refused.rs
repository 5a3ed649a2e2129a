use mtb_adapt::GovernanceTable;
use mtb_bridge::{CallOutcome, Rejection};
use mtb_core::DefinitionCode as Code;
use serde_json::{Value, json};

use crate::lab::{Dispatched, Lab, all_harmless, harmless, has, problems, query_schema};

/// Refuses these definitions with exactly these problems, each `code tool pointer`; as text and as value alike.
#[track_caller]
fn check(definitions: &Value, governance: &GovernanceTable, expected: &[&str]) {
    let error = Dispatched::default().import(definitions, governance).unwrap_err();
    assert_eq!(problems(&error), expected, "{error}");
    let error = Dispatched::default().import(&definitions.to_string(), governance).unwrap_err();
    assert_eq!(problems(&error), expected, "{error}");
}

fn tool(name: &str) -> Value {
    json!({"name": name, "description": "Does it.", "input_schema": query_schema()})
}

#[test]
fn every_ungoverned_tool_is_named() {
    let definitions = json!([tool("a"), tool("b"), tool("c")]);
    let expected = ["missing_governance a /0", "missing_governance c /2"]; // case 42
    check(&definitions, &all_harmless(&["b"]), &expected);
    check(&json!([tool("a")]), &GovernanceTable::new(), &["missing_governance a /0"]);
    // A name is compared exactly.
    check(
        &json!([tool("a")]),
        &all_harmless(&["A"]),
        &["missing_governance a /0", "unknown_governance A /governance/A"],
    );
}

#[tokio::test]
async fn nothing_starts_when_one_tool_is_unclassified() {
    let dispatched = Dispatched::default();
    let error = dispatched.import(&json!([tool("search"), tool("wipe")]), &all_harmless(&["search"])).unwrap_err();
    assert!(has(&error, Code::MissingGovernance, "wipe", "/1"));
    let lab = Lab::new(Vec::new());
    for name in ["wipe", "search"] {
        let outcome = lab.call(name, json!({"query": "x"})).await;
        assert!(matches!(outcome, CallOutcome::Rejected { rejection: Rejection::UnknownTool, .. })); // case 43
    }
    assert_eq!(dispatched.calls(), []);
}

#[test]
fn governance_without_a_definition_is_refused() {
    check(&json!([tool("a")]), &all_harmless(&["a", "aa"]), &["unknown_governance aa /governance/aa"]); // case 44
    check(&json!([]), &all_harmless(&["a"]), &["unknown_governance a /governance/a"]);
}

#[test]
fn two_definitions_of_one_name_are_refused() {
    let chat = json!({"type": "function", "function": {"name": "a", "description": "Again."}});
    let definitions = json!([tool("a"), tool("b"), chat]);
    check(&definitions, &all_harmless(&["a", "b"]), &["duplicate_name a /0/name", "duplicate_name a /2/function/name"]); // case 45
    let twice = all_harmless(&["a", "a"]);
    check(&json!([tool("a")]), &twice, &["duplicate_name a /governance/a"]);
}

#[test]
fn a_description_is_required() {
    for (definition, place) in [
        (json!({"name": "a"}), "/0"),
        (json!({"name": "a", "description": null}), "/0"),
        (json!({"name": "a", "description": " "}), "/0/description"),
        (json!({"name": "a", "description": 7}), "/0/description"),
        (json!({"function": {"name": "a"}}), "/0/function"),
    ] {
        let expected = format!("invalid_description a {place}");
        check(&json!([definition]), &all_harmless(&["a"]), &[&expected]); // case 46
    }
}

#[test]
fn a_name_that_is_none_is_refused_before_its_governance_is_asked_for() {
    let none = GovernanceTable::new();
    check(&json!([tool("a b")]), &none, &["invalid_name a b /0/name"]); // case 47
    // Two without a name have no name in common.
    let nameless = json!({"description": "A."});
    check(&json!([nameless, nameless]), &none, &["invalid_name  /0", "invalid_name  /1"]);
    let number = json!({"name": 7, "description": "A."});
    check(&json!([nameless, number]), &none, &["invalid_name  /0", "invalid_name  /1/name"]);
    check(&json!([tool("a/b")]), &all_harmless(&["a/b"]), &["invalid_name a/b /0/name"]);
}

#[test]
fn what_is_no_definition_is_refused_at_its_place() {
    let none = GovernanceTable::new();
    check(&json!(["a"]), &none, &["invalid_definition  /0"]); // case 48
    check(&json!([{"type": "function", "function": "a"}]), &none, &["invalid_definition  /0/function"]);
    let hosted = json!({"type": "web_search_20250305", "name": "web_search", "description": "Searches."});
    check(&json!([hosted]), &all_harmless(&["web_search"]), &["invalid_definition web_search /0/type"]);
    for misspelt in ["inputschema", "Input-Schema", "schema", "parameter", "Parameters"] {
        let definition = json!({"name": "a", "description": "A.", misspelt: query_schema()});
        let expected = format!("invalid_definition a /0/{misspelt}");
        check(&json!([definition]), &all_harmless(&["a"]), &[&expected]);
    }
    let mut both = tool("a");
    both["inputSchema"] = json!({"type": "object"});
    check(&json!([both]), &all_harmless(&["a"]), &["invalid_definition a /0/inputSchema"]);
    let outside = json!({"type": "function", "parameters": query_schema(),
        "function": {"name": "a", "description": "A.", "parameters": {"type": "object"}}});
    check(&json!([outside]), &all_harmless(&["a"]), &["invalid_definition a /0/parameters"]);
}

#[test]
fn text_that_cannot_be_read_is_refused() {
    for (text, expected) in [
        ("", "invalid_definition  "),
        ("[{\"name\": }]", "invalid_definition  "),
        (r#"[{"name": "a", "name": "b", "description": "A."}]"#, "invalid_definition a /0/name"),
        (
            r#"[{"name": "a", "description": "A.", "inputSchema": {"type": "object", "type": "object"}}]"#,
            "invalid_schema a /0/inputSchema/type",
        ),
    ] {
        let error = Dispatched::default().import(text, &all_harmless(&["a"])).unwrap_err();
        assert!(problems(&error).contains(&expected.to_owned()), "{text}: {error}");
    }
}

#[test]
fn schemas_are_compiled_as_strictly_as_any_other() {
    for (schema, place) in [
        (json!({"type": "object", "minProps": 1}), "/0/input_schema/minProps"), // case 51
        (json!({"type": "string"}), "/0/input_schema"),                         // case 52
    ] {
        let definitions = json!([{"name": "a", "description": "A.", "input_schema": schema}]);
        let error = Dispatched::default().import(&definitions, &all_harmless(&["a"])).unwrap_err();
        assert!(error.problems().iter().all(|problem| problem.code == Code::InvalidSchema), "{error}");
        assert!(error.problems().iter().any(|problem| problem.pointer.starts_with(place)), "{error}");
    }
}

#[test]
fn everything_is_told_at_once() {
    let definitions = json!([
        "nothing",
        {"name": "a b", "description": ""},
        {"name": "c", "description": "C.", "input_schema": {"type": "string"}},
        {"name": "d", "title": " ", "description": "D."},
        {"name": "d", "description": "D."},
    ]);
    let governance = GovernanceTable::text(
        r#"{"d": {"sensitivity": "extreme", "reversible": true, "roles": []}, "e": {"sensitivity": "none"}}"#,
    );
    let error = Dispatched::default().import(&definitions, &governance.tool("f", harmless())).unwrap_err();
    let found = problems(&error);
    for expected in [
        "invalid_definition  /0",
        "invalid_name a b /1/name",
        "invalid_description a b /1/description",
        "missing_governance c /2",
        "invalid_title d /3/title",
        "duplicate_name d /4/name",
        "unknown_governance e /governance/e",
        "unknown_governance f /governance/f",
        "invalid_sensitivity d /governance/d/sensitivity",
        "invalid_roles d /governance/d/roles",
        "invalid_reversibility e /governance/e/reversible",
        "invalid_roles e /governance/e/roles",
    ] {
        assert!(found.contains(&expected.to_owned()), "{expected}\n{error}");
    }
    assert!(
        has(&error, Code::InvalidSchema, "c", "/2/input_schema/type")
            || has(&error, Code::InvalidSchema, "c", "/2/input_schema")
    );
}

#[test]
fn a_list_of_tools_is_read_where_it_stands() {
    let governance = GovernanceTable::new();
    check(&json!([tool("a")]), &governance, &["missing_governance a /0"]);
    check(
        &json!({"nextCursor": "x", "tools": [tool("a"), tool("b")]}),
        &governance,
        &["missing_governance a /tools/0", "missing_governance b /tools/1"],
    );
    check(
        &json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool("a")]}}),
        &governance,
        &["missing_governance a /result/tools/0"],
    );
    for unlisted in [
        json!({"tools": {}}),
        json!({"result": {"tools": {}}}),
        json!({"result": [tool("a")]}),
        json!({"result": {"result": {"tools": []}}}),
        // Either may be the one that is meant.
        json!({"tools": [tool("a")], "result": {"tools": [tool("b")]}}),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}}),
        tool("a"),
        json!("tools"),
        json!({}),
    ] {
        check(&unlisted, &governance, &["invalid_definition  "]);
    }
    for twice in [
        r#"{"tools": [], "tools": []}"#,
        r#"{"result": {"tools": []}, "result": {"tools": []}}"#,
        r#"{"result": {"tools": [], "tools": []}}"#,
    ] {
        let error = Dispatched::default().import(twice, &governance).unwrap_err();
        assert_eq!(problems(&error), ["invalid_definition  "], "{error}");
    }
}

/// What is wrong with a whole text, and what to do about it.
#[test]
fn what_keeps_a_text_from_being_read_is_said() {
    for (text, problem, remedy) in [
        ("", "text is empty", "array"),
        (" \n", "text is empty", "array"),
        ("\u{feff}[]", "byte order mark", "without a byte order mark"),
        ("[{\"name\":\n}]", "(line 2, column 1): expected value", "correct it there"),
        ("[] []", "(line 1, column 4): trailing characters", "correct it there"),
        ("[7", "(line 1, column 2): EOF while parsing a list", "correct it there"),
        (r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}"#, "error of a request", "answer to `tools/list`"),
        (r#"{"name": "a", "description": "A."}"#, "one object, not an array", "array"),
    ] {
        let error = Dispatched::default().import(text, &GovernanceTable::new()).unwrap_err();
        let [only] = error.problems() else { panic!("{error}") };
        assert!(only.problem.contains(problem) && only.remedy.contains(remedy), "{text:?}: {error}");
    }
    let error = Dispatched::default().import("[]", &GovernanceTable::text("\u{feff}{}")).unwrap_err();
    assert!(error.to_string().contains("byte order mark"), "{error}");
}
