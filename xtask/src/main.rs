//! The project's own commands, one word each: `cargo xtask ci`, `cargo xtask tidy`, and so on.
//!
//! `ci` is the whole check that a change must pass, on a developer's machine and on a build machine alike. `tidy` is
//! what no compiler says about this workspace: which crate may know which, what may be depended on, what a file may
//! hold. `mutations` takes every guard away in turn and sees that tests miss it. `interop` lets other people's clients
//! judge the testbed, and another validator our judgement of arguments. `conformance` lets the official suite of the
//! protocol judge a server. `fuzz` feeds hostile input to what reads it. `bench` measures a governed server next to a
//! bare one; it is no part of `ci`, since it takes long and other work on the machine shows in it.
//!
//! Exit code: 0 passed, 1 something failed, 2 the command line was not understood.

#![expect(clippy::print_stdout, reason = "what a command reports is its output")]

mod bench;
mod child;
mod ci;
mod clock;
mod conformance;
mod fuzz;
mod interop;
mod interrupt;
mod invocation;
mod listing;
mod metadata;
mod mutations;
mod node;
mod options;
mod tidy;
mod walk;
mod workspace;

use std::process::ExitCode;

use options::Options;
use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  ci [--list] [--only STEP]...        every check, cheapest first
  tidy                                the rules of this workspace
  mutations [--list] [--only ID]... [--jobs N] [--json FILE] [--write-readme]
                                      every guard taken away in turn: tests must miss it
  interop [--list] [--only SCENARIO|CLIENT]... [--server PROGRAM] [--write-readme]
                                      other people's clients against the testbed, and another validator
                                      against ours
  conformance [--only SCENARIO]...    the protocol's official suite against a server of governed tools
  fuzz                                a minute of hostile input for what reads it
  bench [--list] [--only CASE]... [--versus COMMAND] [--write-readme]
                                      how fast a governed server is, next to the bare SDK and to another
                                      server; or what the last whole run measured into the README";

/// What a command does once its options are read.
type Command = fn(&Workspace, &Options) -> anyhow::Result<()>;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let asks_for_help = |argument: &str| matches!(argument, "--help" | "-h");
    if command == "help" || asks_for_help(&command) || rest.iter().any(|argument| asks_for_help(argument)) {
        return ended(listing::print([USAGE]));
    }
    let (known, run): (&[&str], Command) = match command.as_str() {
        "ci" => (&["--list", "--only"], ci::run),
        "tidy" => (&[], |workspace, _| tidy::run(workspace)),
        "mutations" => (&["--list", "--only", "--jobs", "--json", "--write-readme"], mutations::run),
        "bench" => (&["--list", "--only", "--versus", "--write-readme"], bench::run),
        "fuzz" => (&[], |workspace, _| fuzz::run(workspace)),
        "conformance" => (&["--only"], conformance::run),
        "interop" => (&["--list", "--only", "--server", "--write-readme"], interop::run),
        _ => return misunderstood(&format!("no command `{command}`")),
    };
    let options = match Options::parse(&rest, known) {
        Ok(options) => options,
        Err(error) => return misunderstood(&error.to_string()),
    };
    ended(interrupt::watch().and_then(|()| run(&Workspace::load()?, &options)))
}

fn ended(done: anyhow::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn misunderstood(problem: &str) -> ExitCode {
    eprintln!("error: {problem}\n\n{USAGE}");
    ExitCode::from(2)
}
