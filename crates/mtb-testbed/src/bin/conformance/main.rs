//! Serves what the official conformance suite calls by name, on a port of this machine whose address is the one line on
//! stdout, until the input ends.
//!
//! Tools only, each governed like any other. Where the suite asks for a tool that asks something, there is one that
//! waits for a yes: that is all a governed tool asks.

mod tools;

use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use mtb_audit::{StderrSink, Trail};
use mtb_bridge::Bridge;
use mtb_core::Principal;
use mtb_http::{HttpOptions, danger};
use mtb_mcp::{ServerInfo, ServerOptions};
use mtb_testbed::serve_on_loopback;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("conformance: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(tracing_subscriber::filter::LevelFilter::WARN)
        .init();
    let info = ServerInfo {
        name: "conformance".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        title: None,
        instructions: None,
    };
    let suite =
        Principal::new("suite", [tools::ROLE]).map_err(|error| anyhow!("there is no such principal: {error}"))?;
    let bridge = Bridge::builder(tools::registry()?).audit(Trail::to(StderrSink::new())).build();
    let options = HttpOptions::new(ServerOptions::new(info), danger::Anonymous(suite));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(serve_on_loopback(bridge, options));
    // Whoever still reads a blocked stdin must not keep the process.
    runtime.shutdown_background();
    served.context("serving failed")
}
