use mtb_adapt::{GovernanceTable, ImportOptions, SchemaOptions, check_definitions};
use mtb_bridge::CallOutcome;
use mtb_core::{Dialect, UnknownArguments};
use serde_json::{Value, json};

use crate::lab::{Dispatched, Lab, all_harmless, completed, problems};

const FOREIGN: &str = "https://example.com/schema";

/// Two tools whose schemas differ in nothing but the tool's name.
fn definitions(property: &Value) -> Value {
    let schema = json!({"type": "object", "properties": {"to": property}});
    let tool = |name| json!({"name": name, "description": "Does it.", "inputSchema": schema, "outputSchema": schema});
    json!([tool("a"), tool("b")])
}

/// Imports both tools with these options; each `code tool pointer` that keeps them out.
fn refused(definitions: &Value, options: &ImportOptions) -> Vec<String> {
    let imported = Dispatched::default().import_with(definitions, &all_harmless(&["a", "b"]), options);
    let refused = imported.err().map(|error| problems(&error)).unwrap_or_default();
    let report = check_definitions(definitions, options);
    assert_eq!(report.refused().map(problems).unwrap_or_default(), refused, "both say the same");
    refused
}

#[test]
fn nothing_is_wider_than_its_options_say() {
    let format = definitions(&json!({"type": "string", "format": "callsign"}));
    let keyword = definitions(&json!({"type": "string", "x-order": 1}));
    let mut dialect = definitions(&json!({"type": "string"}));
    for tool in dialect.as_array_mut().unwrap() {
        for schema in ["inputSchema", "outputSchema"] {
            tool[schema]["$schema"] = json!(FOREIGN);
        }
    }
    let formats = || SchemaOptions::default().allow_formats(["callsign"]);
    let keywords = || SchemaOptions::default().allow_keywords(["x-order"]);
    let dialects = || SchemaOptions::default().allow_dialect(FOREIGN, Dialect::Draft7);
    let strict = ImportOptions::default;
    for (definitions, place, all, one, others) in [
        (&format, "properties/to/format", strict().allow_formats(["callsign"]), formats(), [keywords(), dialects()]),
        (&keyword, "properties/to/x-order", strict().allow_keywords(["x-order"]), keywords(), [formats(), dialects()]),
        (&dialect, "$schema", strict().allow_dialect(FOREIGN, Dialect::Draft7), dialects(), [formats(), keywords()]),
    ] {
        let of = |index: usize, tool: &str| {
            ["inputSchema", "outputSchema"].map(|schema| format!("invalid_schema {tool} /{index}/{schema}/{place}"))
        };
        let both = [of(0, "a"), of(1, "b")].concat();
        assert_eq!(refused(definitions, &strict()), both);
        for other in others {
            assert_eq!(refused(definitions, &strict().for_tool("a", other)), both);
        }
        assert_eq!(refused(definitions, &strict().for_tool("b", one)), of(0, "a"));
        assert_eq!(refused(definitions, &all), [""; 0]);
    }
}

#[test]
fn options_of_an_undefined_tool_are_a_problem() {
    let definitions = definitions(&json!({"type": "string"}));
    for name in ["c", "A", "", "a/b"] {
        let options = ImportOptions::default().for_tool(name, SchemaOptions::default().allow_formats(["x"]));
        let place = name.replace('/', "~1");
        assert_eq!(refused(&definitions, &options), [format!("unknown_options {name} /options/{place}")]);
    }
}

/// Not once for every schema: the mistake is in the options.
#[test]
fn what_is_checked_already_is_told_once() {
    let definitions = definitions(&json!({"type": "string", "format": "email"}));
    let needless = || SchemaOptions::default().allow_formats(["email", "sql"]);
    let draft = "http://json-schema.org/draft-07/schema#";
    for (options, expected) in [
        (ImportOptions::default().allow_formats(["email", "sql"]), "needless_options  /options"),
        (ImportOptions::default().allow_keywords(["type", "x-order"]), "needless_options  /options"),
        (ImportOptions::default().allow_dialect(draft, Dialect::Draft4), "needless_options  /options"),
        (ImportOptions::default().for_tool("b", needless()), "needless_options b /options/b"),
    ] {
        assert_eq!(refused(&definitions, &options), [expected]);
    }
    let everywhere = ImportOptions::default().allow_formats(["email", "date"]).for_tool("a", needless());
    let expected = ["needless_options  /options", "needless_options  /options", "needless_options a /options/a"];
    assert_eq!(refused(&definitions, &everywhere), expected);
    assert_eq!(refused(&definitions, &ImportOptions::default().allow_formats(["sql"])), [""; 0]);
}

/// What a person reads before an imported tool runs.
#[tokio::test]
async fn a_host_says_what_a_person_confirms() {
    let sums = r#"{"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}"#;
    let definitions = format!(
        r#"[{{"name": "pay", "description": "Pays.", "inputSchema": {sums}}},
            {{"name": "refund", "title": "Refund a sum", "description": "Pays back.", "inputSchema": {sums}}}]"#
    );
    let row = r#"{"sensitivity": "critical", "reversible": false, "roles": ["reader"]}"#;
    let governance = GovernanceTable::text(&format!(r#"{{"pay": {row}, "refund": {row}}}"#));
    let plain = ImportOptions::default();
    let told = plain.clone().summarize(|tool, arguments| {
        (arguments.integer("sum") != Ok(0)).then(|| format!("{tool}\u{1b} {}", arguments.integer("sum").unwrap()))
    });
    let long = plain.clone().summarize(|_, _| Some("x".repeat(5_000)));
    let cut = format!("{}…", "x".repeat(1_000));
    for (options, sum, [pay, refund]) in [
        (&plain, 5, ["pay", "Refund a sum"]),
        (&told, 5, ["pay  5", "refund  5"]),
        (&told, 0, ["pay", "Refund a sum"]),
        (&long, 5, [&*cut, &*cut]),
    ] {
        let dispatched = Dispatched::default();
        let lab = Lab::new(dispatched.import_with(&definitions, &governance, options).unwrap());
        for (tool, expected) in [("pay", pay), ("refund", refund)] {
            let outcome = lab.call(tool, json!({"sum": sum})).await;
            let CallOutcome::ConfirmationRequired { confirmation, .. } = outcome else { panic!("{outcome:?}") };
            assert_eq!(confirmation.summary, expected);
        }
        assert_eq!(dispatched.calls(), []);
    }
    assert!(told == told.clone() && told != plain && told != long);
}

#[test]
fn a_review_sees_what_was_widened_and_for_whom() {
    let mut definitions = definitions(&json!({"type": "string", "format": "callsign"}));
    for schema in ["inputSchema", "outputSchema"] {
        definitions[1][schema]["$schema"] = json!(FOREIGN);
        definitions[1][schema]["x-order"] = json!(["to"]);
        definitions[1][schema]["properties"]["to"]["x-kind"] = json!("sign");
    }
    let one = SchemaOptions::default().allow_keywords(["x-order"]).allow_dialect(FOREIGN, Dialect::Draft7);
    // What is said twice adds up.
    let again = SchemaOptions::default().allow_keywords(["x-kind"]);
    // What no schema uses is not in the review.
    let options = ImportOptions::default().allow_formats(["callsign", "sql"]).for_tool("b", one).for_tool("b", again);
    let tools = Dispatched::default().import_with(&definitions, &all_harmless(&["a", "b"]), &options).unwrap();
    let seen = tools.iter().map(|tool| {
        let (arguments, output) = (tool.declaration().arguments(), tool.declaration().output().unwrap());
        assert_eq!(arguments.allowances(), output.allowances());
        arguments.allowances().to_string()
    });
    let of_b = format!("formats `callsign`; keywords `x-kind`, `x-order`; dialects `{FOREIGN}` as draft-07");
    assert_eq!(seen.collect::<Vec<_>>(), ["formats `callsign`", &of_b]);
}

#[tokio::test]
async fn unknown_arguments_are_closed_for_all_or_for_one() {
    let definitions = definitions(&json!({"type": "string"}));
    let declared = SchemaOptions::default().unknown_arguments(UnknownArguments::AsDeclared);
    let closed = SchemaOptions::default().unknown_arguments(UnknownArguments::Refuse);
    let all = ImportOptions::default().unknown_arguments(UnknownArguments::Refuse);
    for (options, [a, b]) in [
        (ImportOptions::default(), ["ok", "ok"]),
        (all.clone(), ["invalid_arguments", "invalid_arguments"]),
        (all.for_tool("b", declared), ["invalid_arguments", "ok"]),
        (ImportOptions::default().for_tool("a", closed), ["invalid_arguments", "ok"]),
    ] {
        let dispatched = Dispatched::default();
        let definitions = json!([without_output(&definitions[0]), without_output(&definitions[1])]);
        let lab = Lab::new(dispatched.import_with(&definitions, &all_harmless(&["a", "b"]), &options).unwrap());
        for (tool, status) in [("a", a), ("b", b)] {
            assert_eq!(lab.call(tool, json!({"to": "x", "bcc": "y"})).await.status(), status, "{options:?}");
            completed(lab.call(tool, json!({"to": "x"})).await);
        }
    }
}

fn without_output(definition: &Value) -> Value {
    let mut definition = definition.clone();
    definition.as_object_mut().unwrap().remove("outputSchema");
    definition
}
