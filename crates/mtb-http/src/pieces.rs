use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

use crate::quota::Place;

/// Longest piece, in bytes: what waits for a client below this body is about as much.
pub(crate) const PIECE: usize = 64 * 1024;

/// An answer that is handed on as its client takes it, so that its place is known to be taken until then.
pub(crate) struct InPieces {
    rest: Bytes,
    _place: Arc<Place>,
}

impl InPieces {
    pub(crate) fn of(whole: Bytes, place: Arc<Place>) -> Self {
        Self { rest: whole, _place: place }
    }
}

impl Body for InPieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let length = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(length);
        Poll::Ready((!piece.is_empty()).then(|| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(u64::try_from(self.rest.len()).unwrap_or(u64::MAX))
    }
}
