use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// One thing that a scenario looked at.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Check {
    pub(super) id: String,
    pub(super) status: Status,
    pub(super) error_message: Option<String>,
}

/// How that went, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Status {
    Info,
    Skipped,
    Success,
    Warning,
    Failure,
}

/// What was checked, by scenario.
pub(super) type Scenarios = BTreeMap<String, Vec<Check>>;

/// Reads what the suite has written: a folder a scenario, with its checks.
///
/// # Errors
/// When a folder is none of a scenario's, or its checks cannot be read.
pub(super) fn read(folder: &Path) -> Result<Scenarios> {
    let mut scenarios = Scenarios::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("no results in {}", folder.display()))? {
        let path = entry?.path().join("checks.json");
        let place = || format!("{} is not what was expected", path.display());
        let name = path.parent().and_then(Path::file_name).and_then(|name| scenario_of(name.to_str()?));
        let name = name.with_context(place)?;
        let text = std::fs::read(&path).with_context(place)?;
        scenarios.insert(name.to_owned(), serde_json::from_slice(&text).with_context(place)?);
    }
    Ok(scenarios)
}

/// `ping` of `server-ping-2026-07-28T00-00-00-000Z`.
fn scenario_of(folder: &str) -> Option<&str> {
    let (rest, _time) = folder.strip_prefix("server-")?.rsplit_once('T')?;
    let (name, date) = rest.split_at_checked(rest.len().checked_sub("-2026-07-28".len())?)?;
    let is_date = date.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
    (is_date && !name.is_empty()).then_some(name)
}

/// The scenarios that a revision requires of servers: the list `server` of the suite's own file.
pub(super) fn required(requirements: &str) -> Vec<String> {
    let lines = requirements.lines().skip_while(|line| line.trim_end() != "server:").skip(1);
    let own = lines.take_while(|line| line.is_empty() || line.starts_with([' ', '-', '#']));
    own.filter_map(|line| line.trim().strip_prefix("- ")).map(|name| name.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Check, Status, read, required, scenario_of};

    #[test]
    fn folders_are_named_after_scenarios() {
        for (folder, name) in [
            ("server-ping-2026-11-30T21-58-59-123Z", Some("ping")),
            ("server-server-initialize-2026-11-30T21-58-59-123Z", Some("server-initialize")),
            ("server-json-schema-2020-12-2026-11-30T21-58-59-123Z", Some("json-schema-2020-12")),
            ("client-ping-2026-11-30T21-58-59-123Z", None),
            ("server-2026-11-30T21-58-59-123Z", None),
            ("server-ping-of-somebodyT21", None),
            ("server-ping", None),
        ] {
            assert_eq!(scenario_of(folder), name, "{folder}");
        }
    }

    #[test]
    fn checks_are_read() {
        let folder = std::env::temp_dir().join(format!("xtask-results-{}", std::process::id()));
        let scenario = folder.join("server-ping-2026-11-30T21-58-59-123Z");
        std::fs::create_dir_all(&scenario).unwrap();
        let text = r#"[{"id":"a","name":"A","status":"SUCCESS"},{"id":"b","status":"FAILURE","errorMessage":"m"}]"#;
        std::fs::write(scenario.join("checks.json"), text).unwrap();
        let read = read(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        let check = |id: &str, status, error_message: Option<&str>| Check {
            id: id.into(),
            status,
            error_message: error_message.map(Into::into),
        };
        let expected = vec![check("a", Status::Success, None), check("b", Status::Failure, Some("m"))];
        assert_eq!(read.unwrap(), [("ping".to_owned(), expected)].into());
    }

    #[test]
    fn what_a_revision_requires_of_servers_is_told_from_the_rest() {
        let text =
            "# About.\nrevision: x\nserver:\n  - a\n\n  # More.\n  - b\nclient:\n  - c\nnot_scored:\n  - scenario: d\n";
        assert_eq!(required(text), ["a", "b"]);
    }
}
