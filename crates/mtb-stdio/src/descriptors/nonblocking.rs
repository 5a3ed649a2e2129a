use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;

use rustix::fs::{FileType, OFlags, Stat, fcntl_getfl, fcntl_setfl, fstat};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::stderr;
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

use super::{Reader, Writer};

/// A stream that can be waited for: a pipe or a socket that is not also stderr, where whoever prints expects to block.
pub(super) struct Waitable {
    fd: OwnedFd,
    kind: Kind,
    mode: Mode,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pipe,
    Socket,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Blocking,
    Nonblocking,
}

/// A stream that does not block until this is dropped.
///
/// The flag belongs to the open file, which other processes may share: they would misbehave if it stayed.
pub(super) struct Nonblocking(Waitable);

impl Waitable {
    /// Looks at a stream without changing it. `None` if it must be used blocking.
    pub(super) fn look(stream: impl AsFd) -> io::Result<Option<Self>> {
        let fd = fcntl_dupfd_cloexec(stream, super::FIRST)?;
        let stat = fstat(&fd)?;
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Fifo => Kind::Pipe,
            FileType::Socket => Kind::Socket,
            _ => return Ok(None),
        };
        if fstat(stderr()).is_ok_and(|other| same_file(&stat, &other)) {
            return Ok(None);
        }
        let nonblocking = fcntl_getfl(&fd)?.contains(OFlags::NONBLOCK);
        let mode = if nonblocking { Mode::Nonblocking } else { Mode::Blocking };
        Ok(Some(Self { fd, kind, mode }))
    }

    /// Makes it non-blocking.
    pub(super) fn set(self) -> io::Result<Nonblocking> {
        fcntl_setfl(&self.fd, fcntl_getfl(&self.fd)? | OFlags::NONBLOCK)?;
        Ok(Nonblocking(self))
    }
}

impl Nonblocking {
    /// A duplicate to read from.
    pub(super) fn reader(&self) -> io::Result<Reader> {
        let fd = self.0.fd.try_clone()?;
        Ok(match self.0.kind {
            Kind::Pipe => Box::new(pipe::Receiver::from_owned_fd_unchecked(fd)?),
            Kind::Socket => Box::new(UnixStream::from_std(StdStream::from(fd))?),
        })
    }

    /// A duplicate to write to.
    pub(super) fn writer(&self) -> io::Result<Writer> {
        let fd = self.0.fd.try_clone()?;
        Ok(match self.0.kind {
            Kind::Pipe => Box::new(pipe::Sender::from_owned_fd_unchecked(fd)?),
            // A socket of any family: nothing is asked of it but to read and write.
            Kind::Socket => Box::new(UnixStream::from_std(StdStream::from(fd))?),
        })
    }
}

impl Drop for Nonblocking {
    fn drop(&mut self) {
        let Waitable { fd, mode: Mode::Blocking, .. } = &self.0 else { return };
        let restored = fcntl_getfl(fd).and_then(|flags| fcntl_setfl(fd, flags.difference(OFlags::NONBLOCK)));
        if let Err(error) = restored {
            tracing::warn!(%error, "a standard stream could not be made blocking again after serving");
        }
    }
}

fn same_file(one: &Stat, other: &Stat) -> bool {
    (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
}
