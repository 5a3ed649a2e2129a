//! What a build machine runs is what a developer runs.

use toml::Table;

use super::tree::{SourceFile, Tree};
use super::{Violation, msrv};

const RULE: &str = "entry";
const CI: &str = "cargo xtask ci";
const SCRIPT: &str = ".ci/run";
const WORKFLOWS: &str = ".github/";

/// The script and the workflows call `cargo xtask ci`; beside it only what needs other tools.
pub(super) fn check(tree: &Tree, root_manifest: &Table) -> Vec<Violation> {
    let Some(script) = tree.find(SCRIPT) else { return vec![Violation::new(RULE, SCRIPT, "is missing")] };
    let workflows: Vec<&SourceFile> = tree.files().iter().filter(|file| file.path.starts_with(WORKFLOWS)).collect();
    let mut violations = check_script(script);
    let version = msrv::stated(root_manifest).unwrap_or_default();
    violations.extend(workflows.iter().flat_map(|file| check_workflow(file, version)));
    let runs = |command: &str| workflows.iter().any(|file| commands(file).any(|(_, ran)| ran == command));
    for needed in [CI.to_owned(), msrv_check(version)] {
        if !runs(&needed) {
            violations.push(Violation::new(RULE, WORKFLOWS, format!("no workflow runs `{needed}`")));
        }
    }
    violations
}

fn msrv_check(version: &str) -> String {
    format!("cargo +{version} check --workspace --all-features --locked")
}

fn check_script(script: &SourceFile) -> Vec<Violation> {
    let set_up = ["set -euo pipefail", "cd \"$(dirname \"$0\")/..\"", "export CARGO_INCREMENTAL=0"];
    let commands = script.lines().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let mut violations: Vec<Violation> = commands
        .filter(|(_, line)| !set_up.contains(line) && *line != format!("exec {CI}"))
        .map(|(place, _)| Violation::new(RULE, place, format!("only `{CI}` is called: make it a step of that")))
        .collect();
    if !script.text.ends_with(&format!("\nexec {CI}\n")) {
        violations.push(Violation::new(RULE, SCRIPT, format!("must end with `exec {CI}`")));
    }
    violations
}

fn check_workflow(file: &SourceFile, version: &str) -> Vec<Violation> {
    let allowed = |ran: &str| ran == CI || ran == msrv_check(version) || ran.starts_with("rustup toolchain install ");
    let others = commands(file).filter(|(_, ran)| !allowed(ran));
    others
        .map(|(place, _)| Violation::new(RULE, place, format!("only `{CI}` is called: make it a step of that")))
        .collect()
}

/// What each `run:` of a workflow calls; a block (`run: |`) is `|`, which is nothing that is allowed.
fn commands(file: &SourceFile) -> impl Iterator<Item = (String, &str)> {
    file.lines().filter_map(|(place, line)| {
        let ran = line.trim_start().trim_start_matches("- ").strip_prefix("run:")?;
        Some((place, ran.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::check;

    const SCRIPT: &str = "#!/usr/bin/env bash\nset -euo pipefail\ncd \"$(dirname \"$0\")/..\"\nexec cargo xtask ci\n";
    const WORKFLOW: &str = "steps:\n  - run: rustup toolchain install 1.89 --profile minimal\n  \
        - run: cargo xtask ci\n  - name: msrv\n    run: cargo +1.89 check --workspace --all-features --locked\n";

    fn problems(script: &str, workflow: &str) -> usize {
        let manifest = toml::from_str("[workspace.package]\nrust-version = \"1.89\"").unwrap();
        check(&Tree::of(&[(".ci/run", script), (".github/workflows/ci.yml", workflow)]), &manifest).len()
    }

    #[test]
    fn refuses_checks_that_only_a_build_machine_runs() {
        assert_eq!(problems(SCRIPT, WORKFLOW), 0);
        assert_eq!(problems(&SCRIPT.replace("exec", "cargo test\nexec"), WORKFLOW), 1);
        assert_eq!(problems(&SCRIPT.replace("exec cargo xtask ci", "exec cargo xtask ci --only fmt"), WORKFLOW), 2);
        assert_eq!(problems(&format!("{SCRIPT}ls\n"), WORKFLOW), 2);
        assert_eq!(problems(SCRIPT, &format!("{WORKFLOW}  - run: cargo test\n")), 1);
        assert_eq!(problems(SCRIPT, &format!("{WORKFLOW}  - run: |\n      cargo test\n")), 1);
        assert_eq!(problems(SCRIPT, &WORKFLOW.replace("cargo xtask ci", "cargo xtask tidy")), 2);
    }

    #[test]
    fn the_workflow_checks_the_version_that_the_manifest_states() {
        assert_eq!(problems(SCRIPT, &WORKFLOW.replace("+1.89", "+1.88")), 2);
    }

    #[test]
    fn the_script_must_be_there() {
        let manifest = toml::Table::new();
        assert_eq!(check(&Tree::of(&[(".github/workflows/ci.yml", WORKFLOW)]), &manifest).len(), 1);
    }
}
