use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use anyhow::{Context, Result};
use tokio::task::JoinSet;

use crate::announcement::Announcement;
use crate::connection::Connection;
use crate::latencies::Latencies;
use crate::measure::Measure;
use crate::process::Process;
use crate::request;

/// Of so many requests, one comes before what is measured.
const WARM_UP: u32 = 10;

/// Sends `requests` calls over `connections`, each with one call on its way at a time, and measures the server.
///
/// # Errors
/// When a connection breaks, or an answer is not the right one.
pub async fn calls(server: &Announcement, connections: u32, requests: u32) -> Result<Measure> {
    let key = server.keys.first().context("a server announces a key")?;
    let request: Arc<[u8]> = request::modern_call(&server.address, key).into();
    let mut open = Vec::new();
    for _ in 0..connections {
        open.push(Connection::open(&server.address).await?);
    }
    let (open, _) = send(open, &request, requests / WARM_UP).await?;
    let process = Process(server.process);
    let (cpu, begun) = (process.cpu()?, Instant::now());
    let (_open, latencies) = send(open, &request, requests).await?;
    let (elapsed, cpu) = (begun.elapsed(), process.cpu()?.saturating_sub(cpu));
    let peak_mib = Some(process.peak_mib()?);
    Ok(Measure { peak_mib, ..Measure::of_requests(latencies, elapsed, cpu)? })
}

/// Whichever connection has its answer takes the next request, until there are none.
async fn send(open: Vec<Connection>, request: &Arc<[u8]>, requests: u32) -> Result<(Vec<Connection>, Latencies)> {
    let sent = Arc::new(AtomicU32::new(0));
    let mut clients = JoinSet::new();
    for mut connection in open {
        let (request, sent) = (Arc::clone(request), Arc::clone(&sent));
        clients.spawn(async move {
            let mut latencies = Latencies::default();
            while sent.fetch_add(1, Ordering::Relaxed) < requests {
                let begun = Instant::now();
                connection.call(&request).await?;
                latencies.add(begun.elapsed());
            }
            anyhow::Ok((connection, latencies))
        });
    }
    let (mut open, mut all) = (Vec::new(), Latencies::default());
    while let Some(client) = clients.join_next().await {
        let (connection, latencies) = client??;
        open.push(connection);
        all.extend(latencies);
    }
    Ok((open, all))
}
