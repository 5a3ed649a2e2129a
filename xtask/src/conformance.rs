//! `cargo xtask conformance`: the official suite of the protocol calls a server of governed tools over HTTP, once for
//! each revision that it has requirements of.
//!
//! The suite asks for much that such a server is not: prompts, resources, questions that handlers think up. What must
//! fail is listed in `xtask/conformance`, each line with its reason; [`judge`] takes nothing else for a pass, and no
//! line that is no longer true.

mod judge;
mod listed;
mod report;
mod results;
mod suite;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::clock::spoken;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::workspace::Workspace;
use judge::Row;
use suite::Suite;

/// Those that the suite has requirements of and that are served, the oldest first.
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Runs the suite for each revision, and tells of the scenarios that the options select.
///
/// # Errors
/// When the suite cannot be installed, the server does not build, or a scenario ends otherwise than listed.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let folder = workspace.target().join("conformance");
    let suite = Suite::install(workspace, &folder)?;
    Invocation::cargo("build --locked -p mtb-testbed --bin conformance").run(&workspace.root)?;
    let begun = Instant::now();
    let mut rows = Vec::new();
    let mut disagreements = Vec::new();
    for revision in REVISIONS {
        let listed = suite.listed(revision);
        let expected = listed::parse(&read(&listed)?).with_context(|| listed.display().to_string())?;
        let run = suite.run(revision, &workspace.program("conformance"))?;
        let judged = judge::judge(revision, &run.scenarios, &run.required, &expected);
        let fine = judged.iter().filter(|row| row.required).all(Row::is_fine);
        if fine != run.agrees {
            let word = if run.agrees { "passes" } else { "fails" };
            disagreements.push(format!("{revision}: the suite itself {word}: see {}", run.log.display()));
        }
        rows.extend(judged);
    }
    if let Some(name) = options.only.iter().find(|name| !rows.iter().any(|row| row.scenario == **name)) {
        bail!("`--only {name}` names no scenario that was run");
    }
    let shown: Vec<&Row> = rows.iter().filter(|row| options.selects(&row.scenario)).collect();
    print!("{}", report::table(&shown));
    let mut problems = shown.iter().filter(|row| !row.is_fine()).count();
    if options.only.is_empty() {
        let readme = read(&workspace.root.join("README.md"))?;
        for count in REVISIONS.map(|revision| report::count(revision, &rows)) {
            println!("conformance: {count}");
            if !readme.contains(&count) {
                disagreements.push(format!("README.md must say: {count}"));
            }
        }
        for problem in &disagreements {
            println!("conformance: {problem}");
        }
        problems += disagreements.len();
    }
    if problems > 0 {
        bail!("{problems} problems; what was checked is in {}", folder.display());
    }
    println!("conformance: {} results as listed in {}", shown.len(), spoken(begun.elapsed()));
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{REVISIONS, listed, read, suite};

    #[test]
    fn what_is_installed_is_what_is_named() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
        let named: serde_json::Value = serde_json::from_str(&read(&folder.join("package.json")).unwrap()).unwrap();
        assert_eq!(named["dependencies"][suite::PACKAGE], "0.2.0-alpha.12");
        // Downloads come from whatever registry the machine knows.
        assert!(!read(&folder.join("package-lock.json")).unwrap().contains("\"resolved\""));
    }

    #[test]
    fn the_lists_can_be_read() {
        for revision in REVISIONS {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance").join(suite::list_of(revision));
            assert!(!listed::parse(&read(&path).unwrap()).unwrap().is_empty(), "{revision}");
        }
    }
}
