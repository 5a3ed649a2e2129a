use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::AsyncWrite;

/// Past this many bytes that the peer has not read, nothing new of it is handled.
const FULL: usize = 4 * 1024 * 1024;
/// From this many bytes on, they are written even if more may soon be there.
const LARGE: usize = 64 * 1024;
/// Room that is kept between writes.
const KEPT: usize = 256 * 1024;

/// Messages on their way out, gathered so that many leave in one write.
pub(super) struct Outbox<W> {
    writer: W,
    bytes: VecDeque<u8>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Flushed,
    Unflushed,
    /// The peer reads no more, and what is put here is dropped.
    Closed,
}

impl<W: AsyncWrite + Unpin> Outbox<W> {
    pub(super) fn new(writer: W) -> Self {
        Self { writer, bytes: VecDeque::new(), state: State::Flushed }
    }

    pub(super) fn push(&mut self, message: &[u8]) {
        if self.state == State::Closed {
            return;
        }
        self.state = State::Unflushed;
        self.bytes.reserve(message.len().saturating_add(1));
        self.bytes.extend(message);
        self.bytes.push_back(b'\n');
    }

    /// Whether the peer keeps up well enough to be listened to.
    pub(super) fn has_room(&self) -> bool {
        self.bytes.len() < FULL
    }

    /// Whether there is enough for a write of its own.
    pub(super) fn is_large(&self) -> bool {
        self.bytes.len() >= LARGE
    }

    /// Whether everything has left, or nothing can leave any more.
    pub(super) fn is_done(&self) -> bool {
        self.state != State::Unflushed
    }

    /// Drops what is here and whatever comes.
    pub(super) fn close(&mut self) {
        self.state = State::Closed;
        self.bytes = VecDeque::new();
    }

    /// Writes once what is there, and flushes once all is written. `Ready` means that something was done.
    pub(super) fn poll_write(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_done() {
            return Poll::Pending;
        }
        let (next, _) = self.bytes.as_slices();
        if next.is_empty() {
            ready!(Pin::new(&mut self.writer).poll_flush(cx))?;
            self.state = State::Flushed;
            return Poll::Ready(Ok(()));
        }
        let written = ready!(Pin::new(&mut self.writer).poll_write(cx, next))?;
        if written == 0 {
            return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
        }
        self.bytes.drain(..written.min(self.bytes.len()));
        if self.bytes.is_empty() {
            self.bytes.shrink_to(KEPT);
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use tokio::io::AsyncWrite;

    use super::{FULL, KEPT, LARGE, Outbox};

    /// Takes so many bytes a write, and remembers each write; with nothing to take it blocks.
    struct Slow {
        takes: usize,
        writes: Vec<Vec<u8>>,
        flushes: usize,
    }

    impl Slow {
        fn taking(takes: usize) -> Outbox<Self> {
            Outbox::new(Self { takes, writes: Vec::new(), flushes: 0 })
        }
    }

    impl AsyncWrite for Slow {
        fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
            let taken = bytes[..bytes.len().min(self.takes)].to_vec();
            let length = taken.len();
            if length == 0 {
                return Poll::Pending;
            }
            self.writes.push(taken);
            Poll::Ready(Ok(length))
        }

        fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            self.flushes += 1;
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            panic!("the stream is the host's to shut down");
        }
    }

    fn write_all(outbox: &mut Outbox<Slow>) {
        let mut cx = Context::from_waker(Waker::noop());
        while let Poll::Ready(written) = outbox.poll_write(&mut cx) {
            written.unwrap();
        }
    }

    #[test]
    fn what_was_gathered_leaves_in_one_write_and_is_flushed_once() {
        let mut outbox = Slow::taking(usize::MAX);
        assert!(outbox.is_done());
        write_all(&mut outbox);
        outbox.push(b"one");
        outbox.push(b"two");
        assert!(!outbox.is_done());
        write_all(&mut outbox);
        assert!(outbox.is_done());
        assert_eq!(outbox.writer.writes, [b"one\ntwo\n"]);
        assert_eq!(outbox.writer.flushes, 1);
    }

    #[test]
    fn short_writes_lose_nothing() {
        let mut outbox = Slow::taking(3);
        let mut expect = Vec::new();
        for message in ["first", "", "second"] {
            outbox.push(message.as_bytes());
            expect.extend_from_slice(format!("{message}\n").as_bytes());
            let _ = outbox.poll_write(&mut Context::from_waker(Waker::noop()));
        }
        write_all(&mut outbox);
        assert_eq!(outbox.writer.writes.concat(), expect);
    }

    #[test]
    fn it_is_full_until_the_peer_reads() {
        let mut outbox = Slow::taking(0);
        outbox.push(&vec![b'x'; LARGE - 2]);
        assert!(!outbox.is_large());
        outbox.push(b"");
        assert!(outbox.is_large() && outbox.has_room());
        outbox.push(&vec![b'x'; FULL - LARGE]);
        assert!(!outbox.has_room());
        write_all(&mut outbox);
        assert!(!outbox.has_room() && !outbox.is_done(), "nothing was taken");

        outbox.writer.takes = LARGE;
        write_all(&mut outbox);
        assert!(outbox.has_room() && outbox.is_done());
        assert!(outbox.bytes.capacity() <= KEPT);
    }

    #[test]
    fn a_peer_that_always_lags_costs_no_more_than_its_lag() {
        let mut outbox = Slow::taking(LARGE);
        let message = vec![b'x'; LARGE - 1];
        outbox.push(&vec![b'x'; FULL]);
        for _ in 0..1_000 {
            outbox.push(&message);
            let _ = outbox.poll_write(&mut Context::from_waker(Waker::noop()));
        }
        assert!(outbox.bytes.capacity() <= 4 * FULL);
    }

    #[test]
    fn a_closed_one_keeps_nothing() {
        let mut outbox = Slow::taking(1);
        outbox.push(b"one");
        outbox.close();
        outbox.push(b"two");
        write_all(&mut outbox);
        assert!(outbox.is_done() && outbox.has_room());
        assert_eq!(outbox.writer.writes.len(), 0);
    }
}
