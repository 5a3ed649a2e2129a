use std::collections::BTreeMap;

use super::listed::Listed;
use super::results::{Check, Scenarios, Status};

/// How one scenario ended in one revision.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) scenario: String,
    pub(super) revision: &'static str,
    /// Whether the revision requires it; others are run as well.
    pub(super) required: bool,
    pub(super) verdict: Verdict,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Something was checked, and all of it was right.
    Passed,
    /// It failed as listed, for these reasons.
    Expected(Vec<String>),
    /// It is not as listed.
    Wrong(Vec<String>),
}

impl Row {
    pub(super) fn is_fine(&self) -> bool {
        !matches!(self.verdict, Verdict::Wrong(_))
    }
}

/// Every scenario that was run, is required or is listed.
pub(super) fn judge(revision: &'static str, run: &Scenarios, required: &[String], listed: &[Listed]) -> Vec<Row> {
    let mut names: Vec<&str> = required.iter().map(String::as_str).collect();
    let others = run.keys().map(String::as_str).chain(listed.iter().map(|entry| entry.scenario.as_str()));
    for name in others {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let row = |name: &str| {
        let of_it: Vec<&Listed> = listed.iter().filter(|entry| entry.scenario == name).collect();
        let verdict = match run.get(name) {
            None => Verdict::Wrong(vec!["it was not run".into()]),
            Some(checks) => verdict(&worst(checks), &of_it),
        };
        let required = required.iter().any(|required| required == name);
        Row { scenario: name.to_owned(), revision, required, verdict }
    };
    names.into_iter().map(row).collect()
}

/// Checks of one name count as the worst of them.
fn worst(checks: &[Check]) -> BTreeMap<&str, &Check> {
    let mut worst: BTreeMap<&str, &Check> = BTreeMap::new();
    for check in checks {
        let known = worst.entry(&check.id).or_insert(check);
        if check.status > known.status {
            *known = check;
        }
    }
    worst
}

fn verdict(checks: &BTreeMap<&str, &Check>, listed: &[&Listed]) -> Verdict {
    let bad: Vec<&Check> = checks.values().copied().filter(|check| check.status > Status::Success).collect();
    let has_passed = bad.is_empty() && checks.values().any(|check| check.status == Status::Success);
    if let Some(whole) = listed.iter().find(|entry| entry.check.is_none()) {
        if has_passed {
            return Verdict::Wrong(vec!["it passes, and is listed".into()]);
        }
        return Verdict::Expected(vec![whole.reason.clone()]);
    }
    let is_listed = |check: &&Check| listed.iter().any(|entry| entry.check.as_deref() == Some(&check.id));
    let unlisted = bad.iter().copied().filter(|check| !is_listed(check));
    let mut problems: Vec<String> = unlisted.map(told).collect();
    for name in listed.iter().filter_map(|entry| entry.check.as_deref()) {
        if !bad.iter().any(|check| check.id == name) {
            problems.push(format!("{name} does not fail, and is listed"));
        }
    }
    if bad.is_empty() && !has_passed {
        problems.push("nothing was checked, and it is not listed".into());
    }
    match listed {
        _ if !problems.is_empty() => Verdict::Wrong(problems),
        [] => Verdict::Passed,
        listed => {
            let mut reasons: Vec<String> = listed.iter().map(|entry| entry.reason.clone()).collect();
            reasons.dedup();
            Verdict::Expected(reasons)
        }
    }
}

fn told(check: &Check) -> String {
    let word = if check.status == Status::Warning { "warns" } else { "fails" };
    let why = check.error_message.as_deref().unwrap_or("it does not say why");
    format!("{} {word}: {why}", check.id)
}

#[cfg(test)]
mod tests {
    use super::super::listed::parse;
    use super::super::results::{Check, Status};
    use super::{Row, Verdict, judge};

    const GOOD: (&str, Status) = ("good", Status::Success);
    const BAD: (&str, Status) = ("bad", Status::Failure);
    const WARNS: (&str, Status) = ("bad", Status::Warning);

    fn verdict(checks: &[(&str, Status)], listed: &str) -> Verdict {
        let check = |(id, status): &(&str, Status)| Check { id: (*id).into(), status: *status, error_message: None };
        let run = [("it".to_owned(), checks.iter().map(check).collect())].into();
        let mut rows = judge("r", &run, &[], &parse(listed).unwrap());
        assert_eq!(rows.len(), 1);
        rows.remove(0).verdict
    }

    #[test]
    fn what_is_not_as_listed_is_wrong() {
        let whole = "- it # why";
        let part = "- it:bad # why";
        for (checks, listed, told) in [
            (&[GOOD, BAD][..], "", "bad fails: it does not say why"),
            (&[GOOD, WARNS], "", "bad warns: it does not say why"),
            (&[GOOD, BAD, ("bad", Status::Success)], "", "bad fails: it does not say why"),
            (&[GOOD, ("other", Status::Failure), BAD], part, "other fails: it does not say why"),
            (&[], "", "nothing was checked, and it is not listed"),
            (&[("seen", Status::Info), ("left", Status::Skipped)], "", "nothing was checked, and it is not listed"),
            (&[GOOD], whole, "it passes, and is listed"),
            (&[GOOD], part, "bad does not fail, and is listed"),
            (&[GOOD, ("bad", Status::Success)], part, "bad does not fail, and is listed"),
            (&[GOOD, ("bad", Status::Skipped)], part, "bad does not fail, and is listed"),
        ] {
            assert_eq!(verdict(checks, listed), Verdict::Wrong(vec![told.into()]), "{checks:?} {listed}");
        }
    }

    #[test]
    fn what_is_as_listed_is_fine() {
        let expected = || Verdict::Expected(vec!["why".into()]);
        for (checks, listed, verdict_of_it) in [
            (&[GOOD, ("seen", Status::Info), ("left", Status::Skipped)][..], "", Verdict::Passed),
            (&[GOOD, BAD], "- it # why", expected()),
            (&[GOOD, BAD], "- it:bad # why", expected()),
            (&[BAD, ("also", Status::Failure)], "- it:bad # why\n- it:also # why", expected()),
            (&[("seen", Status::Info)], "- it # why", expected()),
        ] {
            assert_eq!(verdict(checks, listed), verdict_of_it, "{checks:?} {listed}");
        }
    }

    #[test]
    fn what_is_required_or_listed_has_to_be_run() {
        let rows = judge("r", &[].into(), &["a".to_owned()], &parse("- b # why").unwrap());
        let row = |scenario: &str, required| Row {
            scenario: scenario.into(),
            revision: "r",
            required,
            verdict: Verdict::Wrong(vec!["it was not run".into()]),
        };
        assert_eq!(rows, [row("a", true), row("b", false)]);
    }
}
