use std::io;

use thiserror::Error;
use tokio::time::Instant;

/// Why serving ended, when nothing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The client closed its end of the input, as clients do when they are done.
    InputEnded,
    /// The host's shutdown future completed.
    Shutdown,
    /// The client no longer reads the output.
    OutputClosed,
}

/// Why serving failed. Calls in flight were cancelled all the same.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Standard input and output belong to one connection at a time.
    #[error("standard input and output are already being served; wait for the other `serve_stdio` to end")]
    AlreadyServing,
    /// The standard streams could not be set up.
    #[error("`{stream}` cannot be used for serving")]
    Descriptor {
        /// `stdin`, `stdout` or `stderr`.
        stream: &'static str,
        /// What the operating system says.
        source: io::Error,
    },
    /// Reading failed.
    #[error("reading from the client failed")]
    Input(#[source] io::Error),
    /// Writing failed, and not because the client is gone.
    #[error("writing to the client failed")]
    Output(#[source] io::Error),
}

/// How serving ended, and until when the last of it may leave.
pub(crate) struct Served {
    pub(crate) result: Result<Ended, ServeError>,
    pub(crate) drained_by: Instant,
}

/// Whether an error says no more than that the other side is gone.
pub(crate) fn peer_is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof, WriteZero};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof | WriteZero)
}
