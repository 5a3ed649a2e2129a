use std::fmt::Write as _;

use super::case::CASES;
use super::report::{BARE, GOVERNED, Report};

/// What is measured, in words.
const QUANTITIES: [(&str, &str); 7] = [
    ("requests_per_second", "requests per second"),
    ("p50_us", "half of them within, µs"),
    ("p99_us", "99 of 100 within, µs"),
    ("cpu_us", "processor time of the server for each, µs"),
    ("start_ms", "from start to first answer, ms"),
    ("peak_mib", "peak memory, MiB"),
    ("session_kib", "memory for each session, KiB"),
];

/// The medians and ratios, in Markdown.
pub(super) fn of(report: &Report) -> String {
    let mut text = "| case | measured | governed | bare SDK | ratio |\n|---|---|---:|---:|---:|\n".to_owned();
    for case in CASES {
        let Some(medians) = report.medians.get(case.name) else { continue };
        let mut about = case.about;
        for (name, words) in QUANTITIES {
            let number = |server: &str| medians.get(server).and_then(|measured| measured.get(name)).copied();
            let (Some(governed), bare) = (number(GOVERNED), number(BARE).map(shown)) else { continue };
            let ratio = report.ratios.get(case.name).and_then(|ratios| ratios.get(name));
            let ratio = ratio.map(|ratio| format!("{ratio:.2}"));
            let (bare, ratio) = (bare.unwrap_or_default(), ratio.unwrap_or_default());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {about} | {words} | {} | {bare} | {ratio} |", shown(governed));
            about = "";
        }
    }
    text
}

fn shown(number: f64) -> String {
    if number >= 100.0 { format!("{number:.0}") } else { format!("{number:.1}") }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::{machine, round};
    use super::super::report::{BARE, GOVERNED, Report};
    use super::of;

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
            "| 10,000 open sessions of 160 principals over HTTP | memory for each session, KiB | 1.2 |  |  |",
        ];
        assert_eq!(of(&Report::of(machine(), rounds)).lines().collect::<Vec<_>>(), expected);
    }
}
