use std::fmt::Write as _;

use super::case::CASES;
use super::report::{BARE, GOVERNED, Judged, OTHER, Report};

/// What is measured, in words.
const QUANTITIES: [(&str, &str); 12] = [
    ("requests_per_second", "requests per second"),
    ("p50_us", "half of them within, µs"),
    ("p99_us", "99 of 100 within, µs"),
    ("cpu_us", "processor time of the server for each, µs"),
    ("start_ms", "from start to first answer, ms"),
    ("peak_mib", "peak memory, MiB"),
    ("session_kib", "memory for each session, KiB"),
    ("idle_mib", "memory with nothing to do, MiB"),
    ("call_us", "a call, µs"),
    ("parts_us", "what no call can do without, each part alone, µs"),
    ("times_parts", "the call by the sum of these parts"),
    ("times_few", "a call among 10,000 tools by one among 10"),
];

/// The medians and ratios, in Markdown.
pub(super) fn of(report: &Report) -> String {
    let others: &[&str] =
        if report.medians.values().any(|of| of.contains_key(OTHER)) { &[BARE, OTHER] } else { &[BARE] };
    let (mut text, mut line) = ("| case | measured | governed |".to_owned(), "|---|---|---:|".to_owned());
    for other in others {
        // Writing to a string cannot fail.
        let _ = write!(text, " {} | ratio |", if *other == BARE { "bare SDK" } else { "the other" });
        line.push_str("---:|---:|");
    }
    let _ = writeln!(text, "\n{line}");
    for case in CASES {
        let Some(medians) = report.medians.get(case.name) else { continue };
        let mut about = case.about;
        for (name, words) in QUANTITIES {
            let number = |server: &str| medians.get(server).and_then(|measured| measured.get(name)).copied();
            let Some(governed) = number(GOVERNED) else { continue };
            let _ = write!(text, "| {about} | {words} | {} |", shown(governed));
            for other in others {
                let ratio = report.ratio(case.name, other, name).map(|ratio| format!("{ratio:.2}"));
                let (number, ratio) = (number(other).map(shown).unwrap_or_default(), ratio.unwrap_or_default());
                let _ = write!(text, " {number} | {ratio} |");
            }
            text.push('\n');
            about = "";
        }
    }
    text
}

/// How each target was met, in Markdown.
pub(super) fn targets(report: &Report) -> String {
    let line = |judged: Judged| format!("- {}: {judged}\n", if judged.is_met { "met" } else { "missed" });
    report.judged().into_iter().map(line).collect()
}

fn shown(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::{machine, round};
    use super::super::report::{BARE, GOVERNED, OTHER, Report};
    use super::{of, targets};

    #[test]
    fn shows_what_was_measured() {
        let rounds = vec![
            round("http-64", GOVERNED, 0, &[("requests_per_second", 3_000.4), ("p99_us", 90.0)]),
            round("http-64", BARE, 0, &[("requests_per_second", 2_000.0), ("p99_us", 120.0)]),
            round("http-sessions", GOVERNED, 0, &[("session_kib", 1.25)]),
        ];
        let expected = [
            "| case | measured | governed | bare SDK | ratio |",
            "|---|---|---:|---:|---:|",
            "| calls over HTTP, on 64 connections | requests per second | 3000 | 2000 | 1.50 |",
            "|  | 99 of 100 within, µs | 90.0 | 120 | 0.75 |",
            "| 10,000 open sessions of 160 principals over HTTP | memory for each session, KiB | 1.25 |  |  |",
        ];
        assert_eq!(of(&Report::of(machine(), rounds)).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn shows_which_targets_were_met() {
        let rounds = vec![
            round("http-64", GOVERNED, 0, &[("requests_per_second", 150.0), ("p99_us", 11.0)]),
            round("http-64", BARE, 0, &[("requests_per_second", 100.0), ("p99_us", 10.0)]),
            round("start", GOVERNED, 0, &[("start_ms", 3.0), ("idle_mib", 9.4)]),
        ];
        let expected = [
            "- met: `http-64`: `requests_per_second` is 1.50, times the bare server's at least 1.5",
            "- missed: `http-64`: `p99_us` is 1.10, times the bare server's at most 1",
            "- met: `start`: `start_ms` is 3.00, at most 10",
            "- met: `start`: `idle_mib` is 9.40, at most 12",
        ];
        assert_eq!(targets(&Report::of(machine(), rounds)).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn another_server_has_columns_of_its_own() {
        let rounds = vec![
            round("stdio-1", GOVERNED, 0, &[("p50_us", 20.0)]),
            round("stdio-1", BARE, 0, &[("p50_us", 40.0)]),
            round("stdio-1", OTHER, 0, &[("p50_us", 80.0)]),
        ];
        let expected = [
            "| case | measured | governed | bare SDK | ratio | the other | ratio |",
            "|---|---|---:|---:|---:|---:|---:|",
            "| calls on stdin and stdout, one at a time | half of them within, µs | 20.0 | 40.0 | 0.50 | 80.0 | 0.25 |",
        ];
        assert_eq!(of(&Report::of(machine(), rounds)).lines().collect::<Vec<_>>(), expected);
    }
}
