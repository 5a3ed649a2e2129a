use std::future::{Future, pending};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use futures_util::FutureExt as _;
use futures_util::future::Either;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use mtb_bridge::Bridge;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::options::HttpOptions;
use crate::server::HttpServer;

/// Longest head of a request, in bytes, which is read of anybody; past it the answer is 431.
const HEAD: usize = 64 * 1024;

/// Far below what requests wait for, and too long to cost anything.
const PULSE: Duration = Duration::from_secs(1);

/// Serves a bridge at this address until `shutdown` is over; then it begins nothing new, gives what is under way the
/// drain, cancels what is left, and returns when everything has ended and is recorded.
///
/// It speaks HTTP/1.1 without TLS, for a proxy in front of it or clients on this machine. A connection whose other end
/// neither finishes the head of a request, of at most 64 KiB (else 431), nor reads what is sent to it is closed after
/// [`HttpLimits::stalled`](crate::HttpLimits::stalled). One that sends more before it has its answer is not seen to hang
/// up until something is sent to it.
pub async fn serve_http<C: Send + Sync + 'static>(
    bridge: Bridge<C>,
    options: HttpOptions,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) {
    let server = HttpServer::new(bridge, options);
    let limits = &server.inner().limits;
    let routes = TowerToHyperService::new(server.router());
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.stalled).max_buf_size(HEAD);
    let room = Arc::new(Semaphore::new(limits.connections));
    let (connections, tasks, abort) = (GracefulShutdown::new(), TaskTracker::new(), CancellationToken::new());
    let _pulse = AbortOnDropHandle::new(tokio::spawn(pulse()));
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = accept(&listener, &room) => accepted,
        };
        let (stream, place) = accepted;
        // An answer is written at once; where that cannot be told to the system, it is only slower.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits.stalled));
        let (endpoint, routes) = (server.clone(), routes.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let request = request.map(Body::new);
            // Nearly every request is for the one endpoint, which needs no router to be found.
            if endpoint.is_at(request.uri().path()) {
                Either::Left(endpoint.answer(request).map(Ok))
            } else {
                Either::Right(routes.call(request))
            }
        });
        let connection = builder.serve_connection(TokioIo::new(Box::pin(stream)), service);
        let (connection, abort) = (connections.watch(connection), abort.clone());
        tasks.spawn(async move {
            // What goes wrong on a connection is its client's to see.
            let _ = abort.run_until_cancelled(connection).await;
            drop(place);
        });
    }
    drop(listener);
    server.close();
    tokio::join!(server.shut_down(), async {
        // A connection that does not end by itself is dropped, so that nothing comes by it any more.
        let _ = timeout(server.inner().drain.saturating_mul(2), connections.shutdown()).await;
    });
    abort.cancel();
    tasks.close();
    tasks.wait().await;
    // What a dropped connection left is recorded.
    server.shut_down().await;
}

/// Has a timer that is always due soon. Each request sets some of its own, mostly for nothing: one that is due before
/// all others wakes the thread that sleeps until then, which costs more than serving does.
async fn pulse() {
    loop {
        sleep(PULSE).await;
    }
}

/// The next connection, once there is room for it.
async fn accept(listener: &TcpListener, room: &Arc<Semaphore>) -> (TcpStream, OwnedSemaphorePermit) {
    loop {
        // It is never closed.
        let Ok(place) = Arc::clone(room).acquire_owned().await else { return pending().await };
        match listener.accept().await {
            Ok((stream, _)) => return (stream, place),
            Err(error) if is_of_a_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "no connection can be accepted; trying again");
                sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

/// Whether only the connection that would have been next is concerned.
fn is_of_a_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
