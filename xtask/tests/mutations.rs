//! The checker checked: `cargo xtask mutations` on a tiny workspace whose guards are known to be dead or alive.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "mutations/fixture.rs"]
mod fixture;

use std::fs;

use fixture::{Fixture, table};

#[test]
fn a_guard_that_tests_miss_passes() {
    let fixture = Fixture::new("alive");
    let run = fixture.run(&["--only", "anyone", "--json", &fixture.path("report.json")]);
    assert!(run.passed, "{run:?}");
    assert!(run.stdout.ends_with("\n1 passed, 0 failed\n"), "{run:?}");
    let report: serde_json::Value = serde_json::from_str(&fixture.read("report.json")).unwrap();
    assert_eq!((&report["passed"], &report["failed"]), (&1.into(), &0.into()));
    assert_eq!(report["mutations"][0]["verdict"], "caught");
    assert_eq!(report["mutations"][0]["tests"], serde_json::json!(["tiny lib tests::only_admins_may"]));
    assert_eq!(fixture.checkouts(), 0, "a copy was left behind");
}

#[test]
fn every_other_end_of_a_mutant_fails_the_run() {
    let fixture = Fixture::new("ends");
    let rows = [
        ("gone", "stale", "is not in the file"),
        ("twice", "stale", "is there 2 times"),
        ("no-such-file", "stale", "is not in the file"),
        ("nonsense", "invalid", "mismatched types"),
        ("unnoticed", "survived", "green without the guard: `tiny lib tests::only_admins_may`"),
        ("half-noticed", "survived", "green without the guard: `tiny lib tests::is_never_red`"),
        ("hangs", "inconclusive", "did not end within 1 s"),
        ("dies", "inconclusive", "ended without a verdict"),
        ("not-built", "inconclusive", "is built without `other/src/lib.rs`"),
    ];
    for (id, word, told) in rows {
        let run = fixture.run(&["--only", id]);
        assert!(!run.passed && run.stdout.ends_with("\n0 passed, 1 failed\n"), "{id}: {run:?}");
        assert!(run.stdout.contains(&format!("{word}: `{id}`")) && run.stdout.contains(told), "{id}: {run:?}");
    }
    let run = fixture.run(&["--jobs", "2"]);
    assert!(!run.passed && run.stdout.ends_with("\n1 passed, 9 failed\n"), "{run:?}");
    assert_eq!(fixture.checkouts(), 0, "a copy was left behind");
}

#[test]
fn what_is_not_green_before_is_no_proof() {
    let rows = [
        ("tests::is_red", "is red without any mutant"),
        ("tests::is_ignored", "it is ignored"),
        ("tests::is_not_there", "has no test `tests::is_not_there`"),
    ];
    let fixture = Fixture::new("baseline");
    for (test, told) in rows {
        fixture.write("xtask/mutations/tiny.toml", &table(&[("anyone", "role == \"admin\"", "true", test)]));
        let run = fixture.run(&[]);
        assert!(!run.passed && run.stderr.contains(told), "{test}: {run:?}");
        assert!(!run.stdout.contains("passed"), "{test}: {run:?}");
    }
    fixture.write("tiny/src/lib.rs", "fn broken(");
    let run = fixture.run(&[]);
    assert!(!run.passed && run.stderr.contains("could not compile `tiny`"), "{run:?}");
}

#[test]
fn a_selection_or_a_table_that_means_nothing_is_refused() {
    let fixture = Fixture::new("selection");
    let run = fixture.run(&["--only", "anybody"]);
    assert!(!run.passed && run.stderr.contains("`--only anybody` names nothing"), "{run:?}");
    fixture.write("xtask/mutations/tiny.toml", &table(&[("anyone", "same", "same", "tests::only_admins_may")]));
    let run = fixture.run(&[]);
    assert!(!run.passed && run.stderr.contains("`anyone` changes nothing"), "{run:?}");
    fs::remove_dir_all(fixture.path("xtask/mutations")).unwrap();
    let run = fixture.run(&[]);
    assert!(!run.passed && run.stderr.contains("no table of mutations"), "{run:?}");
}

/// The test that is named lets everything pass when it sees one of these.
#[test]
fn no_environment_variable_reaches_a_test() {
    let fixture = Fixture::new("environment");
    for (name, value) in
        [("TINY_LENIENT", "1"), ("RUSTFLAGS", "--cfg lenient"), ("CARGO_ENCODED_RUSTFLAGS", "--cfg\x1flenient")]
    {
        let run = fixture.run_with(&["--only", "anyone"], &[(name, value)]);
        assert!(run.passed, "{name}: {run:?}");
    }
}

#[test]
fn what_one_mutant_leaves_is_not_what_fails_the_next() {
    let fixture = Fixture::new("left");
    let leaves =
        r#"{ for at in [".".into(), std::env::temp_dir()] { std::fs::write(at.join("left"), "").unwrap(); } true }"#;
    let leaves = ("leaves", "role == \"admin\"", leaves, "tests::only_admins_may");
    let dead = ("dead", "role == \"admin\"", "\"admin\" == role", "tests::nothing_is_left_of_others");
    fixture.write("xtask/mutations/tiny.toml", &table(&[leaves, dead]));
    let run = fixture.run(&["--jobs", "1"]);
    assert!(!run.passed && run.stdout.contains("survived: `dead`"), "{run:?}");
    assert!(run.stdout.ends_with("\n1 passed, 1 failed\n"), "{run:?}");
}

/// What the compiler says changes for many reasons; that it says nothing has one.
#[test]
fn a_program_that_must_not_compile_has_to_compile_in_the_mutant() {
    let fixture = Fixture::new("compiles");
    let test = r#"
        #[test]
        fn nobody_may() {
            let compiles = "Expected test case to fail to compile, but it succeeded.";
            let mut stderr = std::io::stderr();
            std::io::Write::write_fmt(&mut stderr, format_args!("test tests/compile_fail/may.rs ... error\n{compiles}\n")).unwrap();
            assert!(!tiny::may("reader"));
        }
    "#;
    fixture.write("tiny/tests/compile_fail.rs", test);
    for (program, passed) in [("may", true), ("may_not", false)] {
        let row = table(&[("anyone", "role == \"admin\"", "true", "nobody_may")])
            .replace("tiny lib", "tiny compile_fail")
            + &format!("compiles = 'tiny/tests/compile_fail/{program}.rs'\n");
        fixture.write("xtask/mutations/tiny.toml", &row);
        let run = fixture.run(&[]);
        assert_eq!(run.passed, passed, "{run:?}");
        assert_eq!(run.stdout.contains("inconclusive: `anyone`"), !passed, "{run:?}");
        assert_eq!(
            run.stdout.contains("`tiny/tests/compile_fail/may_not.rs` still does not compile"),
            !passed,
            "{run:?}"
        );
    }
}

/// A program that a test starts can write whatever it likes to the streams that it inherits.
#[test]
fn nobody_else_says_that_a_test_failed() {
    let fixture = Fixture::new("forged");
    for stream in [1, 2] {
        let says = format!("echo 'test tests::only_admins_may ... FAILED' >&{stream}");
        let says = format!(
            "{{ std::process::Command::new(\"sh\").args([\"-c\", \"{says}\"]).status().unwrap(); role == \"admin\" }}"
        );
        let row = ("forged", "role == \"admin\"", says.as_str(), "tests::only_admins_may");
        fixture.write("xtask/mutations/tiny.toml", &table(&[row]));
        let run = fixture.run(&[]);
        assert!(!run.passed && run.stdout.ends_with("\n0 passed, 1 failed\n"), "{stream}: {run:?}");
    }
}

#[test]
fn whatever_folders_are_configured_benches_build_in_their_own() {
    let fixture = Fixture::new("folders");
    let elsewhere = fixture.path("../mutations-folders-build");
    fixture.write(".cargo/config.toml", &format!("[build]\nbuild-dir = '{elsewhere}'\n"));
    let run = fixture.run(&["--only", "anyone"]);
    assert!(run.passed, "{run:?}");
    assert!(fs::exists(fixture.path("target/mutations/1/target/debug/deps")).unwrap(), "it was built elsewhere");

    let run = fixture.run_with(&["--only", "anyone"], &[("CARGO_TARGET_DIR", &fixture.path("tiny/out"))]);
    assert!(run.passed, "{run:?}");
}

#[test]
fn a_report_replaces_no_source() {
    let fixture = Fixture::new("report");
    let source = fixture.read("tiny/src/lib.rs");
    let run = fixture.run(&["--only", "anyone", "--json", &fixture.path("tiny/src/lib.rs")]);
    assert!(!run.passed && run.stderr.contains("does not end in `.json`"), "{run:?}");
    assert_eq!(fixture.read("tiny/src/lib.rs"), source);
    let run = fixture.run(&["--only", "anyone", "--json", &fixture.path("nowhere/report.json")]);
    assert!(!run.passed && run.stderr.contains("cannot write") && !run.stdout.contains("passed"), "{run:?}");
}

#[test]
fn a_source_that_changes_meanwhile_is_told() {
    let fixture = Fixture::new("moving");
    let stray = fixture.path("tiny/src/stray.rs");
    let replacement = format!("{{ std::fs::write(r\"{stray}\", \"\").unwrap(); true }}");
    fixture.write(
        "xtask/mutations/tiny.toml",
        &table(&[("writes", "role == \"admin\"", &replacement, "tests::only_admins_may")]),
    );
    let run = fixture.run(&[]);
    assert!(!run.passed && run.stderr.contains("the source tree changed"), "{run:?}");
    assert!(!run.stdout.contains("passed"), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interruption_is_an_error_and_leaves_nothing_behind() {
    for signal in ["INT", "TERM"] {
        let fixture = Fixture::new(&format!("interrupted-{signal}"));
        let pid = fixture.path("pid");
        let hang = format!(
            "{{ std::fs::write(r\"{pid}\", std::process::id().to_string()).unwrap(); loop {{ std::thread::park() }} }}"
        );
        fixture.write(
            "xtask/mutations/tiny.toml",
            &table(&[("hangs", "role == \"admin\"", &hang, "tests::only_admins_may")]),
        );
        let child = fixture.start(&[], &[]);
        let hanging = fixture.wait_for("pid");

        let second = fixture.run(&[]);
        assert!(!second.passed && second.stderr.contains("another run uses"), "{second:?}");
        assert_eq!(fixture.checkouts(), 1, "the second run removed the first one's copy");

        let kill = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let run = fixture::ended(child);
        assert!(!run.passed && run.stderr.contains("interrupted: nothing is proved"), "{signal}: {run:?}");
        assert!(!run.stdout.contains("passed"), "{signal}: {run:?}");
        assert_eq!(fixture.checkouts(), 0, "{signal}: a copy was left behind");
        assert!(!fixture::is_running(&hanging), "{signal}: the test still runs");
    }
}
