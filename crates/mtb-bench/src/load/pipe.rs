use std::ffi::OsString;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::latencies::Latencies;
use crate::measure::Measure;
use crate::served::Served;
use crate::{reply, request};

/// Of so many requests, one comes before what is measured.
const WARM_UP: u32 = 10;

/// Starts a server that speaks on stdin and stdout, sends it `requests` calls of which `depth` are on their way at a
/// time, each with a note of so many bytes, and measures it.
///
/// # Errors
/// When it does not start, goes away, or gives an answer that is not the right one.
pub async fn pipe(command: &[OsString], depth: u32, requests: u32, note_bytes: u32) -> Result<Measure> {
    let begun = Instant::now();
    let served = Served::start(command).await?;
    let start_ms = Some(begun.elapsed().as_secs_f64() * 1e3);
    let process = served.process;
    let mut pipe = Pipe { served, arguments: request::arguments(note_bytes), next: 1 };
    pipe.send(depth, requests / WARM_UP).await?;
    let (cpu, begun) = (process.cpu()?, Instant::now());
    let latencies = pipe.send(depth, requests).await?;
    let (elapsed, cpu) = (begun.elapsed(), process.cpu()?.saturating_sub(cpu));
    let peak_mib = Some(process.peak_mib()?);
    pipe.served.end().await?;
    Ok(Measure { peak_mib, start_ms, ..Measure::of_requests(latencies, elapsed, cpu)? })
}

struct Pipe {
    served: Served,
    arguments: String,
    /// The id of the next call.
    next: u32,
}

impl Pipe {
    async fn send(&mut self, depth: u32, requests: u32) -> Result<Latencies> {
        let first = self.next;
        let end = first + requests;
        let mut asked = Vec::new();
        let (mut latencies, mut arrived, mut waiting) = (Latencies::default(), Vec::new(), Vec::new());
        for _ in 0..depth.min(requests) {
            self.ask(&mut waiting, &mut asked);
        }
        self.served.input.write_all(&waiting).await?;
        while asked.len() > latencies.count() {
            if self.served.output.read_buf(&mut arrived).await? == 0 {
                bail!("the server went away");
            }
            waiting.clear();
            let whole = arrived.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
            for line in arrived.get(..whole).unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
                let line = str::from_utf8(line)?;
                let Some(id) = reply::sum(line)? else { continue };
                let at = id.checked_sub(first).and_then(|at| usize::try_from(at).ok());
                let then: Option<&Instant> = at.and_then(|at| asked.get(at));
                latencies.add(then.with_context(|| format!("nobody asked: {line}"))?.elapsed());
                if self.next < end {
                    self.ask(&mut waiting, &mut asked);
                }
            }
            arrived.drain(..whole);
            self.served.input.write_all(&waiting).await?;
        }
        Ok(latencies)
    }

    /// One more call, which is on its way from now on.
    fn ask(&mut self, waiting: &mut Vec<u8>, asked: &mut Vec<Instant>) {
        waiting.extend_from_slice(request::call_with(self.next, &self.arguments).as_bytes());
        waiting.push(b'\n');
        self.next += 1;
        asked.push(Instant::now());
    }
}
