use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::client::Mode;

/// What a client does with the testbed, and what must come of it. `scenarios.toml` says what each field means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scenario {
    pub(super) name: String,
    #[serde(default = "both_roles")]
    pub(super) roles: String,
    #[serde(default)]
    pub(super) answer: Answer,
    pub(super) patience_ms: Option<u32>,
    #[serde(default)]
    pub(super) asked: usize,
    #[serde(default)]
    pub(super) effects: BTreeMap<String, usize>,
    pub(super) audit: Option<Vec<String>>,
    pub(super) since: Option<String>,
    pub(super) until: Option<String>,
    #[serde(rename = "step")]
    pub(super) steps: Vec<Step>,
}

fn both_roles() -> String {
    "reader,editor".to_owned()
}

/// How the person answers a question that is asked in band.
#[derive(Debug, Default, Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// The client declares no elicitation.
    #[default]
    Absent,
    /// The client declares elicitation and has nothing that handles it.
    Unhandled,
    /// The person never answers.
    Silent,
    Accept,
    /// Accepts the form with `confirm: false`.
    AcceptFalse,
    Decline,
    Cancel,
}

/// One thing to do. Serialises to what a driver is told, which is all but the expectation.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Step {
    /// Says who the server says it is.
    Server {
        #[serde(skip_serializing)]
        expect: Expect,
    },
    List {
        #[serde(skip_serializing)]
        expect: Expect,
    },
    /// Asks to be told when the list changes.
    Listen {
        #[serde(skip, default = "Expect::nothing")]
        expect: Expect,
    },
    /// Waits until told that the list changed.
    Changed {
        #[serde(skip, default = "Expect::nothing")]
        expect: Expect,
    },
    Call {
        tool: String,
        arguments: BTreeMap<String, Value>,
        /// The earlier step, counted from 1, whose token is sent along.
        #[serde(default, rename(serialize = "tokenOf"), skip_serializing_if = "Option::is_none")]
        token_of: Option<usize>,
        #[serde(default, skip_serializing_if = "Until::is_answer")]
        until: Until,
        #[serde(skip_serializing)]
        expect: Expect,
        /// Instead of `expect`, where a client of 2026-07-28 cannot see the same.
        #[serde(default, skip_serializing)]
        modern: Option<Box<Expect>>,
    },
    /// The same call, so many times at once.
    Parallel {
        tool: String,
        arguments: BTreeMap<String, Value>,
        count: usize,
        #[serde(skip_serializing)]
        expect: Expect,
    },
}

/// How long the client waits for an answer.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Until {
    #[default]
    Answer,
    /// It cancels the call once the call has reported progress.
    Progress,
    /// It loses patience after some seconds.
    Patience,
}

impl Until {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    fn is_answer(&self) -> bool {
        *self == Self::Answer
    }
}

/// What one answer must be; what is left out is not looked at.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Expect {
    pub(super) server: BTreeMap<String, Value>,
    pub(super) tools: Option<Vec<String>>,
    pub(super) error_code: Option<i64>,
    pub(super) unanswered: bool,
    pub(super) is_error: Option<bool>,
    pub(super) text: Vec<String>,
    pub(super) text_lacks: Vec<String>,
    pub(super) structured: BTreeMap<String, Value>,
    pub(super) structured_has: Vec<String>,
    pub(super) unstructured: bool,
    pub(super) meta: BTreeMap<String, Value>,
    pub(super) held: bool,
    pub(super) progress: Option<usize>,
    pub(super) distinct: Option<String>,
    pub(super) lacks: Vec<String>,
    pub(super) same_as: Option<usize>,
}

impl Expect {
    fn nothing() -> Self {
        Self::default()
    }
}

impl Scenario {
    /// Why there is no such thing in the version that `mode` speaks, if there is not.
    pub(super) fn is_missing_in(&self, mode: &Mode) -> Option<String> {
        let too_old = self.since.as_ref().filter(|since| mode.protocol < **since);
        let too_new = self.until.as_ref().filter(|until| mode.protocol > **until);
        let too_old = too_old.map(|since| format!("the protocol has this since {since}"));
        too_old.or_else(|| too_new.map(|until| format!("the protocol has this up to {until}")))
    }
}

impl Step {
    /// What must come of it in `mode`.
    pub(super) fn expect(&self, mode: &Mode) -> &Expect {
        match self {
            Self::Call { modern: Some(expect), .. } if mode.is_modern() => expect,
            Self::Server { expect }
            | Self::List { expect }
            | Self::Listen { expect }
            | Self::Changed { expect }
            | Self::Call { expect, .. }
            | Self::Parallel { expect, .. } => expect,
        }
    }

    /// The tool that is called.
    pub(super) fn tool(&self) -> Option<&str> {
        match self {
            Self::Call { tool, .. } | Self::Parallel { tool, .. } => Some(tool),
            Self::Server { .. } | Self::List { .. } | Self::Listen { .. } | Self::Changed { .. } => None,
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
    use super::super::client::Mode;
    use super::{Step, parse, table};

    fn mode(protocol: &str) -> Mode {
        Mode { name: "m".into(), protocol: protocol.into() }
    }

    #[test]
    fn a_misspelt_expectation_is_refused() {
        for step in [
            "do = \"list\"\nexpect = { tols = [] }",
            "do = \"list\"",
            "do = \"lists\"\nexpect = {}",
            "do = \"call\"\ntool = \"a\"\nexpect = {}",
            "do = \"call\"\ntool = \"a\"\narguments = {}\nuntil = \"never\"\nexpect = {}",
        ] {
            let text = format!("[[scenario]]\nname = \"a\"\n[[scenario.step]]\n{step}\n");
            assert!(parse(&text).is_err(), "{step}");
        }
    }

    #[test]
    fn the_table_refers_to_earlier_steps_only() {
        for scenario in table().unwrap() {
            for (at, step) in scenario.steps.iter().enumerate() {
                let token_of = if let Step::Call { token_of, .. } = step { *token_of } else { None };
                let same_as = ["2025-11-25", "2026-07-28"].map(|protocol| step.expect(&mode(protocol)).same_as);
                for earlier in token_of.into_iter().chain(same_as.into_iter().flatten()) {
                    assert!((1..=at).contains(&earlier), "{}, step {}", scenario.name, at + 1);
                }
            }
        }
    }

    #[test]
    fn the_names_are_distinct() {
        let scenarios = table().unwrap();
        let names: std::collections::BTreeSet<&str> = scenarios.iter().map(|scenario| scenario.name.as_str()).collect();
        assert_eq!(names.len(), scenarios.len());
    }

    #[test]
    fn a_driver_is_told_all_but_what_is_expected() {
        let text = "[[scenario]]\nname = \"a\"\n[[scenario.step]]\ndo = \"call\"\ntool = \"t\"\n\
            arguments = { n = 1 }\ntoken_of = 1\nuntil = \"patience\"\nexpect = { is_error = true }\nmodern = {}\n\
            [[scenario.step]]\ndo = \"listen\"\n";
        let told = serde_json::to_string(&parse(text).unwrap()[0].steps).unwrap();
        let call = r#"{"do":"call","tool":"t","arguments":{"n":1},"tokenOf":1,"until":"patience"}"#;
        assert_eq!(told, format!(r#"[{call},{{"do":"listen"}}]"#));
    }

    #[test]
    fn what_the_protocol_does_not_have_is_told_by_version() {
        let text = "[[scenario]]\nname = \"a\"\nsince = \"2025-06-18\"\nuntil = \"2025-11-25\"\n\
            [[scenario.step]]\ndo = \"call\"\ntool = \"t\"\narguments = {}\n\
            expect = { held = true }\nmodern = { unanswered = true }\n";
        let scenario = &parse(text).unwrap()[0];
        for (protocol, told) in [("2025-03-26", Some("since")), ("2025-06-18", None), ("2026-07-28", Some("up to"))] {
            let missing = scenario.is_missing_in(&mode(protocol));
            assert_eq!(missing.is_some(), told.is_some(), "{protocol}");
            assert!(missing.is_none_or(|text| text.contains(told.unwrap())), "{protocol}");
        }
        for (protocol, held) in [("2025-11-25", true), ("2026-07-28", false)] {
            assert_eq!(scenario.steps[0].expect(&mode(protocol)).held, held, "{protocol}");
        }
    }
}
