//! The standard streams while they are served.
//!
//! The protocol keeps private duplicates of stdin and stdout. Meanwhile descriptor 1 is stderr and descriptor 0 is
//! empty, so that what a handler prints, or a child process of it reads, cannot harm the stream.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;

use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

use crate::ended::ServeError;
use crate::pump::{Written, pump_in, pump_out};

mod nonblocking;

use nonblocking::{Nonblocking, Waitable};

/// Duplicates are made above the three that everybody knows.
const FIRST: i32 = 3;

/// Both streams, ready to be served.
pub(crate) struct Descriptors {
    pub(crate) reader: Reader,
    pub(crate) writer: Writer,
    pub(crate) restore: Restore,
}

/// Puts the streams back as they were when it is dropped.
pub(crate) struct Restore {
    written: Option<Written>,
    stdin: OwnedFd,
    stdout: OwnedFd,
    _nonblocking: [Option<Nonblocking>; 2],
}

pub(crate) type Reader = Box<dyn AsyncRead + Send + Unpin>;
pub(crate) type Writer = Box<dyn AsyncWrite + Send + Unpin>;

impl Descriptors {
    pub(crate) fn claim() -> Result<Self, ServeError> {
        // Both are looked at before either is changed: they may be one socket.
        let waitable = (Waitable::look(stdin()).map_err(of("stdin"))?, Waitable::look(stdout()).map_err(of("stdout"))?);
        let nonblocking_stdin = waitable.0.map(Waitable::set).transpose().map_err(of("stdin"))?;
        let nonblocking_stdout = waitable.1.map(Waitable::set).transpose().map_err(of("stdout"))?;

        let kept_stdin = fcntl_dupfd_cloexec(stdin(), FIRST).map_err(of("stdin"))?;
        let kept_stdout = fcntl_dupfd_cloexec(stdout(), FIRST).map_err(of("stdout"))?;
        let reader = match &nonblocking_stdin {
            Some(stream) => stream.reader().map_err(of("stdin"))?,
            None => pumped_reader(&kept_stdin).map_err(of("stdin"))?,
        };
        let (writer, written) = match &nonblocking_stdout {
            Some(stream) => (stream.writer().map_err(of("stdout"))?, None),
            None => pumped_writer(&kept_stdout).map_err(of("stdout"))?,
        };
        let restore = Restore {
            written,
            stdin: kept_stdin,
            stdout: kept_stdout,
            _nonblocking: [nonblocking_stdin, nonblocking_stdout],
        };

        flush_stdout();
        let empty = File::open("/dev/null").map_err(of("stdin"))?;
        dup2_stdin(&empty).map_err(of("stdin"))?;
        dup2_stdout(stderr()).map_err(of("stdout"))?;
        Ok(Self { reader, writer, restore })
    }
}

fn pumped_reader(fd: &OwnedFd) -> io::Result<Reader> {
    Ok(Box::new(pump_in(File::from(fd.try_clone()?))?))
}

fn pumped_writer(fd: &OwnedFd) -> io::Result<(Writer, Option<Written>)> {
    let (writer, written) = pump_out(File::from(fd.try_clone()?))?;
    Ok((Box::new(writer), Some(written)))
}

fn of<E: Into<io::Error>>(stream: &'static str) -> impl Fn(E) -> ServeError {
    move |source| ServeError::Descriptor { stream, source: source.into() }
}

impl Restore {
    /// Waits until what was written has left. The writer must have been dropped.
    pub(crate) async fn written(&mut self, limit: Instant) {
        if let Some(written) = self.written.take() {
            written.wait(limit).await;
        }
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        flush_stdout();
        for (stream, restored) in [("stdin", dup2_stdin(&self.stdin)), ("stdout", dup2_stdout(&self.stdout))] {
            if let Err(error) = restored {
                tracing::warn!(stream, %error, "a standard stream could not be put back after serving");
            }
        }
    }
}

/// What handlers printed and Rust still holds belongs to where descriptor 1 points now. If it cannot be written, it
/// is theirs to lose.
fn flush_stdout() {
    let _ = io::stdout().flush();
}
