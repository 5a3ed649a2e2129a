//! The official JSON-Schema-Test-Suite: every schema that is accepted judges as the suite says.
//!
//! The suite is not vendored. `MTB_SCHEMA_SUITE` names its folder, the one that holds `tests`; without it, a line on
//! stderr says that it was not run. What strictness refuses of it is counted by reason in `schema_suite/*.txt`.

#![expect(clippy::expect_used, reason = "a test without its data has nothing to say")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::{ExpectFile, expect_file};
use mtb_core::{Schema, SchemaProblem, SchemaRole, SchemaSource};
use serde::Deserialize;
use serde_json::Value;

/// Of draft-07, whose suite leaves `$schema` out.
const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";

/// How the tests end that expect nothing of a format.
const ANNOTATION: &str = "is only an annotation by default";

/// How the tests end that expect nothing of `contentEncoding` and `contentMediaType`.
const CONTENT: &str = "; validates true";

/// How a refusal begins whose reason was not found.
const UNEXPLAINED: &str = "does not fit what";

#[derive(Deserialize)]
struct Group {
    description: String,
    schema: Value,
    tests: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    description: String,
    data: Value,
    valid: bool,
}

impl Case {
    /// What the suite says, but for one thing: formats and contents are always checks here, never annotations only.
    fn expected(&self) -> bool {
        self.valid && ![ANNOTATION, CONTENT].iter().any(|ending| self.description.ends_with(ending))
    }
}

/// What came of some files of the suite.
#[derive(Default)]
struct Report {
    accepted: usize,
    judged: usize,
    /// Per reason, how many groups of each file were refused.
    refused: BTreeMap<String, BTreeMap<String, usize>>,
    /// Where an accepted schema says something else than the suite.
    wrong: Vec<String>,
}

#[test]
fn draft_7() {
    check("draft7", Some(DRAFT_7), &expect_file!["schema_suite/draft7.txt"]);
}

#[test]
fn draft_2020_12() {
    check("draft2020-12", None, &expect_file!["schema_suite/draft2020-12.txt"]);
}

#[test]
fn optional_draft_7() {
    check("draft7/optional", Some(DRAFT_7), &expect_file!["schema_suite/draft7-optional.txt"]);
}

#[test]
fn optional_draft_2020_12() {
    check("draft2020-12/optional", None, &expect_file!["schema_suite/draft2020-12-optional.txt"]);
}

#[test]
fn formats_of_draft_7() {
    check("draft7/optional/format", Some(DRAFT_7), &expect_file!["schema_suite/draft7-format.txt"]);
}

#[test]
fn formats_of_draft_2020_12() {
    check("draft2020-12/optional/format", None, &expect_file!["schema_suite/draft2020-12-format.txt"]);
}

#[track_caller]
fn check(folder: &str, dialect: Option<&str>, golden: &ExpectFile) {
    let Some(suite) = mtb_fixtures::folder_in("MTB_SCHEMA_SUITE", "the official test suite was not run") else {
        return;
    };
    let mut report = Report::default();
    for path in files(&suite.join("tests").join(folder)) {
        let text = std::fs::read_to_string(&path).expect("a file of the suite is readable");
        let groups: Vec<Group> = serde_json::from_str(&text).expect("a file of the suite holds groups");
        let file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for group in groups {
            report.add(&file, group, dialect);
        }
    }
    assert!(report.judged > 0, "no schema of {folder} was accepted, so nothing was judged");
    assert!(report.wrong.is_empty(), "judged otherwise than the suite says:\n{}", report.wrong.join("\n"));
    golden.assert_eq(&report.told());
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the suite has this folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry of the suite is readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    files
}

impl Report {
    fn add(&mut self, file: &str, group: Group, dialect: Option<&str>) {
        let mut schema = group.schema;
        if let (Some(dialect), Value::Object(keywords)) = (dialect, &mut schema) {
            keywords.entry("$schema").or_insert_with(|| dialect.into());
        }
        match Schema::compile(&SchemaSource::value(schema), SchemaRole::Output) {
            Err(problems) => {
                let files = self.refused.entry(reason(&problems)).or_default();
                *files.entry(file.to_owned()).or_default() += 1;
            }
            Ok(schema) => {
                self.accepted += 1;
                self.judged += group.tests.len();
                for case in &group.tests {
                    let issues = schema.validate(&case.data).err().unwrap_or_default();
                    let accepted = issues.is_empty();
                    if issues.iter().any(|issue| issue.message.starts_with(UNEXPLAINED)) {
                        self.wrong.push(format!("unexplained: {file}: {}: {}", group.description, case.description));
                    }
                    if accepted != case.expected() {
                        let said = if accepted { "accepted" } else { "refused" };
                        self.wrong.push(format!("{said}: {file}: {}: {}", group.description, case.description));
                    }
                }
            }
        }
    }

    fn told(&self) -> String {
        let count = |files: &BTreeMap<String, usize>| files.values().sum::<usize>();
        let refused: usize = self.refused.values().map(count).sum();
        let groups = self.accepted + refused;
        let mut text = format!(
            "{groups} schemas: {} accepted and judged by {} tests, {refused} refused\n",
            self.accepted, self.judged
        );
        let mut reasons: Vec<_> = self.refused.iter().collect();
        reasons.sort_by_key(|(reason, files)| (std::cmp::Reverse(count(files)), *reason));
        for (reason, files) in reasons {
            let places: Vec<_> = files.iter().map(|(file, groups)| format!("{file} {groups}")).collect();
            writeln!(text, "{:4}  {reason}\n      {}", count(files), places.join(", ")).expect("a string takes text");
        }
        text
    }
}

/// Why a schema is refused: its first problem, without the names in it.
fn reason(problems: &[SchemaProblem]) -> String {
    let problem = problems.first().map_or("", |problem| problem.problem.as_str());
    let parts = problem.split('`').enumerate();
    let plain: Vec<_> = parts.map(|(at, part)| if at % 2 == 0 { part } else { "…" }).collect();
    plain.join("`")
}
