use std::time::Duration;

use mtb_adapt::{GovernanceTable, Governed};
use mtb_bridge::CallOutcome;
use mtb_core::{ConfirmMode, DefinitionCode, Governance, Retain, Reversibility, Sensitivity, any_of};
use serde_json::{Value, json};

use crate::lab::{Dispatched, Lab, editor, harmless, problems, query_schema};

fn search() -> Value {
    json!([{"name": "search", "description": "Finds.", "input_schema": query_schema()}])
}

/// Refuses this governance of `search`, with exactly these problems, each `code tool pointer`.
#[track_caller]
fn check(row: &str, expected: &[&str]) {
    let table = GovernanceTable::text(&format!(r#"{{"search": {row}}}"#));
    let error = Dispatched::default().import(&search(), &table).unwrap_err();
    assert_eq!(problems(&error), expected, "{row}: {error}");
}

#[test]
fn a_bad_row_is_refused_at_its_place() {
    let row = |change: &str| format!(r#"{{"sensitivity": "none", "reversible": true, "roles": ["reader"]{change}}}"#);
    for (row, expected) in [
        // case 49
        (
            r#"{"sensitivity": "extreme", "reversible": true, "roles": ["reader"]}"#.to_owned(),
            "invalid_sensitivity search /governance/search/sensitivity",
        ),
        (
            r#"{"sensitivity": "None", "reversible": true, "roles": ["reader"]}"#.to_owned(),
            "invalid_sensitivity search /governance/search/sensitivity",
        ),
        (
            r#"{"reversible": true, "roles": ["reader"]}"#.to_owned(),
            "invalid_sensitivity search /governance/search/sensitivity",
        ),
        (
            r#"{"sensitivity": "none", "reversible": "yes", "roles": ["reader"]}"#.to_owned(),
            "invalid_reversibility search /governance/search/reversible",
        ),
        // case 50
        (
            r#"{"sensitivity": "none", "reversible": true, "roles": []}"#.to_owned(),
            "invalid_roles search /governance/search/roles",
        ),
        (
            r#"{"sensitivity": "none", "reversible": true, "roles": "reader"}"#.to_owned(),
            "invalid_roles search /governance/search/roles",
        ),
        (
            r#"{"sensitivity": "none", "reversible": true, "roles": [" reader"]}"#.to_owned(),
            "invalid_roles search /governance/search/roles/0",
        ),
        (
            r#"{"sensitivity": "none", "reversible": true, "roles": ["reader", 7]}"#.to_owned(),
            "invalid_roles search /governance/search/roles/1",
        ),
        (
            r#"{"sensitivity": "none", "reversible": true, "roles": ["reader", ""]}"#.to_owned(),
            "invalid_roles search /governance/search/roles/1",
        ),
        (row(r#", "confirm": "never""#), "invalid_definition search /governance/search/confirm"),
        (row(r#", "confrim": "always""#), "invalid_definition search /governance/search/confrim"),
        (row(r#", "sensitivity": "low""#), "invalid_definition search /governance/search/sensitivity"),
        (row(r#", "timeout_ms": "10""#), "invalid_timeout search /governance/search/timeout_ms"),
        (row(r#", "timeout_ms": 0"#), "invalid_timeout search /governance/search/timeout_ms"),
        (row(r#", "timeout_ms": 1.5"#), "invalid_timeout search /governance/search/timeout_ms"),
        (row(r#", "retain": {"arguments": "/query"}"#), "invalid_retention search /governance/search/retain/arguments"),
        (row(r#", "retain": {"errors": 1}"#), "invalid_retention search /governance/search/retain/errors"),
        (row(r#", "retain": {"args": []}"#), "invalid_definition search /governance/search/retain/args"),
        (row(r#", "retain": []"#), "invalid_definition search /governance/search/retain"),
        (
            row(r#", "retain": {"arguments": ["query"]}"#),
            "invalid_retention search /governance/search/retain/arguments/0",
        ),
        ("[]".to_owned(), "invalid_definition search /governance/search"),
    ] {
        check(&row, &[expected]);
    }
}

#[test]
fn every_problem_of_a_row_is_told() {
    check(
        r#"{"sensitivity": "none", "reversible": true, "roles": [7, "reader", " "]}"#,
        &["invalid_roles search /governance/search/roles/0", "invalid_roles search /governance/search/roles/2"],
    );
    let missing = ["sensitivity", "reversibility", "roles"].map(|code| {
        let member = if code == "reversibility" { "reversible" } else { code };
        format!("invalid_{code} search /governance/search/{member}")
    });
    check("{}", &missing.each_ref().map(String::as_str));
}

#[test]
fn what_is_not_set_is_told_like_what_is_missing() {
    let unset =
        ["sensitivity", "reversible", "roles", "confirm", "retain", "timeout_ms"].map(|name| (name, Value::Null));
    let unset = serde_json::to_string(&unset.into_iter().collect::<std::collections::BTreeMap<_, _>>()).unwrap();
    let missing = [
        "invalid_sensitivity search /governance/search/sensitivity",
        "invalid_reversibility search /governance/search/reversible",
        "invalid_roles search /governance/search/roles",
    ];
    check(&unset, &missing);
    for (row, unset) in [("null", 3), ("7", 0)] {
        let table = format!(r#"{{"search": {{"sensitivity": {row}, "reversible": {row}, "roles": {row}}}}}"#);
        let error = Dispatched::default().import(&search(), &GovernanceTable::text(&table)).unwrap_err();
        assert_eq!(problems(&error), missing);
        let told = error.problems().iter().filter(|problem| problem.problem.ends_with("not set"));
        assert_eq!(told.count(), unset, "{error}");
    }
}

#[test]
fn comments_are_ignored_by_their_name_only() {
    let row = |comment: &str| {
        format!(
            r#"{{"sensitivity": "none", {comment} "reversible": true, "roles": ["reader"], "retain": {{{comment} "errors": true}}}}"#
        )
    };
    let table = |comment: &str| GovernanceTable::text(&format!(r#"{{{comment} "search": {}}}"#, row(comment)));
    for comment in [r#""//": "text","#, r#""//": ["a", {"b": 1}],"#, r#""//": null,"#] {
        assert_eq!(table(comment), table(""), "{comment}");
        assert!(Dispatched::default().import(&search(), &table(comment)).is_ok());
    }
    for comment in ["///", "/", "// sensitivity", "#", "_comment"] {
        let error = Dispatched::default().import(&search(), &table(&format!(r#""{comment}": "text","#))).unwrap_err();
        assert!(error.has(DefinitionCode::UnknownGovernance), "{error}");
        assert_eq!(
            problems(&error).iter().filter(|line| line.starts_with("invalid_definition search")).count(),
            2,
            "{error}"
        );
    }
    check(
        &row(r#""//": 1, "//": 2,"#),
        &[
            "invalid_definition search /governance/search/~1~1",
            "invalid_definition search /governance/search/retain/~1~1",
        ],
    );
}

#[test]
fn a_table_that_cannot_be_read_is_one_problem() {
    for table in ["", "[]", "{\"search\": }", "null"] {
        let error = Dispatched::default().import(&search(), &GovernanceTable::text(table)).unwrap_err();
        // That `search` is not classified is not known.
        assert_eq!(problems(&error), ["invalid_definition  /governance"], "{table:?}: {error}");
    }
    let twice = r#"{"search": {"sensitivity": "none", "reversible": true, "roles": ["reader"]}, "search": {}}"#;
    let error = Dispatched::default().import(&search(), &GovernanceTable::text(twice)).unwrap_err();
    assert!(problems(&error).contains(&"duplicate_name search /governance/search".to_owned()), "{error}");
}

#[test]
fn bad_values_of_a_rust_table_are_refused_too() {
    for (governed, expected) in [
        (
            Governed::new(Governance { roles: any_of(Vec::<String>::new()), ..harmless() }),
            "invalid_roles search /governance/search/roles",
        ),
        (Governed::new(harmless()).timeout(Duration::ZERO), "invalid_timeout search /governance/search/timeout_ms"),
        (
            Governed::new(harmless()).retain(Retain::nothing().result("id")),
            "invalid_retention search /governance/search/retain/result/0",
        ),
    ] {
        let table = GovernanceTable::new().tool("search", governed);
        let error = Dispatched::default().import(&search(), &table).unwrap_err();
        assert_eq!(problems(&error), [expected], "{error}");
    }
}

#[test]
fn what_is_declared_arrives() {
    let row = r#"{
        "sensitivity": "medium", "reversible": false, "roles": ["editor", "admin"], "confirm": "always",
        "retain": {"arguments": ["/query"], "result": [], "errors": true}, "timeout_ms": 1500
    }"#;
    let text = GovernanceTable::text(&format!(r#"{{"search": {row}}}"#));
    let governance = Governance {
        sensitivity: Sensitivity::Medium,
        reversibility: Reversibility::Irreversible,
        roles: any_of(["editor", "admin"]),
    };
    let governed = Governed::new(governance)
        .always_confirm()
        .retain(Retain::nothing().argument("/query").errors())
        .timeout(Duration::from_millis(1500));
    for table in [text, GovernanceTable::new().tool("search", governed)] {
        let tools = Dispatched::default().import(&search(), &table).unwrap();
        let declaration = tools[0].declaration();
        assert_eq!(declaration.sensitivity(), Sensitivity::Medium);
        assert_eq!(declaration.reversibility(), Reversibility::Irreversible);
        let roles: Vec<_> = declaration.roles().as_slice().iter().map(mtb_core::Role::as_str).collect();
        assert_eq!(roles, ["editor", "admin"]);
        assert_eq!(declaration.confirm(), ConfirmMode::Always);
        assert_eq!(declaration.timeout(), Some(Duration::from_millis(1500)));
        let kept: Vec<_> = declaration.retention().arguments().iter().map(mtb_core::KeepPointer::as_str).collect();
        assert_eq!(kept, ["/query"]);
        assert!(declaration.retention().keeps_errors());
    }
}

#[tokio::test]
async fn governance_decides_who_may_call_and_what_waits() {
    let table = r#"{"search": {"sensitivity": "high", "reversible": false, "roles": ["editor"]}}"#;
    let dispatched = Dispatched::default();
    let lab = Lab::new(dispatched.import(&search(), &GovernanceTable::text(table)).unwrap());
    let outcome = lab.call("search", json!({"query": "x"})).await;
    assert!(matches!(outcome, CallOutcome::Rejected { .. }), "{outcome:?}"); // case 41
    assert_eq!(lab.last_event()["reason"], "forbidden");
    let outcome = lab.call_as(&editor(), "search", json!({"query": "x"})).await;
    assert!(matches!(outcome, CallOutcome::ConfirmationRequired { .. }), "{outcome:?}");
    assert_eq!(dispatched.calls(), []);
}
