use std::collections::VecDeque;
use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

use crate::ended::peer_is_gone;

/// Bytes that are read ahead at most.
const AHEAD: usize = 1024 * 1024;
/// Bytes that are read ahead at a time.
const CHUNK: usize = 8 * 1024;

/// What the peer sends. While nothing can be handled it is read ahead, so that its end is seen.
pub(super) struct Input<R> {
    reader: R,
    ahead: VecDeque<u8>,
    // What comes after the bytes read ahead, if they are the last.
    end: Option<io::Result<()>>,
}

impl<R: AsyncRead + Unpin> Input<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, ahead: VecDeque::new(), end: None }
    }

    /// The next bytes, first those that were read ahead; none at the end. A peer that is gone sends no more.
    pub(super) fn poll_read(&mut self, room: &mut [u8], cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if !self.ahead.is_empty() {
            let bytes = self.ahead.read(room)?;
            if self.ahead.is_empty() {
                self.ahead = VecDeque::new();
            }
            return Poll::Ready(Ok(bytes));
        }
        match self.end.take() {
            Some(end) => Poll::Ready(end.map(|()| 0)),
            None => poll_bytes(&mut self.reader, room, cx),
        }
    }

    /// Reads without handing out. `Ready` means that something was read, if only the end.
    pub(super) fn poll_ahead(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut room = [0; CHUNK];
        let room = room.get_mut(..CHUNK.min(AHEAD.saturating_sub(self.ahead.len()))).unwrap_or_default();
        if room.is_empty() || self.has_ended() {
            return Poll::Pending;
        }
        match ready!(poll_bytes(&mut self.reader, room, cx)) {
            Ok(0) => self.end = Some(Ok(())),
            Ok(bytes) => self.ahead.extend(room.get(..bytes).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => self.end = Some(Err(error)),
        }
        Poll::Ready(())
    }

    /// Whether reading ahead has come to the end.
    pub(super) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Forgets what was read ahead, and says how it ended.
    pub(super) fn give_up(&mut self) -> io::Result<()> {
        self.ahead = VecDeque::new();
        self.end.take().unwrap_or(Ok(()))
    }
}

fn poll_bytes(reader: &mut (impl AsyncRead + Unpin), room: &mut [u8], cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
    let mut room = ReadBuf::new(room);
    Poll::Ready(match ready!(Pin::new(reader).poll_read(cx, &mut room)) {
        Ok(()) => Ok(room.filled().len()),
        Err(error) if peer_is_gone(&error) => Ok(0),
        Err(error) => Err(error),
    })
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io;
    use std::task::{Context, Poll, Waker};

    use tokio::io::{AsyncRead, AsyncReadExt, repeat};

    use super::{AHEAD, Input};

    fn read_ahead<R: AsyncRead + Unpin>(input: &mut Input<R>) {
        while input.poll_ahead(&mut Context::from_waker(Waker::noop())).is_ready() {}
    }

    async fn read(input: &mut Input<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        let mut room = [0; 7];
        loop {
            let bytes = poll_fn(|cx| input.poll_read(&mut room, cx)).await?;
            if bytes == 0 {
                return Ok(all);
            }
            all.extend_from_slice(&room[..bytes]);
        }
    }

    struct Failing(io::ErrorKind);

    impl AsyncRead for Failing {
        fn poll_read(
            self: std::pin::Pin<&mut Self>,
            _: &mut Context<'_>,
            _: &mut tokio::io::ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            Poll::Ready(Err(self.0.into()))
        }
    }

    #[tokio::test]
    async fn what_was_read_ahead_comes_first_and_whole() {
        let text: Vec<u8> = (0..=255).cycle().take(3 * AHEAD).collect();
        let mut input = Input::new(text.as_slice());
        let mut room = [0; 7];
        assert_eq!(poll_fn(|cx| input.poll_read(&mut room, cx)).await.unwrap(), 7);
        read_ahead(&mut input);
        assert!(!input.has_ended());
        assert!(read(&mut input).await.unwrap() == text[7..]);
        assert_eq!(input.ahead.capacity(), 0);
    }

    #[test]
    fn what_is_read_ahead_has_a_bound() {
        let mut input = Input::new(repeat(b'x'));
        for _ in 0..2 {
            read_ahead(&mut input);
            assert_eq!(input.ahead.len(), AHEAD);
            assert!(input.ahead.capacity() <= 2 * AHEAD);
            let mut room = vec![0; AHEAD / 2];
            assert!(input.poll_read(&mut room, &mut Context::from_waker(Waker::noop())).is_ready());
        }
    }

    #[tokio::test]
    async fn the_end_is_seen_ahead_and_told_last() {
        let mut input = Input::new(b"the rest".as_slice());
        read_ahead(&mut input);
        assert!(input.has_ended());
        assert_eq!(read(&mut input).await.unwrap(), b"the rest");

        for (kind, is_failure) in [(io::ErrorKind::ConnectionReset, false), (io::ErrorKind::Other, true)] {
            let input = || {
                let mut input = Input::new(b"the rest".as_slice().chain(Failing(kind)));
                read_ahead(&mut input);
                assert!(input.has_ended(), "{kind}");
                input
            };
            let mut rest = [0; 8];
            let mut one = input();
            assert_eq!(poll_fn(|cx| one.poll_read(&mut rest, cx)).await.unwrap(), 8, "{kind}");
            assert_eq!(read(&mut one).await.is_err(), is_failure, "{kind}");
            assert_eq!(input().give_up().is_err(), is_failure, "{kind}");
        }
    }
}
