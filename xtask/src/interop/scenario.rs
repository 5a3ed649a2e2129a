use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a client does with the example, and what must come of it. `scenarios.toml` says what each field means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scenario {
    pub(super) name: String,
    pub(super) roles: String,
    #[serde(default)]
    pub(super) answer: Answer,
    #[serde(default)]
    pub(super) asked: usize,
    #[serde(default)]
    pub(super) sends: usize,
    #[serde(rename = "step")]
    pub(super) steps: Vec<Step>,
}

/// How the person answers a question that is asked in band.
#[derive(Debug, Default, Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// The client declares no elicitation.
    #[default]
    Absent,
    Accept,
    /// Accepts the form with `confirm: false`.
    AcceptFalse,
    Decline,
    Cancel,
}

/// One request. Serialises to what a driver is told, which is all but the expectation.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Step {
    List {
        #[serde(skip_serializing)]
        expect: Expect,
    },
    Call {
        tool: String,
        arguments: BTreeMap<String, Value>,
        /// The earlier step, counted from 1, whose token is sent along.
        #[serde(default, rename(serialize = "tokenOf"), skip_serializing_if = "Option::is_none")]
        token_of: Option<usize>,
        #[serde(skip_serializing)]
        expect: Expect,
    },
}

/// What one answer must be; what is left out is not looked at.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Expect {
    pub(super) tools: Option<Vec<String>>,
    pub(super) error_code: Option<i64>,
    pub(super) is_error: Option<bool>,
    pub(super) text: Vec<String>,
    pub(super) text_lacks: Vec<String>,
    pub(super) structured: BTreeMap<String, Value>,
    pub(super) structured_has: Vec<String>,
    pub(super) held: bool,
    pub(super) lacks: Vec<String>,
    pub(super) same_as: Option<usize>,
}

impl Step {
    pub(super) fn expect(&self) -> &Expect {
        match self {
            Self::List { expect } | Self::Call { expect, .. } => expect,
        }
    }

    /// The tool that is called.
    pub(super) fn tool(&self) -> Option<&str> {
        match self {
            Self::List { .. } => None,
            Self::Call { tool, .. } => Some(tool),
        }
    }
}

/// The scenarios of `scenarios.toml`.
pub(super) fn table() -> Result<Vec<Scenario>> {
    parse(include_str!("../../interop/scenarios.toml"))
}

pub(super) fn parse(text: &str) -> Result<Vec<Scenario>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        scenario: Vec<Scenario>,
    }
    Ok(toml::from_str::<Table>(text).context("scenarios.toml")?.scenario)
}

#[cfg(test)]
mod tests {
    use super::{Step, parse, table};

    #[test]
    fn a_misspelt_expectation_is_refused() {
        for step in [
            "do = \"list\"\nexpect = { tols = [] }",
            "do = \"list\"",
            "do = \"lists\"\nexpect = {}",
            "do = \"call\"\ntool = \"a\"\nexpect = {}",
        ] {
            let text = format!("[[scenario]]\nname = \"a\"\nroles = \"r\"\n[[scenario.step]]\n{step}\n");
            assert!(parse(&text).is_err(), "{step}");
        }
    }

    #[test]
    fn the_table_refers_to_earlier_steps_only() {
        for scenario in table().unwrap() {
            for (at, step) in scenario.steps.iter().enumerate() {
                let token_of = if let Step::Call { token_of, .. } = step { *token_of } else { None };
                for earlier in token_of.into_iter().chain(step.expect().same_as) {
                    assert!((1..=at).contains(&earlier), "{}, step {}", scenario.name, at + 1);
                }
            }
        }
    }

    #[test]
    fn a_driver_is_told_all_but_what_is_expected() {
        let text = "[[scenario]]\nname = \"a\"\nroles = \"r\"\n[[scenario.step]]\ndo = \"call\"\ntool = \"t\"\n\
            arguments = { n = 1 }\ntoken_of = 1\nexpect = { is_error = true }\n";
        let told = serde_json::to_string(&parse(text).unwrap()[0].steps).unwrap();
        assert_eq!(told, r#"[{"do":"call","tool":"t","arguments":{"n":1},"tokenOf":1}]"#);
    }
}
