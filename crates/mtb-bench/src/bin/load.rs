//! Sends requests to a server and prints what it measured, as a line of JSON.
//!
//! `load calls CONNECTIONS REQUESTS` and `load sessions COUNT` read on stdin what a server announced;
//! `load pipe DEPTH REQUESTS PROGRAM [ARGUMENT]...` starts one itself.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use mtb_bench::{Announcement, Measure, load};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let measured = runtime.context("no runtime").and_then(|runtime| runtime.block_on(measure(&arguments)));
    match measured.and_then(|measured| print(&measured)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("load: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(arguments: &[OsString]) -> Result<Measure> {
    let number = |at: usize| -> Result<u32> {
        let number = arguments.get(at).and_then(|argument| argument.to_str()?.parse().ok());
        number.filter(|number| *number > 0).with_context(|| format!("argument {at} is a number, at least 1"))
    };
    match arguments.first().and_then(|what| what.to_str()) {
        Some("calls") => load::calls(&announced()?, number(1)?, number(2)?).await,
        Some("sessions") => load::sessions(&announced()?, number(1)?).await,
        Some("pipe") => load::pipe(arguments.get(3..).unwrap_or_default(), number(1)?, number(2)?).await,
        _ => bail!("say what to do: `calls`, `sessions` or `pipe`"),
    }
}

fn announced() -> Result<Announcement> {
    serde_json::from_reader(io::stdin().lock()).context("no server is announced")
}

fn print(measured: &Measure) -> Result<()> {
    writeln!(io::stdout(), "{}", serde_json::to_string(measured)?).context("cannot write")
}
