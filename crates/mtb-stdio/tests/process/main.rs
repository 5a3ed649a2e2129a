//! The real thing: this program started as a child process, served over its standard streams.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a stray print is what is tested")]
#![cfg_attr(not(unix), expect(unused, reason = "there is nothing to test without descriptors"))]

mod child;
#[cfg(target_os = "linux")]
mod memory;
mod parent;
#[cfg(unix)]
mod stopping;
#[cfg(unix)]
mod streams;

use std::env;
use std::panic::catch_unwind;
use std::process::ExitCode;

type Test = (&'static str, fn());

#[cfg(unix)]
fn tests() -> Vec<Test> {
    let mut tests = [streams::TESTS, stopping::TESTS].concat();
    #[cfg(target_os = "linux")]
    tests.extend(memory::TESTS);
    tests
}

#[cfg(not(unix))]
fn tests() -> Vec<Test> {
    Vec::new()
}

fn main() -> ExitCode {
    if let Ok(role) = env::var(child::ROLE) {
        return child::run(&role);
    }
    let arguments: Vec<_> = env::args().skip(1).collect();
    let is_wanted = |name: &str| {
        let mut filters = arguments.iter().filter(|argument| !argument.starts_with('-')).peekable();
        filters.peek().is_none() || filters.any(|filter| name.contains(filter.as_str()))
    };
    let is_listing = arguments.iter().any(|argument| argument == "--list");
    let mut failed = 0;
    for (name, test) in tests().into_iter().filter(|(name, _)| is_wanted(name)) {
        if is_listing {
            eprintln!("{name}: test");
            continue;
        }
        let passed = catch_unwind(test).is_ok();
        eprintln!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
        failed += u32::from(!passed);
    }
    ExitCode::from(u8::from(failed > 0))
}
