//! Reads catalogues of tool definitions and says of each tool that it can be imported, or everything that keeps it out.
//!
//! For people: `mtb-import catalogue.json` prints a table, `--json` prints the same for programs, and `--governance OUT`
//! writes the file in which somebody then says how much harm each tool can do and who may use it.
//!
//! It runs no tool, fetches nothing, and classifies nothing: what it suggests stands in comments.
//!
//! # How it fails
//! Exit code 1: a tool is refused. Exit code 2: the command line is wrong, a file is no catalogue, or the governance
//! file cannot be written. What is wrong is on stderr, one line each. The report is on stdout, on all files that are
//! catalogues; it is not printed when the command line is wrong or the governance file cannot be written. A reader that
//! goes away changes no exit code.

mod arguments;
mod catalogue;
mod governance_file;
mod outline;
mod remedy;
mod report;
mod suggestion;
mod warning;

use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

use crate::arguments::{Asked, HELP, Output, Request};
use crate::catalogue::Catalogue;
use crate::report::Report;

/// Exit code when a tool is refused.
const REFUSED: u8 = 1;
/// Exit code when something could not be done, so that the report is not the whole.
const UNUSABLE: u8 = 2;

const VERSION: &str = concat!("mtb-import ", env!("CARGO_PKG_VERSION"), "\n");

fn main() -> ExitCode {
    let done = arguments::read(std::env::args_os().skip(1)).map_err(|problem| vec![problem]);
    let done = done.and_then(|asked| match asked {
        Asked::Help => print(HELP).map(|()| ExitCode::SUCCESS),
        Asked::Version => print(VERSION).map(|()| ExitCode::SUCCESS),
        Asked::Check(request) => run(&request),
    });
    done.unwrap_or_else(|problems| {
        for problem in problems {
            // Where nobody reads it, the exit code still says it.
            let _ = writeln!(io::stderr(), "mtb-import: {problem}");
        }
        ExitCode::from(UNUSABLE)
    })
}

/// # Errors
/// Everything that could not be done, in words for a person.
fn run(request: &Request) -> Result<ExitCode, Vec<String>> {
    let (catalogues, mut problems) = Catalogue::read_all(&request.files, &request.options);
    if let Some(path) = &request.governance {
        if problems.is_empty() {
            governance_file::write(path, &catalogues).map_err(|problem| vec![problem])?;
        } else {
            let path = mtb_core::printable(&path.display().to_string());
            problems.push(format!("`{path}` is not written: it would lack the tools of what cannot be read"));
        }
    }
    let report = Report::on(&catalogues, request.governance.is_some());
    // Whoever reads JSON gets some.
    if !catalogues.is_empty() || request.output == Output::Json {
        print(&match request.output {
            Output::Text => report.to_string(),
            Output::Json => report.to_json() + "\n",
        })?;
    }
    match (problems.is_empty(), report.is_accepted()) {
        (false, _) => Err(problems),
        (true, true) => Ok(ExitCode::SUCCESS),
        (true, false) => Ok(ExitCode::from(REFUSED)),
    }
}

fn print(text: &str) -> Result<(), Vec<String>> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        // Whoever closed the pipe has read enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(vec![format!("stdout cannot be written: {error}")]),
        _ => Ok(()),
    }
}
