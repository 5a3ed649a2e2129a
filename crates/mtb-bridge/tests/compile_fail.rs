//! Programs that must not exist, a test for each. The expected texts are rewritten with `TRYBUILD=overwrite`.

fn does_not_compile(program: &str) {
    let cases = trybuild::TestCases::new();
    cases.compile_fail(format!("tests/compile_fail/{program}.rs"));
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
    does_not_compile("state_forged");
}

#[test]
fn a_tool_without_governance() {
    does_not_compile("tool_without_governance");
}

#[test]
fn a_yes_where_nobody_answered() {
    does_not_compile("unanswered_confirmed");
}
