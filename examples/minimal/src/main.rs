//! Three governed tools over a notebook and a mailbox, served to an MCP client over stdio.
//!
//! `minimal --demo` shows what that means: the program starts itself as a server and talks to it as a client would.

mod arguments;
mod demo;
mod email;
mod notes;
mod principal;
mod tools;

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use mcp_tool_bridge::{Bridge, ServerInfo, StdioOptions, ToolRegistry, serve_stdio, shutdown_signal};

use crate::arguments::{Asked, HELP};
use crate::notes::Notebook;

fn main() -> ExitCode {
    let done = match arguments::read(std::env::args_os().skip(1)) {
        Ok(Asked::Serve) => serve(),
        Ok(Asked::Demo) => demo::run(&mut io::stdout().lock()),
        Ok(Asked::Help) => io::stdout().write_all(HELP.as_bytes()).map_err(anyhow::Error::from),
        Err(usage) => {
            eprintln!("minimal: {usage}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("minimal: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Serves until the client closes the input or the process is asked to stop.
fn serve() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_max_level(tracing_subscriber::filter::LevelFilter::WARN)
        .init();
    let principal = principal::from_environment()?;
    let registry = ToolRegistry::new();
    registry.register_all(tools::all(&Arc::new(Notebook::new())))?;
    let info = ServerInfo {
        name: "minimal".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        title: Some("Notes and mail".into()),
        instructions: Some("Search and add notes, and send email. Emails wait for a person's yes.".into()),
    };
    if io::stdin().is_terminal() {
        eprintln!("minimal: serves MCP on stdin and stdout, one message a line; `minimal --demo` shows what that is");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let options = StdioOptions::new(principal, info).with_shutdown(shutdown_signal());
        serve_stdio(Bridge::new(registry), options).await
    });
    // Whoever still reads a blocked stdin must not keep the process.
    runtime.shutdown_background();
    served.map(drop).context("serving failed")
}
