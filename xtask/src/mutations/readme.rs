use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::table::{Guard, Table, TestName};

const README: &str = "README.md";
const BEGIN: &str = "<!-- guards: written by `cargo xtask mutations --write-readme` -->\n";
const END: &str = "<!-- end of guards -->\n";

/// Puts the table of guards into the README.
///
/// # Errors
/// When the README cannot be read or written, or has no place for it.
pub(crate) fn write(root: &Path, table: &Table) -> Result<()> {
    let path = root.join(README);
    let text = fs::read_to_string(&path).context("the README cannot be read")?;
    let Some(written) = with_table(&text, table) else { bail!("{}", no_place()) };
    fs::write(&path, written).context("the README cannot be written")
}

/// What is wrong with the table in this README.
pub(crate) fn problem(readme: &str, table: &Table) -> Option<String> {
    match with_table(readme, table) {
        None => Some(no_place()),
        Some(written) if written != readme => {
            Some("the guards are not those of the table: run `cargo xtask mutations --write-readme`".into())
        }
        Some(_) => None,
    }
}

fn no_place() -> String {
    format!("has no place for the guards: write `{}` and `{}`", BEGIN.trim_end(), END.trim_end())
}

/// This README with the table in its place; none when it has no place.
pub(crate) fn with_table(readme: &str, table: &Table) -> Option<String> {
    let (before, rest) = readme.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{}{END}{after}", rows(table)))
}

/// How many tests a row names; the table has them all.
const SHOWN_TESTS: usize = 3;

/// A row for each guard.
fn rows(table: &Table) -> String {
    let rows = table.guards.iter().map(|guard| {
        let Guard { id, promise, mechanism, mutations, .. } = guard;
        let tests: BTreeSet<&TestName> = mutations.iter().flat_map(|mutation| &mutation.tests).collect();
        let shown = tests.iter().take(SHOWN_TESTS).map(|test| format!("`{}` {}", test.name, test.target.package));
        let more = tests.len().checked_sub(SHOWN_TESTS).filter(|more| *more > 0).map(|more| format!("{more} more"));
        let tests: Vec<String> = shown.chain(more).collect();
        let ids: Vec<String> = mutations.iter().map(|mutation| format!("`{}`", mutation.id)).collect();
        format!("| `{id}`: {promise} | {mechanism} | {} | {} |\n", tests.join("<br>"), ids.join(" "))
    });
    "| guard | held by | missed by these tests | mutations |\n|---|---|---|---|\n".to_owned()
        + &rows.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::super::table::Table;
    use super::{BEGIN, END, problem, with_table};

    const TABLE: &str = r#"
        [[guard]]
        id = "once"
        guard = "It works once."
        mechanism = "`take` removes"
        points = []
        reference = []
        [[guard.mutation]]
        id = "peek"
        change = ""
        file = "a.rs"
        text = "a"
        replacement = "b"
        tests = ["a lib t::once", "a lib t::twice"]
        [[guard.mutation]]
        id = "copy"
        change = ""
        file = "a.rs"
        text = "a"
        replacement = "b"
        tests = ["a flows first"]
    "#;

    #[test]
    fn the_readme_has_a_row_for_each_guard() {
        let table = Table::parse([("t", TABLE)]).unwrap();
        let row =
            "| `once`: It works once. | `take` removes | `first` a<br>`t::once` a<br>`t::twice` a | `peek` `copy` |\n";
        let written = with_table(&format!("x\n{BEGIN}old\n{END}y\n"), &table).unwrap();
        let head = "| guard | held by | missed by these tests | mutations |\n|---|---|---|---|\n";
        assert_eq!(written, format!("x\n{BEGIN}{head}{row}{END}y\n"));
        assert_eq!(problem(&written, &table), None);
    }

    #[test]
    fn a_readme_with_other_rows_or_without_a_place_is_refused() {
        let table = Table::parse([("t", TABLE)]).unwrap();
        let place = format!("{BEGIN}{END}");
        for (readme, told) in [("", "has no place"), (BEGIN, "has no place"), (place.as_str(), "are not those")] {
            assert!(problem(readme, &table).unwrap().contains(told), "{readme:?}");
        }
    }
}
