//! Sends requests to a server and prints what it measured, as a line of JSON.
//!
//! `load calls CONNECTIONS REQUESTS` and `load sessions COUNT` read on stdin what a server announced;
//! `load pipe DEPTH REQUESTS NOTE_BYTES PROGRAM [ARGUMENT]...`, `load start PROGRAM [ARGUMENT]...` and
//! `load dense PROGRAM [ARGUMENT]...` start one themselves; `load in-process` needs none.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use mtb_bench::in_process::Figures;
use mtb_bench::{Announcement, Measure, load};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let measured = if arguments == ["in-process"] { in_process() } else { of_server(&arguments) };
    match measured.and_then(|measured| print(&measured)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("load: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn in_process() -> Result<Measure> {
    let figures = Figures::measure()?;
    eprintln!("{figures}");
    Ok(Measure::of_figures(&figures))
}

fn of_server(arguments: &[OsString]) -> Result<Measure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")?;
    runtime.block_on(measure(arguments))
}

async fn measure(arguments: &[OsString]) -> Result<Measure> {
    let number = |at: usize, least: u32| -> Result<u32> {
        let number = arguments.get(at).and_then(|argument| argument.to_str()?.parse().ok());
        number.filter(|number| *number >= least).with_context(|| format!("argument {at} is a number, at least {least}"))
    };
    let command = |at: usize| arguments.get(at..).unwrap_or_default();
    match arguments.first().and_then(|what| what.to_str()) {
        Some("calls") => load::calls(&announced()?, number(1, 1)?, number(2, 1)?).await,
        Some("sessions") => load::sessions(&announced()?, number(1, 1)?).await,
        Some("pipe") => load::pipe(command(4), number(1, 1)?, number(2, 1)?, number(3, 0)?).await,
        Some("start") => load::start(command(1)).await,
        Some("dense") => load::dense(command(1)).await,
        _ => bail!("say what to do: `calls`, `sessions`, `pipe`, `start`, `dense` or `in-process`"),
    }
}

fn announced() -> Result<Announcement> {
    serde_json::from_reader(io::stdin().lock()).context("no server is announced")
}

fn print(measured: &Measure) -> Result<()> {
    writeln!(io::stdout(), "{}", serde_json::to_string(measured)?).context("cannot write")
}
