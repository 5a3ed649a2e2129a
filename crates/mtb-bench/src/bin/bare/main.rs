//! Serves the tool by the official Rust SDK alone: `bare stdio`, or `bare http`, which announces itself and ends with
//! its input. HTTP has no sessions and answers in JSON.

mod adding;

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use adding::Adding;
use anyhow::{Context as _, Result, bail};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use mtb_bench::{Announcement, runtime, until_input_ends};
use rmcp::ServiceExt as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

/// As long as a key of ours, so that the same number of bytes arrives.
const KEY: &str = "none_-------------------------------------------";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match serve(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bare: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn serve(arguments: &[&str]) -> Result<()> {
    let runtime = runtime()?;
    let served = match *arguments {
        ["http"] => runtime.block_on(http()),
        ["stdio"] => runtime.block_on(stdio()),
        _ => bail!("name the transport: `http` or `stdio`"),
    };
    // Whoever still reads stdin must not keep the process.
    runtime.shutdown_background();
    served
}

/// Straight on hyper: no router, no time-outs, nothing that could hold it up.
async fn http() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let announcement = Announcement {
        address: listener.local_addr()?.to_string(),
        process: std::process::id(),
        keys: vec![KEY.to_owned()],
    };
    writeln!(io::stdout(), "{}", serde_json::to_string(&announcement)?)?;
    let config = StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
    let service = StreamableHttpService::new(|| Ok(Adding::new()), Arc::<LocalSessionManager>::default(), config);
    let accepting = async {
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let service = TowerToHyperService::new(service.clone());
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    };
    tokio::select! {
        failed = accepting => failed,
        () = until_input_ends() => Ok(()),
    }
}

async fn stdio() -> Result<()> {
    let running = Adding::new().serve(rmcp::transport::stdio()).await.context("no client")?;
    running.waiting().await?;
    Ok(())
}
