use std::fs;

use crate::program::{file, fresh, published, run, run_with};

/// Ends with exit code 2, says each of these on stderr and nothing on stdout.
#[track_caller]
fn check(arguments: &[&str], expected: &[&str]) {
    let ran = run(arguments);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}: {}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), expected.len(), "{}", ran.stderr);
    for (line, expected) in ran.stderr.lines().zip(expected) {
        assert!(line.starts_with("mtb-import: ") && line.contains(expected), "{line}");
    }
}

#[test]
fn a_wrong_command_line_checks_nothing() {
    check(&[], &["no file to check"]);
    check(&["--jsno", &published("server-slack")], &["--jsno"]);
    check(&["--allow-dialect", "urn:x", &published("server-slack")], &["URI=DIALECT"]);
}

#[test]
fn every_unreadable_file_is_named() {
    let object = file("object.json", r#"{"result": []}"#);
    let broken = file("broken.json", "[{\"name\":\n}]");
    let missing = fresh("missing.json");
    check(
        &[&missing, &published("server-slack"), &object, &broken],
        &[
            "missing.json` cannot be read",
            "object.json` is neither an array",
            "broken.json` is not valid JSON (line 2, column 1)",
        ],
    );
    let ran = run_with(&["-"], "7");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("`-` is neither"), "{}", ran.stderr);
}

#[test]
fn help_is_an_answer() {
    let ran = run(&["--help"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("Usage: mtb-import"), "{}", ran.stdout);
}

#[test]
fn a_governance_file_is_never_overwritten() {
    let out = file("filled.json", "filled in by somebody");
    check(&["--governance", &out, &published("server-slack")], &["filled.json` exists already"]);
    assert_eq!(fs::read_to_string(&out).unwrap(), "filled in by somebody");
    let nowhere = format!("{}/deeper", fresh("nowhere"));
    check(&["--governance", &nowhere, &published("server-slack")], &["cannot be created"]);
}
