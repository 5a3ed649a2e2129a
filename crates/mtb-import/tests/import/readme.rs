//! What the README shows is what the program prints.

use std::fs;

use crate::program::{fresh, root, run};

/// Every line of a text must be a line of the README.
#[track_caller]
fn shown(text: &str) {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let lines: Vec<_> = readme.lines().collect();
    let missing: Vec<_> = text.lines().filter(|line| !lines.contains(line)).collect();
    assert!(missing.is_empty(), "the README does not show:\n{}\nof\n{text}", missing.join("\n"));
}

#[test]
fn the_report_reads_as_shown() {
    let ran = run(&["crates/mtb-import/samples/shop.json"]);
    assert_eq!(ran.code, 1);
    shown(&ran.stdout);
}

#[test]
fn the_governance_to_fill_in_reads_as_shown() {
    let out = fresh("shown.governance.json");
    run(&["--governance", &out, "crates/mtb-import/samples/shop.json"]);
    let written = fs::read_to_string(out).unwrap();
    let entry = written.lines().skip_while(|line| !line.contains("\"refund_order\""));
    shown(&entry.take_while(|line| *line != "}").collect::<Vec<_>>().join("\n"));
}
