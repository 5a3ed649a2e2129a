//! Streams that can only block, each moved by a thread of its own.
//!
//! The runtime's own pool is no place for them: a read of a terminal cannot be stopped, and the runtime would wait for
//! it before the process may end.

use std::io::{self, Read, Write};
use std::thread;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

/// Bytes that wait between a thread and the connection.
const HELD: usize = 64 * 1024;

/// Reads on a thread until the source ends or nobody wants more. What it has read by then is lost.
pub(crate) fn pump_in(mut source: impl Read + Send + 'static) -> io::Result<DuplexStream> {
    let (ours, mut theirs) = duplex(HELD);
    let runtime = Handle::current();
    spawn("mtb-stdin", move || {
        let mut chunk = vec![0; HELD];
        loop {
            let bytes = match source.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => return,
                Ok(bytes) => bytes,
            };
            let read = chunk.get(..bytes).unwrap_or_default();
            if runtime.block_on(theirs.write_all(read)).is_err() {
                return;
            }
        }
    })?;
    Ok(ours)
}

/// Writes on a thread until the returned stream is dropped, or the target takes no more.
pub(crate) fn pump_out(mut target: impl Write + Send + 'static) -> io::Result<(DuplexStream, Written)> {
    let (ours, mut theirs) = duplex(HELD);
    let (done, written) = oneshot::channel();
    let runtime = Handle::current();
    spawn("mtb-stdout", move || {
        let mut chunk = vec![0; HELD];
        loop {
            let bytes = runtime.block_on(theirs.read(&mut chunk)).unwrap_or(0);
            let read = chunk.get(..bytes).unwrap_or_default();
            if read.is_empty() || target.write_all(read).and_then(|()| target.flush()).is_err() {
                // Nobody waits any more if serving was given up.
                let _ = done.send(());
                return;
            }
        }
    })?;
    Ok((ours, Written(written)))
}

/// Completes once the thread has written everything, or has given up.
pub(crate) struct Written(oneshot::Receiver<()>);

impl Written {
    pub(crate) async fn wait(self, limit: Instant) {
        if timeout_at(limit, self.0).await.is_err() {
            tracing::warn!("the client had not read everything when the drain was over");
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}
