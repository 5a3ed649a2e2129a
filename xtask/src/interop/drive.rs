use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{Client, Mode};
use super::scenario::Scenario;
use crate::child::run_within;

/// A driver ends by itself within this many seconds.
const SCENARIO_SECONDS: u64 = 20;
/// Past this it is killed; the server it started then meets the end of its input.
const KILL_AFTER: Duration = Duration::from_secs(SCENARIO_SECONDS + 10);

/// The line that the example prints on stderr when an email really goes out.
const EFFECT: &str = "[example] email to";

/// What a driver saw.
#[derive(Debug, Deserialize)]
pub(super) struct Seen {
    pub(super) protocol: String,
    /// Parameters of the questions that the person was asked.
    pub(super) questions: Vec<Value>,
    /// One for each step.
    pub(super) outcomes: Vec<Outcome>,
    /// How many emails went out; counted here, from the server's stderr.
    #[serde(skip)]
    pub(super) sends: usize,
}

/// What came of one step.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Outcome {
    Tools {
        tools: Vec<Value>,
    },
    /// A result as it stood on the wire.
    Result {
        result: Value,
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
}

/// Lets `driver` carry out `scenario` against a server of its own.
///
/// # Errors
/// When the driver does not end in time, fails, or prints something else than an observation.
pub(super) fn drive(
    driver: &[PathBuf],
    client: &Client,
    mode: &Mode,
    scenario: &Scenario,
    server: &Path,
    folder: &Path,
) -> Result<Seen> {
    let (program, arguments) = driver.split_first().context("the client has no driver")?;
    let runs = folder.join("runs").join(&client.name).join(&mode.name);
    std::fs::create_dir_all(&runs).with_context(|| format!("cannot create {}", runs.display()))?;
    let file = |end: &str| runs.join(format!("{}.{end}", file_name(&scenario.name)));
    let (stdout, stderr, server_stderr) = (file("stdout"), file("stderr"), file("server"));
    let job = json!({
        "server": server, "mode": mode.name, "answer": scenario.answer, "steps": scenario.steps,
        "env": {"EXAMPLE_PRINCIPAL_ID": "alice", "EXAMPLE_PRINCIPAL_ROLES": scenario.roles},
        "seconds": SCENARIO_SECONDS, "stderr": server_stderr,
    });
    let mut command = Command::new(program);
    command.args(arguments).env("PYTHONDONTWRITEBYTECODE", "1");
    let status = run_within(&mut command, &serde_json::to_vec(&job)?, &stdout, &stderr, KILL_AFTER)?.exited()?;
    if !status.success() {
        bail!("the driver ended with {status}: {}", last_line(&stderr));
    }
    let mut seen: Seen =
        serde_json::from_slice(&std::fs::read(&stdout)?).context("the driver printed no observation")?;
    let log = std::fs::read_to_string(&server_stderr).context("the server's stderr cannot be read")?;
    seen.sends = log.lines().filter(|line| line.starts_with(EFFECT)).count();
    Ok(seen)
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
    use super::{Outcome, Seen, file_name};

    #[test]
    fn reads_what_drivers_print() {
        let text = r#"{"protocol":"2025-11-25","questions":[],"outcomes":[
            {"kind":"tools","tools":[]},{"kind":"error","code":-32602,"message":"m"},{"kind":"failed","message":"m"}]}"#;
        let seen: Seen = serde_json::from_str(text).unwrap();
        assert_eq!(seen.outcomes[1], Outcome::Error { code: -32602, message: "m".into() });
        assert!(
            serde_json::from_str::<Seen>(r#"{"protocol":"x","questions":[],"outcomes":[{"kind":"new"}]}"#).is_err()
        );
    }

    #[test]
    fn scenarios_have_plain_file_names() {
        assert_eq!(file_name("asked: accept, not confirmed"), "asked--accept--not-confirmed");
    }
}
