//! Serves the testbed on stdin and stdout: `testbed stdio` by `mtb-stdio`, `testbed rmcp` by the official Rust SDK.
//! `testbed http` serves it on a port of this machine, whose address is the one line on stdout, until the input ends.
//! What it may be told by the environment is written at `mtb_testbed::Settings`.

use std::process::ExitCode;

use anyhow::Context as _;
use mtb_bridge::Bridge;
use mtb_http::{HttpOptions, danger};
use mtb_mcp::{ServerInfo, ServerOptions};
use mtb_rmcp::BridgeHandler;
use mtb_stdio::{StdioOptions, serve_stdio, shutdown_signal};
use mtb_testbed::{Settings, bridge, serve_on_loopback};
use rmcp::ServiceExt as _;

#[derive(Clone, Copy)]
enum Served {
    ByUs,
    ByTheSdk,
    OverHttp,
}

fn main() -> ExitCode {
    let transport: Vec<String> = std::env::args().skip(1).collect();
    let served = match transport.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["stdio"] => serve(Served::ByUs),
        ["rmcp"] => serve(Served::ByTheSdk),
        ["http"] => serve(Served::OverHttp),
        _ => {
            eprintln!("testbed: name the transport, which is `stdio`, `rmcp` or `http`");
            return ExitCode::from(2);
        }
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("testbed: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Serves until the client closes the input or the process is asked to stop.
fn serve(served: Served) -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(tracing_subscriber::filter::LevelFilter::WARN)
        .init();
    let settings = Settings::from_variables(std::env::vars())?;
    let bridge = bridge(&settings)?;
    let info = ServerInfo {
        name: "testbed".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        title: Some("Testbed".into()),
        instructions: Some("One tool for each way a call can go.".into()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = match served {
        Served::ByUs => runtime.block_on(by_us(bridge, info, settings)),
        Served::ByTheSdk => runtime.block_on(by_the_sdk(bridge, info, settings)),
        Served::OverHttp => runtime.block_on(over_http(bridge, info, settings)),
    };
    // Whoever still reads a blocked stdin must not keep the process.
    runtime.shutdown_background();
    served.context("serving failed")
}

async fn by_us(bridge: Bridge, info: ServerInfo, settings: Settings) -> anyhow::Result<()> {
    let options = StdioOptions::new(settings.principal, info)
        .with_elicitation_timeout(settings.elicitation_timeout)
        .with_shutdown(shutdown_signal());
    serve_stdio(bridge, options).await?;
    Ok(())
}

async fn by_the_sdk(bridge: Bridge, info: ServerInfo, settings: Settings) -> anyhow::Result<()> {
    let options = ServerOptions::new(info).with_elicitation_timeout(settings.elicitation_timeout);
    let handler = BridgeHandler::for_principal(bridge, settings.principal, options);
    // A client that goes before it said anything leaves nothing to serve.
    if let Ok(running) = handler.serve(rmcp::transport::stdio()).await {
        running.waiting().await?;
    }
    Ok(())
}

async fn over_http(bridge: Bridge, info: ServerInfo, settings: Settings) -> anyhow::Result<()> {
    let server = ServerOptions::new(info).with_elicitation_timeout(settings.elicitation_timeout);
    serve_on_loopback(bridge, HttpOptions::new(server, danger::Anonymous(settings.principal))).await
}
