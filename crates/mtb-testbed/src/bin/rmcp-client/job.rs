use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value};

/// What xtask asks of a driver.
#[derive(Debug, Deserialize)]
pub(crate) struct Work {
    /// The server's program.
    pub(crate) command: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) mode: String,
    /// The longest one scenario may take.
    pub(crate) seconds: u64,
    /// How long a client waits that shall lose its patience, in seconds.
    pub(crate) patience: u64,
    pub(crate) jobs: Vec<Job>,
}

/// One scenario.
#[derive(Debug, Deserialize)]
pub(crate) struct Job {
    pub(crate) scenario: String,
    pub(crate) answer: Answer,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) steps: Vec<Step>,
}

/// How the person answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    Absent,
    Unhandled,
    Silent,
    Accept,
    AcceptFalse,
    Decline,
    Cancel,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub(crate) enum Step {
    Server,
    List,
    Listen,
    Changed,
    Call {
        tool: String,
        arguments: Map<String, Value>,
        /// The earlier step, counted from 1, whose token is sent along.
        token_of: Option<usize>,
        #[serde(default)]
        until: Until,
    },
    Parallel {
        tool: String,
        arguments: Map<String, Value>,
        count: usize,
    },
}

/// How long a call is waited for.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Until {
    #[default]
    Answer,
    Progress,
    Patience,
}
