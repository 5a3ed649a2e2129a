use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{Client, Mode};
use super::scenario::Scenario;
use super::transport::Transport;
use crate::child::{Ended, run_within};

/// A driver ends a scenario by itself within this many seconds.
const SCENARIO_SECONDS: u64 = 40;
/// A client that shall not wait for ever loses its patience after this many seconds.
const PATIENCE_SECONDS: u64 = 3;
/// A driver that does not start, or does not keep its time, is killed this much later than it should have ended; the
/// servers it started then meet the end of their input.
const GRACE: Duration = Duration::from_secs(20);
/// What the testbed writes before the name of an effect.
const EFFECT: &str = "[testbed] ";

/// What a driver saw of one scenario.
#[derive(Debug, Deserialize)]
pub(super) struct Seen {
    /// The version that was agreed on.
    pub(super) protocol: String,
    /// Parameters of the questions that the person was asked.
    pub(super) questions: Vec<Value>,
    /// One for each step.
    pub(super) outcomes: Vec<Outcome>,
    /// What really happened and how often; read here, from the testbed's log.
    #[serde(skip)]
    pub(super) effects: BTreeMap<String, usize>,
    /// The audit's events in order, each with its reason if it has one; from the same log.
    #[serde(skip)]
    pub(super) audit: Vec<String>,
}

/// What came of one step.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Outcome {
    Server {
        server: Value,
    },
    Tools {
        tools: Vec<Value>,
    },
    /// A result as it stood on the wire, and how far the call said it was until then.
    Result {
        result: Value,
        #[serde(default)]
        progress: Vec<f64>,
    },
    /// A JSON-RPC error.
    Error {
        code: i64,
        message: String,
    },
    /// The client itself gave up.
    Failed {
        message: String,
    },
    Many {
        outcomes: Vec<Outcome>,
    },
    /// There is nothing to say but that it was done.
    Done,
}

/// A line of a driver's output.
#[derive(Deserialize)]
struct Line {
    scenario: String,
    #[serde(flatten)]
    told: Told,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    Seen(Seen),
    Failed { failed: String },
}

/// A client in one of its modes, with what it takes to run it.
pub(super) struct Cast<'a> {
    /// The command line of its driver.
    pub(super) driver: &'a [PathBuf],
    pub(super) client: &'a Client,
    pub(super) mode: &'a Mode,
    pub(super) transport: &'a Transport,
    /// The program of that transport.
    pub(super) server: &'a Path,
}

/// Lets the driver carry out the scenarios one by one, each against a server of its own; gives what it saw of each.
///
/// # Errors
/// When the driver cannot be started at all.
pub(super) fn drive(
    cast: &Cast<'_>,
    scenarios: &[&Scenario],
    folder: &Path,
    deadline: Instant,
) -> Result<Vec<Result<Seen, String>>> {
    let Cast { driver, client, mode, transport, server } = cast;
    let (program, arguments) = driver.split_first().context("the client has no driver")?;
    let runs = folder.join("runs").join(&transport.name).join(&client.name).join(&mode.name);
    if runs.exists() {
        std::fs::remove_dir_all(&runs).with_context(|| format!("cannot remove {}", runs.display()))?;
    }
    std::fs::create_dir_all(&runs).with_context(|| format!("cannot create {}", runs.display()))?;
    let log = |scenario: &Scenario| runs.join(format!("{}.log", file_name(&scenario.name)));
    let job = |scenario: &&Scenario| {
        let mut env = BTreeMap::from([
            ("TESTBED_PRINCIPAL_ROLES", scenario.roles.clone()),
            ("TESTBED_LOG", log(scenario).to_string_lossy().into_owned()),
            ("RUST_BACKTRACE", "0".to_owned()),
        ]);
        env.extend(scenario.patience_ms.map(|patience| ("TESTBED_ELICITATION_TIMEOUT_MS", patience.to_string())));
        json!({"scenario": scenario.name, "answer": scenario.answer, "steps": scenario.steps, "env": env})
    };
    let jobs = json!({
        "command": server, "arguments": transport.arguments, "speaks": transport.speaks, "mode": mode.name, "folder": runs,
        "seconds": SCENARIO_SECONDS, "patience": PATIENCE_SECONDS,
        "jobs": scenarios.iter().map(job).collect::<Vec<_>>(),
    });
    let (stdout, stderr) = (runs.join("driver.out"), runs.join("driver.err"));
    let mut command = Command::new(program);
    command.args(arguments).envs(quiet());
    let each = Duration::from_secs(SCENARIO_SECONDS);
    let limit = each.saturating_mul(u32::try_from(scenarios.len())?) + GRACE;
    let limit = limit.min(deadline.saturating_duration_since(Instant::now()));
    let ended = run_within(&mut command, &serde_json::to_vec(&jobs)?, &stdout, &stderr, limit)?;
    let printed = std::fs::read_to_string(&stdout)?;
    let told = printed.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
    let mut told: BTreeMap<String, Told> = told.map(|line| (line.scenario, line.told)).collect();
    let told = scenarios.iter().map(|scenario| match told.remove(&scenario.name) {
        Some(Told::Seen(seen)) => Ok(with_log(seen, &std::fs::read_to_string(log(scenario)).unwrap_or_default())),
        Some(Told::Failed { failed }) => Err(failed),
        None => Err(format!("the driver {} without a word about this: {}", how(ended), last_line(&stderr))),
    });
    Ok(told.collect())
}

/// Drivers write nothing into the source tree, and colours into no file.
fn quiet() -> [(&'static str, OsString); 2] {
    [("PYTHONDONTWRITEBYTECODE", "1".into()), ("NO_COLOR", "1".into())]
}

fn how(ended: Ended) -> String {
    match ended {
        Ended::Exited(status) => format!("ended with {status}"),
        Ended::TimedOut => "took too long and was killed".to_owned(),
        Ended::Interrupted => "was interrupted".to_owned(),
    }
}

fn with_log(mut seen: Seen, log: &str) -> Seen {
    for line in log.lines() {
        if let Some(effect) = line.strip_prefix(EFFECT) {
            *seen.effects.entry(effect.to_owned()).or_default() += 1;
        } else if let Ok(event) = serde_json::from_str::<Value>(line) {
            seen.audit.push(event_name(&event));
        }
    }
    seen
}

/// `call.failed timeout` of an event, for example.
fn event_name(event: &Value) -> String {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
    let why = text("/detail").or_else(|| text("/reason")).or_else(|| text("/error/kind"));
    let kind = text("/type").unwrap_or("an event without a type");
    why.map_or_else(|| kind.to_owned(), |why| format!("{kind} {why}"))
}

fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

fn last_line(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.trim_end().lines().next_back().unwrap_or("it said nothing").to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Line, Outcome, Seen, Told, file_name, with_log};

    const SEEN: &str = r#"{"scenario":"a","protocol":"2025-11-25","questions":[],"outcomes":[
        {"kind":"tools","tools":[]},{"kind":"error","code":-32602,"message":"m"},{"kind":"failed","message":"m"},
        {"kind":"done"},{"kind":"many","outcomes":[{"kind":"result","result":{},"progress":[1,2.5]}]}]}"#;

    fn seen() -> Seen {
        match serde_json::from_str::<Line>(SEEN).unwrap().told {
            Told::Seen(seen) => seen,
            Told::Failed { failed } => panic!("{failed}"),
        }
    }

    #[test]
    fn reads_what_drivers_print() {
        let outcomes = seen().outcomes;
        assert_eq!(outcomes[1], Outcome::Error { code: -32602, message: "m".into() });
        let result = Outcome::Result { result: serde_json::json!({}), progress: vec![1.0, 2.5] };
        assert_eq!(outcomes[4], Outcome::Many { outcomes: vec![result] });
        let failed = serde_json::from_str::<Line>(r#"{"scenario":"a","failed":"why"}"#).unwrap();
        assert!(matches!(failed.told, Told::Failed { failed } if failed == "why"));
        assert!(serde_json::from_str::<Line>(&SEEN.replace("\"done\"", "\"new\"")).is_err());
    }

    #[test]
    fn reads_what_the_testbed_logs() {
        let log = "{\"type\":\"call.started\"}\n[testbed] sent\n\
            {\"type\":\"call.failed\",\"error\":{\"kind\":\"timeout\"}}\n[testbed] sent\nthread panicked\n";
        let seen = with_log(seen(), log);
        assert_eq!(seen.effects, [("sent".to_owned(), 2)].into());
        assert_eq!(seen.audit, ["call.started", "call.failed timeout"]);
    }

    #[test]
    fn scenarios_have_plain_file_names() {
        assert_eq!(file_name("asked: accept, not confirmed"), "asked--accept--not-confirmed");
    }
}
