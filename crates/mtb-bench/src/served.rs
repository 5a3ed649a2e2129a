use std::ffi::OsString;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::process::Process;
use crate::{reply, request};

/// Longest that a server may take to end after its input has.
const TO_END: Duration = Duration::from_secs(10);
/// Bytes of what it said last on stderr.
const KEPT: usize = 4 * 1024;

/// A server that was started and speaks on stdin and stdout. Whatever it writes to stderr is read.
pub(crate) struct Served {
    child: Child,
    pub(crate) process: Process,
    pub(crate) input: ChildStdin,
    pub(crate) output: BufReader<ChildStdout>,
    /// Gives the last of what was said on stderr.
    said: JoinHandle<String>,
}

impl Served {
    /// Starts it and begins a session.
    pub(crate) async fn start(command: &[OsString]) -> Result<Self> {
        let (program, arguments) = command.split_first().context("a server is a command")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().with_context(|| format!("`{}` did not start", program.display()))?;
        let process = Process(child.id().context("it has just started")?);
        let input = child.stdin.take().context("a pipe")?;
        let output = BufReader::new(child.stdout.take().context("a pipe")?);
        let said = tokio::spawn(last_of(child.stderr.take().context("a pipe")?));
        let mut served = Self { child, process, input, output, said };
        if let Err(error) = served.initialize().await {
            let said = served.said.await.unwrap_or_default();
            return Err(error.context(format!("no session: {}", said.trim())));
        }
        Ok(served)
    }

    /// Whatever revision it answers with: what follows is the same in all of them.
    async fn initialize(&mut self) -> Result<()> {
        self.send(request::INITIALIZE).await?;
        let answer = self.answer_to(0).await?;
        if answer.pointer("/result/protocolVersion").is_none() {
            bail!("a wrong answer: {answer}");
        }
        self.send(request::INITIALIZED).await
    }

    pub(crate) async fn send(&mut self, message: &str) -> Result<()> {
        self.input.write_all(message.as_bytes()).await?;
        Ok(self.input.write_all(b"\n").await?)
    }

    /// The answer to a request, of whatever kind; anything before it is let go by.
    pub(crate) async fn answer_to(&mut self, id: u32) -> Result<Value> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line).await? == 0 {
                bail!("the server went away");
            }
            if let Some((_, answer)) = reply::answer(&line)?.filter(|(answered, _)| *answered == id) {
                return Ok(answer);
            }
        }
    }

    /// Ends its input, and waits for its end.
    pub(crate) async fn end(self) -> Result<()> {
        let Self { mut child, input, .. } = self;
        drop(input);
        timeout(TO_END, child.wait()).await.context("the server does not end with its input")??;
        Ok(())
    }
}

async fn last_of(mut stderr: ChildStderr) -> String {
    let (mut said, mut room) = (Vec::new(), vec![0; 64 * 1024]);
    while let Ok(bytes @ 1..) = stderr.read(&mut room).await {
        said.extend_from_slice(room.get(..bytes).unwrap_or_default());
        said.drain(..said.len().saturating_sub(KEPT));
    }
    String::from_utf8_lossy(&said).into_owned()
}
