//! Definitions that real servers and clients publish; see `tests/data/LICENCES.md`.

use mtb_core::DefinitionCode;
use serde_json::json;

use crate::lab::{Dispatched, Lab, all_harmless, completed};

const TIME: &str = include_str!("../data/mcp-server-time.json");
const SEARCH: &str = include_str!("../data/server-brave-search.json");
const AGENTS: &str = include_str!("../data/openai-agents-python.json");
const SLACK: &str = include_str!("../data/server-slack.json");

#[test]
fn published_definitions_are_refused_as_they_are() {
    for (text, tools) in [(TIME, 2), (SEARCH, 2), (AGENTS, 2), (SLACK, 2)] {
        let error = Dispatched::default().import(text, &all_harmless(&[])).unwrap_err();
        let missing = error.problems().iter().filter(|problem| problem.code == DefinitionCode::MissingGovernance);
        assert_eq!(missing.count(), tools, "{error}");
    }
}

#[test]
fn published_definitions_are_read_once_they_are_governed() {
    for (text, names) in [
        (TIME, &["get_current_time", "convert_time"][..]),
        (SEARCH, &["brave_web_search", "brave_local_search"]),
        (AGENTS, &["get_proposal", "get_customer_profile"]),
        (SLACK, &["slack_post_message", "slack_add_reaction"]),
    ] {
        let tools = Dispatched::default().import(text, &all_harmless(names)).unwrap_or_else(|error| panic!("{error}"));
        let imported: Vec<_> = tools.iter().map(|tool| tool.declaration().name().as_str()).collect();
        assert_eq!(imported, names);
    }
}

#[tokio::test]
async fn a_published_schema_is_enforced() {
    let dispatched = Dispatched::default();
    let names = ["get_proposal", "get_customer_profile"];
    let lab = Lab::new(dispatched.import(AGENTS, &all_harmless(&names)).unwrap());
    for arguments in [json!({}), json!({"proposal": "gamma"}), json!({"proposal": "alpha", "extra": 1})] {
        assert_eq!(lab.call("get_proposal", arguments).await.status(), "invalid_arguments");
    }
    assert_eq!(dispatched.calls(), []);
    completed(lab.call("get_proposal", json!({"proposal": "alpha"})).await);
}
