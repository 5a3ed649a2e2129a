//! The table that says where each case of the reference system is held.

use std::collections::BTreeSet;

use super::Violation;
use super::tree::Tree;

const TABLE: &str = "crates/mcp-tool-bridge/tests/reference-cases.md";
const CASES: u16 = 273;

/// Each case has one row; a row that names tests names functions that exist.
///
/// A row is `| case | how it is held |`. A test is written as a file and a function, `path.rs::function`, in
/// backticks; a case that is no test says in words what holds it.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let Some(table) = tree.find(TABLE) else {
        return vec![Violation::new("reference", TABLE, "is missing")];
    };
    let mut violations = Vec::new();
    let mut seen = BTreeSet::new();
    for (case, held) in table.text.lines().filter_map(row) {
        if !(1..=CASES).contains(&case) || !seen.insert(case) {
            violations.push(Violation::new("reference", TABLE, format!("case {case} has a row too many")));
        }
        if held.trim().is_empty() {
            violations.push(Violation::new("reference", TABLE, format!("case {case} does not say what holds it")));
        }
        for (path, function) in tests(held).filter(|(path, function)| !exists(tree, path, function)) {
            let problem = format!("case {case} names `{path}::{function}`, which is not there");
            violations.push(Violation::new("reference", TABLE, problem));
        }
    }
    let missing = (1..=CASES).filter(|case| !seen.contains(case));
    violations.extend(
        missing.map(|case| Violation::new("reference", TABLE, format!("case {case} has no row: say what holds it"))),
    );
    violations
}

fn row(line: &str) -> Option<(u16, &str)> {
    let (case, held) = line.strip_prefix("| ")?.split_once(" | ")?;
    Some((case.trim().parse().ok()?, held.trim_end_matches(" |")))
}

fn tests(held: &str) -> impl Iterator<Item = (&str, &str)> {
    held.split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|quoted| quoted.split_once("::"))
        .filter(|(path, _)| std::path::Path::new(path).extension().is_some_and(|ending| ending == "rs"))
}

/// A function counts if the attributes and comments right above it say that it is a test.
fn exists(tree: &Tree, path: &str, function: &str) -> bool {
    let Some((before, _)) = tree.text(path).split_once(&format!("fn {function}(")) else { return false };
    let above = before.rsplit("\n\n").next().unwrap_or_default();
    above.contains("#[test]") || above.contains("::test")
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::{CASES, TABLE, check};

    fn table(rows: impl Iterator<Item = (u16, &'static str)>) -> String {
        rows.map(|(case, held)| format!("| {case} | {held} |")).collect::<Vec<_>>().join("\n")
    }

    fn count(table: &str) -> usize {
        check(&Tree::of(&[(TABLE, table), ("a.rs", "fn helper() {}\n\n#[test]\nfn holds() {}")])).len()
    }

    #[test]
    fn refuses_gaps_repetitions_and_tests_that_are_gone() {
        assert_eq!(check(&Tree::of(&[])).len(), 1);
        assert_eq!(count(""), usize::from(CASES));
        assert_eq!(count(&table((2..=CASES).map(|case| (case, "by type")))), 1);
        assert_eq!(count(&table((1..=CASES).chain([7]).map(|case| (case, "by type")))), 1);
        assert_eq!(count(&table((1..=CASES + 1).map(|case| (case, "by type")))), 1);
        let gone = |case| (case, if case == 9 { "`a.rs::hold`" } else { "by type" });
        assert_eq!(count(&table((1..=CASES).map(gone))), 1);
        let helper = |case| (case, if case == 9 { "`a.rs::helper`" } else { "by type" });
        assert_eq!(count(&table((1..=CASES).map(helper))), 1);
        let empty = |case| (case, if case == 9 { "" } else { "by type" });
        assert_eq!(count(&table((1..=CASES).map(empty))), 1);
    }

    #[test]
    fn accepts_a_row_for_each_case() {
        assert_eq!(count(&table((1..=CASES).map(|case| (case, "`a.rs::holds`, and by type")))), 0);
    }
}
