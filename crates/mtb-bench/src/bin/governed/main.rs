//! Serves the tool by us, with everything on that a host has to switch on: `governed stdio`, `governed stdio-lines`, which
//! writes its audit to stderr as lines, or `governed http PRINCIPALS`, which announces itself and ends with its input.

use std::io::{self, Write as _};
use std::num::NonZeroU32;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use mtb_audit::{StderrSink, Trail};
use mtb_bench::{Announcement, LastEvents, runtime, tool, until_input_ends};
use mtb_bridge::{Bridge, JsonSchema, Tool, ToolRegistry, text};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, any_of};
use mtb_http::{ApiKey, ApiKeys, HttpLimits, HttpOptions, serve_http};
use mtb_mcp::{ServerInfo, ServerOptions};
use mtb_stdio::{StdioOptions, serve_stdio};
use tokio::net::TcpListener;

const ROLE: &str = "reader";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match serve(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("governed: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn serve(arguments: &[&str]) -> Result<()> {
    let runtime = runtime()?;
    let served = match *arguments {
        ["http", principals] => runtime.block_on(http(principals.parse().context("how many principals there are")?)),
        ["stdio"] => runtime.block_on(stdio(Trail::to(LastEvents::default()))),
        ["stdio-lines"] => runtime.block_on(stdio(Trail::to(StderrSink::new()))),
        _ => bail!("name the transport: `http PRINCIPALS`, `stdio` or `stdio-lines`"),
    };
    // Whoever still reads stdin must not keep the process.
    runtime.shutdown_background();
    served
}

async fn http(principals: u32) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (known, mut keys) = (ApiKeys::new(), Vec::new());
    for at in 0..principals {
        let key = ApiKey::generate()?;
        known.add(key.hash(), Principal::new(&format!("principal-{at}"), [ROLE])?, None);
        keys.push(key.expose().to_owned());
    }
    let announcement = Announcement { address: listener.local_addr()?.to_string(), process: std::process::id(), keys };
    writeln!(io::stdout(), "{}", serde_json::to_string(&announcement)?)?;
    // One principal sends all of it, which is more than anybody is allowed otherwise.
    let limits = HttpLimits { requests_per_minute: NonZeroU32::MAX, ..HttpLimits::default() };
    let options = HttpOptions::new(ServerOptions::new(info()), known).with_limits(limits);
    serve_http(bridge(Trail::to(LastEvents::default()))?, options, listener, until_input_ends()).await;
    Ok(())
}

async fn stdio(trail: Trail) -> Result<()> {
    serve_stdio(bridge(trail)?, StdioOptions::new(Principal::new("principal", [ROLE])?, info())).await?;
    Ok(())
}

fn bridge(trail: Trail) -> Result<Bridge> {
    let governance =
        Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: any_of([ROLE]) };
    let add = Tool::declare(tool::NAME, tool::DESCRIPTION, JsonSchema::text(tool::SCHEMA), governance);
    let registry = ToolRegistry::new();
    registry.register(add.handler(|arguments, _call| async move {
        Ok(text((arguments.integer("a")? + arguments.integer("b")?).to_string()))
    }))?;
    Ok(Bridge::builder(registry).audit(trail).build())
}

fn info() -> ServerInfo {
    ServerInfo { name: "bench".into(), version: env!("CARGO_PKG_VERSION").into(), title: None, instructions: None }
}
