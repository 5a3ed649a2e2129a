use std::fs;

use serde_json::{Value, json};

use crate::program::{file, fresh, published, run, run_unread, run_with};

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
    check(&["--governance", "-", &published("server-slack")], &["name of a new file"]);
    let twice = ["--governance", "x", "--governance", "y"];
    check(&[&twice[..], &[&published("server-slack")]].concat(), &["`--governance` is given twice"]);
    // One mistake in the options is told once, however many tools and files there are.
    let needless = ["--allow-format", "email", &published("server-slack"), &published("mcp-server-time")];
    check(&needless, &["`--allow-format` names `email`, which is checked already"]);
}

#[test]
fn every_unreadable_file_is_named() {
    let (empty, number) = (file("empty.json", ""), file("number.json", "7"));
    let (marked, broken) = (file("marked.json", "\u{feff}[]"), file("broken.json", "[{\"name\":\n}]"));
    let missing = fresh("missing.json");
    let utf16 = fresh("utf16.json");
    let events = file("events.txt", "event: message\ndata: {\"result\": {\"tools\": []}}\n\n");
    fs::write(&utf16, b"\xff\xfe[\0]\0").unwrap();
    check(
        &[&missing, &empty, &number, &marked, &broken, &utf16, &events],
        &[
            "missing.json` cannot be read: ",
            "empty.json` cannot be used: the definitions are not JSON: the text is empty; ",
            "number.json` cannot be used: the definitions are neither a JSON array nor ",
            "the text begins with a byte order mark; save it as UTF-8 without",
            "broken.json` cannot be used: the definitions are not valid JSON (line 2, column 1): expected value; ",
            "utf16.json` cannot be read: it is UTF-16; save it as UTF-8",
            "events.txt` cannot be used: it is a stream of events; save what follows `data:`",
        ],
    );
    // Whoever reads JSON gets some.
    let ran = run(&["--json", &missing]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, "{\n  \"accepted\": [],\n  \"refused\": []\n}\n"));
    let ran = run_with(&["-"], "7");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("`standard input` cannot be used"), "{}", ran.stderr);
}

/// The other files are reported; governance for some of the tools would look like governance for all.
#[test]
fn an_unreadable_file_keeps_no_other_from_its_report() {
    let (missing, out) = (fresh("missing.json"), fresh("out.json"));
    for (arguments, lines) in [(&["--json"][..], 1), (&["--json", "--governance", &out], 2)] {
        let ran =
            run(&[arguments, &[&missing, &published("server-slack"), "crates/mtb-import/samples/shop.json"]].concat());
        assert_eq!((ran.code, ran.stderr.lines().count()), (2, lines), "{}", ran.stderr);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(report["accepted"], json!(["slack_post_message", "slack_add_reaction", "search_orders"]));
        assert_eq!(report["refused"][0]["tool"], "refund_order");
    }
    assert!(!fs::exists(&out).unwrap());
}

/// `mtb-import … | head` is no failure of the program; what it found out is in the exit code.
#[test]
fn a_reader_that_goes_away_changes_no_exit_code() {
    let accepted = r#"[{"name": "a", "description": "A."}]"#;
    for (arguments, stdin, code) in [
        (&["-"][..], accepted, 0),
        (&["--json", "-"], accepted, 0),
        (&["-"], r#"[{"name": "a", "description": ""}]"#, 1),
        (&["-"], "", 2),
    ] {
        assert_eq!(run_unread(arguments, stdin), Some(code), "{arguments:?} {stdin}");
    }
}

#[test]
fn help_is_an_answer() {
    let ran = run(&["--help"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("Usage: mtb-import"), "{}", ran.stdout);
    let ran = run(&["--version"]);
    assert_eq!((ran.code, ran.stdout), (0, format!("mtb-import {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_governance_file_is_never_overwritten() {
    let out = file("filled.json", "filled in by somebody");
    check(&["--governance", &out, &published("server-slack")], &["filled.json` exists already"]);
    assert_eq!(fs::read_to_string(&out).unwrap(), "filled in by somebody");
    let nowhere = format!("{}/deeper", fresh("nowhere"));
    check(&["--governance", &nowhere, &published("server-slack")], &["cannot be created"]);
}
