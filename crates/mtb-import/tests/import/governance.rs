use std::fs;

use mtb_adapt::{GovernanceTable, import_definitions};
use mtb_bridge::{Arguments, Call, HandlerError, Tool};
use mtb_core::{DefinitionError, Reversibility, Sensitivity, ToolName};
use serde_json::{Map, Value, json};

use crate::program::{file, fresh, published, root, run};

const CATALOGUES: [&str; 4] = ["mcp-server-time", "server-brave-search", "openai-agents-python", "server-slack"];

/// The text of the governance file that is written for a published catalogue.
fn template(catalogue: &str) -> String {
    let out = fresh(&format!("{catalogue}.governance.json"));
    let ran = run(&["--governance", &out, &published(catalogue)]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    fs::read_to_string(out).unwrap()
}

/// The same, as what it says of each tool.
fn rows(template: &str) -> Map<String, Value> {
    let mut rows: Map<String, Value> = serde_json::from_str(template).unwrap();
    assert!(rows.remove("//").is_some());
    rows
}

/// Fills every tool in, and leaves the comments.
fn filled(template: &str) -> Value {
    let mut table: Value = serde_json::from_str(template).unwrap();
    for (_, row) in table.as_object_mut().unwrap().iter_mut().filter(|(name, _)| *name != "//") {
        row["sensitivity"] = json!("low");
        row["reversible"] = json!(false);
        row["roles"] = json!(["reader"]);
    }
    table
}

fn import(catalogue: &str, governance: &str) -> Result<Vec<Tool>, DefinitionError> {
    let definitions = fs::read_to_string(root().join(published(catalogue))).unwrap();
    let dispatch = |_: ToolName, _: Arguments, _: Call| async move { Ok::<_, HandlerError>("ran") };
    import_definitions(&definitions, dispatch, &GovernanceTable::text(governance))
}

/// `code pointer` of every problem.
fn problems(error: &DefinitionError) -> Vec<String> {
    error.problems().iter().map(|problem| format!("{} {}", problem.code, problem.pointer)).collect()
}

#[test]
fn every_tool_is_in_the_file_and_nothing_is_set() {
    for catalogue in CATALOGUES {
        let rows = rows(&template(catalogue));
        assert_eq!(rows.len(), 2);
        for (name, row) in rows {
            assert_eq!(row["//"].as_array().unwrap()[0].as_str().unwrap().split(' ').next(), Some("suggested:"));
            let mut unset = row.as_object().unwrap().clone();
            unset.remove("//");
            let fields = ["confirm", "retain", "reversible", "roles", "sensitivity", "timeout_ms"];
            assert_eq!(unset.keys().collect::<Vec<_>>(), fields, "{name}");
            assert!(unset.values().all(Value::is_null), "{name}: {unset:?}");
        }
    }
}

#[test]
fn a_filled_file_is_the_governance() {
    for catalogue in CATALOGUES {
        let tools = import(catalogue, &filled(&template(catalogue)).to_string()).unwrap();
        assert_eq!(tools.len(), 2);
        for tool in tools {
            assert_eq!(tool.declaration().sensitivity(), Sensitivity::Low);
            assert_eq!(tool.declaration().reversibility(), Reversibility::Irreversible);
        }
    }
}

/// The comments suggest something for every one of these tools; none of it may count.
#[test]
fn an_unset_file_starts_nothing_and_names_every_field() {
    for catalogue in CATALOGUES {
        let template = template(catalogue);
        let error = import(catalogue, &template).unwrap_err();
        let mut expected: Vec<_> = rows(&template)
            .keys()
            .flat_map(|name| {
                [("sensitivity", "sensitivity"), ("reversibility", "reversible"), ("roles", "roles")]
                    .map(|(code, field)| format!("invalid_{code} /governance/{name}/{field}"))
            })
            .collect();
        let mut found = problems(&error);
        assert!(error.problems().iter().all(|problem| problem.problem.ends_with("not set")), "{error}");
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
    }
}

#[test]
fn missing_extra_and_unset_entries_are_all_named() {
    let catalogue = "server-slack";
    let mut table = filled(&template(catalogue));
    let rows = table.as_object_mut().unwrap();
    let missing = rows.remove("slack_post_message").unwrap();
    rows.insert("slack_post_mesage".to_owned(), missing);
    rows["slack_add_reaction"]["roles"] = Value::Null;
    rows.insert("slack_archive".to_owned(), json!({"//": "", "sensitivity": null}));
    let error = import(catalogue, &table.to_string()).unwrap_err();
    let mut found = problems(&error);
    found.sort();
    assert_eq!(
        found,
        [
            "invalid_reversibility /governance/slack_archive/reversible",
            "invalid_roles /governance/slack_add_reaction/roles",
            "invalid_roles /governance/slack_archive/roles",
            "invalid_sensitivity /governance/slack_archive/sensitivity",
            "missing_governance /0",
            "unknown_governance /governance/slack_archive",
            "unknown_governance /governance/slack_post_mesage",
        ],
        "{error}"
    );
}

#[test]
fn a_refused_tool_is_in_the_file_too_and_a_repeated_one_once() {
    let out = fresh("shop.governance.json");
    let shop = "crates/mtb-import/samples/shop.json";
    let ran = run(&["--governance", &out, shop, shop]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let text = fs::read_to_string(out).unwrap();
    let rows = rows(&text);
    assert_eq!(rows.keys().collect::<Vec<_>>(), ["refund_order", "search_orders"]);
    assert_eq!(text.matches("\"refund_order\"").count(), 1);
    assert_eq!(
        rows["refund_order"]["//"],
        json!([
            "suggested: sensitivity high, reversible false",
            "because `refund` in its name says that it reaches others",
            "because its argument `amount` is about money",
            "2 definitions have this name: the suggestion is the gravest of theirs",
        ])
    );
}

/// Two files may define tools of one name that differ in what they can do.
#[test]
fn the_gravest_of_several_definitions_is_suggested() {
    let tool = |arguments: &str| {
        format!(
            r#"[{{"name": "get_rows", "description": "Reads.",
                "inputSchema": {{"type": "object", "properties": {{{arguments}}}}}}}]"#
        )
    };
    let (one, two) = (file("one.json", &tool("")), file("two.json", &tool(r#""sql": {"type": "string"}"#)));
    for files in [[&one, &two], [&two, &one]] {
        let out = fresh("rows.governance.json");
        let ran = run(&["--governance", &out, files[0], files[1]]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let rows = rows(&fs::read_to_string(out).unwrap());
        let comment = rows["get_rows"]["//"].as_array().unwrap();
        assert_eq!(comment[0], "suggested: sensitivity high, reversible false");
        assert_eq!(comment.last().unwrap().as_str().unwrap().split(' ').next(), Some("2"), "{comment:?}");
    }
}

#[test]
fn a_definition_without_an_entry_is_told() {
    let text = r#"{"tools": [{"name": "a", "description": "A."}, {"name": "b c", "description": "B."}, 7]}"#;
    let (out, definitions) = (fresh("some.governance.json"), file("some.json", text));
    let ran = run(&["--governance", &out, &definitions]);
    assert_eq!(rows(&fs::read_to_string(&out).unwrap()).keys().collect::<Vec<_>>(), ["a"]);
    let told: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with("warning: the governance has no")).collect();
    assert_eq!(told.len(), 2, "{}", ran.stdout);
    assert!(told[0].contains("/tools/1") && told[1].contains("/tools/2"), "{told:?}");
    assert!(!run(&[&definitions]).stdout.contains("warning"));
}
