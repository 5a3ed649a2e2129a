//! The body of a request, within its bounds.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::StreamExt as _;
use mtb_core::json::{RequestId, ScanLimits, Scanner};
use tokio::time::timeout;

/// A body over the limit is looked through for its id, up to so many times the limit.
const LOOKED_THROUGH: usize = 4;

/// What arrived.
pub(crate) enum Arrived {
    Message(Bytes),
    /// It is over the limit. Its id, if that could be read.
    TooLong(Option<RequestId>),
    /// It took too long.
    TooSlow,
    /// The connection broke.
    Broken,
}

pub(crate) async fn read(body: Body, limits: &ScanLimits, patience: Duration) -> Arrived {
    timeout(patience, arrive(body, limits)).await.unwrap_or(Arrived::TooSlow)
}

async fn arrive(body: Body, limits: &ScanLimits) -> Arrived {
    let mut chunks = body.into_data_stream();
    let mut message = Gathered::default();
    let mut too_long: Option<(Scanner, usize)> = None;
    while let Some(chunk) = chunks.next().await {
        let Ok(chunk) = chunk else { return Arrived::Broken };
        match &mut too_long {
            None if message.len().saturating_add(chunk.len()) <= limits.message_bytes => {
                message.add(chunk);
            }
            None => {
                let mut scanner = Scanner::new(limits);
                scanner.feed(&std::mem::take(&mut message).whole());
                scanner.feed(&chunk);
                too_long = Some((scanner, chunk.len()));
            }
            Some((scanner, seen)) => {
                scanner.feed(&chunk);
                *seen = seen.saturating_add(chunk.len());
                if *seen > limits.message_bytes.saturating_mul(LOOKED_THROUGH) {
                    break;
                }
            }
        }
    }
    match too_long {
        None => Arrived::Message(message.whole()),
        Some((scanner, _)) => Arrived::TooLong(scanner.finish().id.request_id().cloned()),
    }
}

/// The pieces of a message. Mostly there is one, which is not copied.
#[derive(Default)]
struct Gathered {
    first: Bytes,
    /// All of them, once there are several.
    several: Vec<u8>,
}

impl Gathered {
    fn len(&self) -> usize {
        self.first.len().max(self.several.len())
    }

    fn add(&mut self, piece: Bytes) {
        if self.len() == 0 {
            self.first = piece;
        } else {
            if self.several.is_empty() {
                self.several.extend_from_slice(&self.first);
            }
            self.several.extend_from_slice(&piece);
        }
    }

    fn whole(self) -> Bytes {
        if self.several.is_empty() { self.first } else { self.several.into() }
    }
}
