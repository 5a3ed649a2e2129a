/// Completes when the process is asked to stop: SIGTERM or SIGINT, Ctrl-C elsewhere.
///
/// From its first poll on, these signals no longer end the process by themselves. Nothing else here installs a signal
/// handler.
pub async fn shutdown_signal() {
    if let Err(error) = signalled().await {
        tracing::warn!(%error, "signals cannot be received; the process ends on them without winding up");
        std::future::pending::<()>().await;
    }
}

#[cfg(unix)]
async fn signalled() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn signalled() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
