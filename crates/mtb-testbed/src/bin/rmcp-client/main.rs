//! Carries out scenarios with the client of `rmcp`, the official Rust SDK, and prints what it saw.
//!
//! Reads jobs (JSON) from stdin. Each is a scenario: it starts a server, does the steps in one session, and prints one
//! observation (a line of JSON). It judges nothing: the same jobs go to every client, and xtask compares what they saw.

mod handler;
mod job;
mod session;

use std::io::{self, Write as _};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientLifecycleMode, serve_client_with_lifecycle};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::timeout;

use crate::handler::Person;
use crate::job::{Job, Work};
use crate::session::Session;

fn main() -> anyhow::Result<()> {
    let work: Work = serde_json::from_reader(io::stdin().lock()).context("stdin has no jobs")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for job in &work.jobs {
        let limit = Duration::from_secs(work.seconds);
        let told = match runtime.block_on(async { timeout(limit, drive(&work, job)).await }) {
            Ok(Ok(seen)) => seen,
            Ok(Err(error)) => json!({"failed": format!("{error:#}")}),
            Err(_) => json!({"failed": format!("not done within {} s", work.seconds)}),
        };
        let mut line = json!({"scenario": job.scenario});
        if let (Some(line), Value::Object(told)) = (line.as_object_mut(), told) {
            line.extend(told);
        }
        writeln!(io::stdout(), "{line}")?;
    }
    // Whatever still waits for an answer must not keep the process.
    runtime.shutdown_background();
    Ok(())
}

/// What was seen of one scenario.
async fn drive(work: &Work, job: &Job) -> anyhow::Result<Value> {
    let mut server = Command::new(&work.command)
        .args(&work.arguments)
        .envs(&job.env)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("the server does not start")?;
    let (stdout, stdin) = (server.stdout.take(), server.stdin.take());
    let streams = stdout.zip(stdin).context("the server has no pipes")?;
    let person = Arc::new(Person::new(job.answer, version(&work.mode)?));
    let client = serve_client_with_lifecycle(Arc::clone(&person), streams, lifecycle(&work.mode)?).await?;
    let mut session = Session::new(client, Arc::clone(&person), Duration::from_secs(work.patience));
    for step in &job.steps {
        session.perform(step).await;
    }
    let (protocol, outcomes) = session.end().await?;
    // Five seconds are what the SDK's own server gives a subscription that is open when the input ends.
    timeout(Duration::from_secs(10), server.wait()).await.context("the server does not end")??;
    Ok(json!({"protocol": protocol, "questions": person.questions(), "outcomes": outcomes}))
}

/// A mode is a version, or `auto`: the newest that both sides know.
fn version(mode: &str) -> anyhow::Result<ProtocolVersion> {
    if mode == "auto" {
        return Ok(ProtocolVersion::LATEST);
    }
    let known = ProtocolVersion::KNOWN_VERSIONS.iter().find(|known| known.as_str() == mode);
    known.cloned().with_context(|| format!("this SDK does not know the version `{mode}`"))
}

fn lifecycle(mode: &str) -> anyhow::Result<ClientLifecycleMode> {
    let version = version(mode)?;
    Ok(if mode == "auto" {
        ClientLifecycleMode::Auto { preferred_versions: vec![version], legacy_version: None }
    } else if version.has_initialize() {
        ClientLifecycleMode::Initialize
    } else {
        ClientLifecycleMode::Discover { preferred_versions: vec![version] }
    })
}
