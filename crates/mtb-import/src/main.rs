//! Reads catalogues of tool definitions and says of each tool that it can be imported, or everything that keeps it out.
//!
//! For people: `mtb-import catalogue.json` prints a table, `--json` prints the same for programs, and `--governance OUT`
//! writes the file in which somebody then says how much harm each tool can do and who may use it.
//!
//! It runs no tool, fetches nothing, and classifies nothing: what it suggests stands in comments.
//!
//! # How it fails
//! Exit code 1: a tool is refused. Exit code 2: the command line is wrong, a file is no catalogue, or the governance
//! file cannot be written; nothing is printed to stdout then.

mod arguments;
mod catalogue;
mod governance_file;
mod outline;
mod report;
mod suggestion;

use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::arguments::{Asked, HELP, Output, Request};
use crate::catalogue::Catalogue;
use crate::report::Report;

/// Exit code when a tool is refused.
const REFUSED: u8 = 1;
/// Exit code when there is nothing to say about tools.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let done = arguments::read(std::env::args_os().skip(1)).and_then(|asked| match asked {
        Asked::Help => print(HELP).map(|()| ExitCode::SUCCESS),
        Asked::Check(request) => run(&request),
    });
    done.unwrap_or_else(|problem| {
        eprintln!("mtb-import: {problem}");
        ExitCode::from(UNUSABLE)
    })
}

/// # Errors
/// What kept the work from being done, in words for a person.
fn run(request: &Request) -> Result<ExitCode, String> {
    let catalogues = Catalogue::read_all(&request.files)?;
    let report = Report::on(&catalogues, &request.options);
    if let Some(path) = &request.governance {
        governance_file::write(path, &catalogues)?;
    }
    print(&match request.output {
        Output::Text => report.to_string(),
        Output::Json => report.to_json() + "\n",
    })?;
    Ok(if report.is_accepted() { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
}

fn print(text: &str) -> Result<(), String> {
    io::stdout().write_all(text.as_bytes()).map_err(|error| format!("stdout cannot be written: {error}"))
}
