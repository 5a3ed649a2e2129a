//! Programs that must not exist. The expected texts are rewritten with `TRYBUILD=overwrite`.

#[test]
fn programs_that_go_around_the_checks_do_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/compile_fail/*.rs");
}
