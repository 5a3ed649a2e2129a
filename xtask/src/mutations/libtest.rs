use std::collections::BTreeMap;

/// What `trybuild` says of a program that compiles and must not.
const SHOULD_NOT_HAVE_COMPILED: &str = "Expected test case to fail to compile, but it succeeded.";

/// How a test ended, as the test program printed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    Failed,
    Ignored,
}

/// The lines `test NAME ... OUTCOME` of what a test program printed. A test without one did not end.
pub(super) fn outcomes(printed: &str) -> BTreeMap<&str, Outcome> {
    // What failed tests have printed comes after them.
    printed.lines().take_while(|line| *line != "failures:").filter_map(outcome).collect()
}

fn outcome(line: &str) -> Option<(&str, Outcome)> {
    let (name, ended) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let ended = match ended.split([' ', ',']).next() {
        Some("ok") => Outcome::Passed,
        Some("FAILED") => Outcome::Failed,
        Some("ignored") => Outcome::Ignored,
        _ => return None,
    };
    Some((name.trim_end_matches(" - should panic"), ended))
}

/// The programs of which `trybuild` printed that they should not compile, and did; from the folder of the package.
pub(super) fn compiled(printed: &str) -> impl Iterator<Item = &str> {
    let pairs = printed.lines().zip(printed.lines().skip(1));
    pairs
        .filter(|(_, next)| *next == SHOULD_NOT_HAVE_COMPILED)
        .filter_map(|(line, _)| line.strip_prefix("test ")?.strip_suffix(" ... error"))
}

#[cfg(test)]
mod tests {
    use super::{Outcome, compiled, outcomes};

    #[test]
    fn reads_which_programs_compiled() {
        let compiles = "Expected test case to fail to compile, but it succeeded.";
        let printed = format!(
            "test a/b.rs ... error\n{compiles}\n\ntest a/c.rs ... error\nerror[E0603]\n{compiles}\ntest a/d.rs ... ok\n\
             {compiles}\ntest a/e.rs ... error\n{compiles}\n"
        );
        assert_eq!(compiled(&printed).collect::<Vec<_>>(), ["a/b.rs", "a/e.rs"]);
        assert_eq!(compiled("").next(), None);
    }

    #[test]
    fn reads_what_test_programs_print() {
        let printed = "\nrunning 5 tests\ntest a::one ... ok\ntest a::two ... FAILED\ntest three - should panic ... ok\n\
            test four ... ignored, needs a network\ntest five has been running for over 60 seconds\n\
            test result: FAILED. 2 passed; 1 failed\ntest six ... \nfailures:\ntest four ... FAILED\n";
        let rows = [
            ("a::one", Outcome::Passed),
            ("a::two", Outcome::Failed),
            ("three", Outcome::Passed),
            ("four", Outcome::Ignored),
        ];
        assert_eq!(outcomes(printed), rows.into());
    }
}
