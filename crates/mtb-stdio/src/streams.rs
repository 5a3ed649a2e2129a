use std::future::poll_fn;

use mtb_bridge::Bridge;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::ended::{Ended, ServeError, Served};
use crate::options::StdioOptions;
use crate::serve::Server;

/// Serves one client over a pair of byte streams, one message a line, as over stdin and stdout.
///
/// For sockets that the host has accepted and whose other end it knows, and for tests. Calls in flight are cancelled
/// when it ends, and have [drained](StdioOptions::with_drain) when it returns. Dropping the future drops them: their
/// handlers are told and the audit gets their end, but nobody waits for it.
///
/// # Errors
/// When a stream fails in another way than by ending.
pub async fn serve_streams<C, R, W>(
    bridge: Bridge<C>,
    options: StdioOptions,
    reader: R,
    writer: W,
) -> Result<Ended, ServeError>
where
    C: Send + Sync + 'static,
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin,
{
    serve(bridge, options, reader, writer).await.result
}

/// The same, for those who have to wait for more than these streams.
pub(crate) async fn serve<C, R, W>(bridge: Bridge<C>, options: StdioOptions, reader: R, writer: W) -> Served
where
    C: Send + Sync + 'static,
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin,
{
    let mut server = Server::new(bridge, options, reader, writer);
    poll_fn(|cx| server.poll(cx)).await
}
