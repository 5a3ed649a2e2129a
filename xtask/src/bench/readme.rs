use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::machine::Machine;
use super::report::Report;
use super::table;

const README: &str = "README.md";
const BEGIN: &str = "<!-- measured: written by `cargo xtask bench --write-readme` -->\n";
const END: &str = "<!-- end of measured -->\n";

/// Puts what the last run measured into the README.
///
/// # Errors
/// When there was no run, or the README has no place for it.
pub(super) fn write(root: &Path, folder: &Path) -> Result<()> {
    let report =
        fs::read_to_string(folder.join("report.json")).context("nothing was measured: run `cargo xtask bench`")?;
    let report: Report = serde_json::from_str(&report).context("the report is of another version: measure again")?;
    whole(&report)?;
    let path = root.join(README);
    let text = fs::read_to_string(&path).context("the README cannot be read")?;
    let Some(written) = with(&text, &report) else {
        bail!("the README has no place for it: write `{}` and `{}`", BEGIN.trim_end(), END.trim_end())
    };
    fs::write(&path, written).context("the README cannot be written")
}

fn whole(report: &Report) -> Result<()> {
    let lacking = report.lacking();
    if !lacking.is_empty() {
        bail!("the last run left out {}: run `cargo xtask bench`", lacking.join(", "));
    }
    Ok(())
}

fn with(readme: &str, report: &Report) -> Option<String> {
    let (before, rest) = readme.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    let Machine { date, cores, processor, software } = &report.machine;
    let measured = format!("On {date}: {cores} cores, {processor}, {software}.");
    Some(format!("{before}{BEGIN}{measured}\n\n{}\n{}{END}{after}", table::targets(report), table::of(report)))
}

#[cfg(test)]
mod tests {
    use super::super::case::CASES;
    use super::super::report::tests::{machine, round};
    use super::super::report::{GOVERNED, Report};
    use super::{BEGIN, END, whole, with};

    #[test]
    fn what_was_left_out_is_told() {
        let rounds = |left_out: &str| {
            let cases = CASES.iter().map(|case| case.name).filter(|name| *name != left_out);
            cases.map(|name| round(name, GOVERNED, 0, &[])).collect()
        };
        assert!(whole(&Report::of(machine(), rounds(""))).is_ok());
        let told = whole(&Report::of(machine(), rounds("stdio-1"))).unwrap_err().to_string();
        assert_eq!(told, "the last run left out stdio-1: run `cargo xtask bench`");
    }

    #[test]
    fn the_readme_says_what_was_measured_where_and_when() {
        let report = Report::of(machine(), Vec::new());
        let written = with(&format!("x\n{BEGIN}old\n{END}y\n"), &report).unwrap();
        assert!(
            written.starts_with(&format!("x\n{BEGIN}On 2026-07-28: 2 cores, A, rustc 1.\n\n\n| case |")),
            "{written}"
        );
        assert!(written.ends_with(&format!("|\n{END}y\n")), "{written}");
        assert_eq!(with(BEGIN, &report), None);
    }
}
