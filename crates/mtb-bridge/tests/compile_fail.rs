//! Programs that must not exist: a folder for each thing nobody may do, a program for each way to do it. The expected
//! texts are rewritten with `TRYBUILD=overwrite`.
#![expect(clippy::unwrap_used, reason = "a program that cannot be read fails its test")]

use std::path::Path;

fn does_not_compile(folder: &str) {
    let programs = format!("tests/compile_fail/{folder}");
    trybuild::TestCases::new().compile_fail(format!("{programs}/*.rs"));
    // A second error would hide that the first is gone.
    let files = Path::new(&programs).read_dir().unwrap().map(|entry| entry.unwrap().path());
    for expected in files.filter(|path| path.extension().is_some_and(|ending| ending == "stderr")) {
        let text = std::fs::read_to_string(&expected).unwrap();
        assert_eq!(text.lines().filter(|line| line.starts_with("error")).count(), 1, "{}", expected.display());
    }
}

#[test]
fn a_guard_of_the_hosts_own() {
    does_not_compile("guard_replaced");
}

#[test]
fn a_handler_reached_beside_the_path() {
    does_not_compile("handler_reached");
}

#[test]
fn a_tool_that_opts_out_of_confirmation() {
    does_not_compile("opt_out_of_confirmation");
}

#[test]
fn a_tool_for_another_host_context() {
    does_not_compile("other_host_context");
}

#[test]
fn a_proof_used_twice() {
    does_not_compile("proof_cloned");
}

#[test]
fn a_proof_written_down() {
    does_not_compile("proof_forged");
}

#[test]
fn a_state_of_the_path_named() {
    does_not_compile("state_named");
}

#[test]
fn a_tool_without_governance() {
    does_not_compile("tool_without_governance");
}

#[test]
fn a_yes_where_nobody_answered() {
    does_not_compile("unanswered_confirmed");
}
