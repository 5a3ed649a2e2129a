use std::fmt::Write as _;

use super::judge::{Row, Verdict};

/// A line a scenario and revision: what came of it, and why that is so.
pub(super) fn table(rows: &[&Row]) -> String {
    let longest = rows.iter().map(|row| row.scenario.len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        let (word, reasons) = match &row.verdict {
            Verdict::Passed => ("passes", &[][..]),
            Verdict::Expected(reasons) => ("listed", &reasons[..]),
            Verdict::Wrong(problems) => ("WRONG", &problems[..]),
        };
        let line = format!("{:longest$}  {}  {word:6}  {}", row.scenario, row.revision, reasons.join("; "));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// How many of the scenarios that a revision requires pass, as the README says it.
pub(super) fn count(revision: &str, rows: &[Row]) -> String {
    let required = || rows.iter().filter(|row| row.revision == revision && row.required);
    let passed = required().filter(|row| row.verdict == Verdict::Passed).count();
    format!("{passed} of the {} scenarios that {revision} requires", required().count())
}

#[cfg(test)]
mod tests {
    use super::super::judge::{Row, Verdict};
    use super::{count, table};

    #[test]
    fn rows_are_shown_and_counted() {
        let row =
            |scenario: &str, required, verdict| Row { scenario: scenario.into(), revision: "r", required, verdict };
        let rows = [
            row("ping", true, Verdict::Passed),
            row("prompts", true, Verdict::Expected(vec!["none".into(), "never".into()])),
            row("extra", false, Verdict::Passed),
            row("list", true, Verdict::Wrong(vec!["a fails".into()])),
        ];
        let shown = table(&rows.iter().collect::<Vec<_>>());
        let expected = [
            "ping     r  passes",
            "prompts  r  listed  none; never",
            "extra    r  passes",
            "list     r  WRONG   a fails",
        ];
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
        assert_eq!(count("r", &rows), "1 of the 3 scenarios that r requires");
        assert_eq!(count("s", &rows), "0 of the 0 scenarios that s requires");
    }
}
