use anyhow::{Context, Result, bail};

use crate::announcement::Announcement;
use crate::connection::Connection;
use crate::measure::Measure;
use crate::process::Process;
use crate::request;

/// Opens so many sessions, shared out among the keys of the server, and measures the memory that they take.
///
/// # Errors
/// When one of them is not opened, or the first or the last is not there at the end.
pub async fn sessions(server: &Announcement, count: u32) -> Result<Measure> {
    let (address, process) = (&server.address, Process(server.process));
    let mut connection = Connection::open(address).await?;
    let mut open = Vec::new();
    let before = process.resident_kib()?;
    for (_, key) in (0..count).zip(server.keys.iter().cycle()) {
        let answer = connection.exchange(&request::initialize(address, key)).await?;
        let Some(session) = answer.session.filter(|_| answer.status == 200) else {
            bail!("session {} of {count} was not opened: {} {}", open.len() + 1, answer.status, answer.body);
        };
        let session = session.to_owned();
        let ready = request::in_session(address, key, &session, request::INITIALIZED);
        let status = connection.exchange(&ready).await?.status;
        if status != 202 {
            bail!("a session is not taken as begun: {status}");
        }
        open.push((key, session));
    }
    let held = process.resident_kib()?.saturating_sub(before);
    for (key, session) in open.first().into_iter().chain(open.last()) {
        let call = request::in_session(address, key, session, &request::call(1));
        connection.call(&call).await.context("a session is not there any more")?;
    }
    Ok(Measure {
        peak_mib: Some(process.peak_mib()?),
        session_kib: Some(f64::from(held) / f64::from(count)),
        ..Measure::default()
    })
}
