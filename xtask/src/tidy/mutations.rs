//! The table of mutations, the source it edits and the pages that show it say the same.

use std::collections::BTreeSet;

use super::Violation;
use super::tree::Tree;
use crate::mutations::readme;
use crate::mutations::table::{FOLDER, Mutation, Table, TestName};

const RULE: &str = "mutations";
const INVARIANTS: &str = "ARCHITECTURE.md";
/// What a page must tell its reader to run.
const COMMAND: &str = "cargo xtask mutations";
/// How many guards the reference system checks by mutation.
const REFERENCE: u8 = 18;

/// Each invariant and each guard of the reference system has a row; each row fits the source and names tests that
/// exist; the README shows the table, and SECURITY.md says how to run it.
pub(super) fn check(tree: &Tree, table: &Table) -> Vec<Violation> {
    let stale = table.mutations().filter_map(|mutation| fits(tree, mutation));
    let of_table = table.problems().into_iter().chain(stale).chain(missing(tree, table));
    let mut problems: Vec<(&str, String)> = of_table.map(|problem| (FOLDER, problem)).collect();
    problems.extend(readme::problem(tree.text("README.md"), table).map(|problem| ("README.md", problem)));
    if !tree.text("SECURITY.md").contains(COMMAND) {
        problems.push(("SECURITY.md", format!("must say how the guards are checked: `{COMMAND}`")));
    }
    problems.into_iter().map(|(place, problem)| Violation::new(RULE, place, problem)).collect()
}

/// What the source no longer agrees with.
fn fits(tree: &Tree, mutation: &Mutation) -> Option<String> {
    let Mutation { id, file, tests, compiles, .. } = mutation;
    if let Err(times) = mutation.apply(tree.text(file)) {
        return Some(format!("`{id}` is stale: its text is in `{file}` {times} times, not once"));
    }
    if let Some(program) = compiles.as_ref().filter(|program| tree.text(program).is_empty()) {
        return Some(format!("`{id}` names the program `{program}`, which is not there"));
    }
    let gone = tests.iter().find(|test| !exists(tree, test))?;
    Some(format!("`{id}` names the test `{gone}`, which is not there"))
}

fn exists(tree: &Tree, test: &TestName) -> bool {
    let function = test.name.rsplit("::").next().unwrap_or_default();
    let (declared, listed) = (format!("fn {function}("), format!("\"{}\"", test.name));
    let folders = ["crates", "examples", ""].map(|parent| format!("{parent}/{}/", test.target.package));
    let of_package = |path: &str| folders.iter().any(|folder| path.starts_with(folder.trim_start_matches('/')));
    tree.files()
        .iter()
        .filter(|file| of_package(&file.path))
        .any(|file| file.text.contains(&declared) || file.text.contains(&listed))
}

/// Whatever must always hold and has no row.
fn missing(tree: &Tree, table: &Table) -> Vec<String> {
    let points = invariants(tree.text(INVARIANTS));
    let mut missing: Vec<String> = points
        .iter()
        .filter(|point| !table.guards.iter().any(|guard| guard.points.contains(point)))
        .map(|point| format!("invariant {point} of {INVARIANTS} has no guard here"))
        .collect();
    if points.is_empty() {
        missing.push(format!("{INVARIANTS} has no list of invariants"));
    }
    let reference = (1..=REFERENCE).filter(|number| !table.guards.iter().any(|guard| guard.reference.contains(number)));
    missing.extend(reference.map(|number| format!("guard {number} of the reference system has no guard here")));
    let unknown = table.guards.iter().filter(|guard| guard.points.iter().any(|point| !points.contains(point)));
    missing.extend(unknown.map(|guard| format!("`{}` names an invariant that {INVARIANTS} does not have", guard.id)));
    missing
}

/// The numbers of the list under "Invariants".
fn invariants(text: &str) -> BTreeSet<u8> {
    let section = text.split_once("## Invariants\n").map_or("", |(_, after)| after);
    let section = section.split("\n## ").next().unwrap_or_default();
    section.lines().filter_map(|line| line.split_once(". ")?.0.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::check;
    use crate::mutations::table::Table;

    const ARCHITECTURE: &str = "## The path\n1. x\n7. y\n\n## Invariants\n\n1. one\n   more\n2. two\n\n## Else\n9. z\n";
    const ROWS: &str = r#"
        [[guard]]
        id = "once"
        guard = "It works once."
        mechanism = "`take` removes"
        points = [1, 2]
        reference = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]
        [[guard.mutation]]
        id = "peek"
        change = "it stays"
        file = "crates/a/src/lib.rs"
        text = "remove()"
        replacement = "get()"
        tests = ["a lib tests::holds", "a process it is listed"]
    "#;

    fn problems(edits: &[(&str, &str)]) -> Vec<String> {
        let edit = |text: &str| edits.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new));
        let table = Table::parse([("t", edit(ROWS).as_str())]).unwrap();
        let place = "<!-- guards: written by `cargo xtask mutations --write-readme` -->\n<!-- end of guards -->\n";
        let readme = crate::mutations::readme::with_table(place, &table).unwrap();
        let tree = Tree::of(&[
            ("ARCHITECTURE.md", &edit(ARCHITECTURE)),
            ("README.md", &edit(&readme)),
            ("SECURITY.md", &edit("run `cargo xtask mutations`")),
            ("crates/a/src/lib.rs", &edit("x.remove();")),
            ("crates/a/tests/b.rs", &edit("fn holds() {} const T: &str = \"it is listed\";")),
            ("crates/b/tests/c.rs", "fn elsewhere() {}"),
        ]);
        check(&tree, &table).into_iter().map(|violation| violation.problem).collect()
    }

    #[test]
    fn accepts_a_table_that_fits() {
        assert_eq!(problems(&[]), [""; 0]);
    }

    #[test]
    fn refuses_what_drifted() {
        let rows = [
            (("[1, 2]", "[1]"), "invariant 2 of ARCHITECTURE.md has no guard here"),
            (("[1, 2]", "[1, 2, 3]"), "`once` names an invariant that ARCHITECTURE.md does not have"),
            ((", 18]", "]"), "guard 18 of the reference system has no guard here"),
            (("x.remove();", "x.take();"), "`peek` is stale: its text is in `crates/a/src/lib.rs` 0 times, not once"),
            (("x.remove()", "x.remove(); y.remove()"), "2 times, not once"),
            (("fn holds", "fn held"), "`peek` names the test `a lib tests::holds`, which is not there"),
            (("tests::holds", "tests::elsewhere"), "`peek` names the test `a lib tests::elsewhere`"),
            (
                ("\"a process it is listed\"]", "\"a compile_fail holds\"]\ncompiles = \"crates/a/tests/c.rs\""),
                "`peek` names the program `crates/a/tests/c.rs`, which is not there",
            ),
            (("it is listed\";", "\";"), "`peek` names the test `a process it is listed`"),
            (("run `cargo xtask mutations`", ""), "must say how the guards are checked"),
            (("| `take` removes |", "| by luck |"), "the guards are not those of the table"),
            (("<!-- end of guards -->", ""), "has no place for the guards"),
        ];
        for (edit, told) in rows {
            let problems = problems(&[edit]);
            assert!(problems.len() == 1 && problems[0].contains(told), "{edit:?}: {problems:?}");
        }
        assert!(
            problems(&[("## Invariants", "## Rules")]).iter().any(|told| told.contains("has no list of invariants"))
        );
    }
}
