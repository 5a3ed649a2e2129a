use std::ffi::OsString;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::latencies::Latencies;
use crate::measure::Measure;
use crate::process::Process;
use crate::{request, tool};

/// Of so many requests, one comes before what is measured.
const WARM_UP: u32 = 10;
/// Longest that a server may take to end after its input has.
const TO_END: Duration = Duration::from_secs(10);

/// Starts a server that speaks on stdin and stdout, sends it `requests` calls of which `depth` are on their way at a
/// time, and measures it.
///
/// # Errors
/// When it does not start, goes away, or gives an answer that is not the right one.
pub async fn pipe(command: &[OsString], depth: u32, requests: u32) -> Result<Measure> {
    let (program, arguments) = command.split_first().context("a server is a command")?;
    let begun = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().with_context(|| format!("`{}` did not start", program.display()))?;
    let process = Process(child.id().context("it has just started")?);
    let input = child.stdin.take().context("a pipe")?;
    let output = BufReader::new(child.stdout.take().context("a pipe")?);
    let mut pipe = Pipe { input, output, next: 1 };
    pipe.initialize().await?;
    let start_ms = Some(begun.elapsed().as_secs_f64() * 1e3);
    pipe.send(depth, requests / WARM_UP).await?;
    let (cpu, begun) = (process.cpu()?, Instant::now());
    let latencies = pipe.send(depth, requests).await?;
    let (elapsed, cpu) = (begun.elapsed(), process.cpu()?.saturating_sub(cpu));
    let peak_mib = Some(f64::from(process.peak_kib()?) / 1_024.0);
    drop(pipe);
    timeout(TO_END, child.wait()).await.context("the server does not end with its input")??;
    Ok(Measure { peak_mib, start_ms, ..Measure::of_requests(latencies, elapsed, cpu)? })
}

struct Pipe {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The id of the next call.
    next: u32,
}

impl Pipe {
    async fn initialize(&mut self) -> Result<()> {
        self.input.write_all(format!("{}\n", request::INITIALIZE).as_bytes()).await?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).await?;
        if !answer.contains(r#""protocolVersion":"2025-11-25""#) {
            bail!("a wrong answer: {answer}");
        }
        self.input.write_all(format!("{}\n", request::INITIALIZED).as_bytes()).await?;
        Ok(())
    }

    async fn send(&mut self, depth: u32, requests: u32) -> Result<Latencies> {
        let first = self.next;
        let end = first + requests;
        let mut asked = Vec::new();
        let (mut latencies, mut arrived, mut waiting) = (Latencies::default(), Vec::new(), Vec::new());
        for _ in 0..depth.min(requests) {
            self.ask(&mut waiting, &mut asked);
        }
        self.input.write_all(&waiting).await?;
        while asked.len() > latencies.count() {
            if self.output.read_buf(&mut arrived).await? == 0 {
                bail!("the server went away");
            }
            waiting.clear();
            let whole = arrived.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
            for line in arrived.get(..whole).unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
                let line = str::from_utf8(line)?;
                let id = id(line).filter(|id| *id >= first && line.contains(tool::ANSWER));
                let at = id.and_then(|id| usize::try_from(id - first).ok());
                let then: Option<&Instant> = at.and_then(|at| asked.get(at));
                latencies.add(then.with_context(|| format!("a wrong answer: {line}"))?.elapsed());
                if self.next < end {
                    self.ask(&mut waiting, &mut asked);
                }
            }
            arrived.drain(..whole);
            self.input.write_all(&waiting).await?;
        }
        Ok(latencies)
    }

    /// One more call, which is on its way from now on.
    fn ask(&mut self, waiting: &mut Vec<u8>, asked: &mut Vec<Instant>) {
        waiting.extend_from_slice(request::call(self.next).as_bytes());
        waiting.push(b'\n');
        self.next += 1;
        asked.push(Instant::now());
    }
}

/// The number that an answer begins with, which both servers write in this way.
fn id(line: &str) -> Option<u32> {
    let (_, rest) = line.split_once(r#""id":"#)?;
    rest.split_once(',')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::id;

    #[test]
    fn an_answer_says_what_it_is_to() {
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":42,"result":{}}"#), Some(42));
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":null,"error":{}}"#), None);
        assert_eq!(id(""), None);
    }
}
