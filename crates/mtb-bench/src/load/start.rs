use std::ffi::OsString;
use std::time::Instant;

use anyhow::Result;

use crate::measure::Measure;
use crate::served::Served;

/// Starts a server, waits for its answer to `initialize`, and looks at the memory that it holds while it has nothing to
/// do.
///
/// # Errors
/// When it does not start, or does not answer.
pub async fn start(command: &[OsString]) -> Result<Measure> {
    let begun = Instant::now();
    let served = Served::start(command).await?;
    let start_ms = Some(begun.elapsed().as_secs_f64() * 1e3);
    let idle_mib = Some(f64::from(served.process.resident_kib()?) / 1_024.0);
    served.end().await?;
    Ok(Measure { start_ms, idle_mib, ..Measure::default() })
}
