use std::sync::atomic::{AtomicBool, Ordering};

use mtb_bridge::Bridge;
use tokio::task::JoinSet;

use crate::descriptors::Descriptors;
use crate::ended::{Ended, ServeError, Served};
use crate::options::StdioOptions;
use crate::streams::serve;

/// Serves the client that started this process, over stdin and stdout.
///
/// While it serves, stdout belongs to the protocol: on Unix, whatever else the process prints goes to stderr, and
/// whatever else reads stdin finds it empty. Pipes and sockets are made non-blocking, unless stderr is the same one.
/// When it ends, and also when it fails or is dropped, everything is as it was before. Where the input is a file or a
/// terminal, some of what follows may have been read ahead and is lost.
///
/// Calls in flight are cancelled when it ends, and have [drained](StdioOptions::with_drain) when it returns.
///
/// # Errors
/// When another one is serving in this process, and when a stream cannot be set up or fails in another way than by
/// ending.
pub async fn serve_stdio<C>(bridge: Bridge<C>, options: StdioOptions) -> Result<Ended, ServeError>
where
    C: Send + Sync + 'static,
{
    let _turn = Turn::take().ok_or(ServeError::AlreadyServing)?;
    let Descriptors { reader, writer, mut restore } = Descriptors::claim()?;
    // In a task of its own the loop shares a worker with the handlers it starts, and need not wake another for each.
    let mut serving = JoinSet::new();
    serving.spawn(serve(bridge, options, reader, writer));
    match serving.join_next().await {
        Some(Ok(Served { result, drained_by })) => {
            restore.written(drained_by).await;
            result
        }
        Some(Err(error)) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // Only a runtime that shuts down ends a task in another way.
        Some(Err(_)) | None => Ok(Ended::Shutdown),
    }
}

static SERVING: AtomicBool = AtomicBool::new(false);

/// The right to use the standard streams, given back when it is dropped.
struct Turn(());

impl Turn {
    fn take() -> Option<Self> {
        SERVING.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok().then_some(Self(()))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        SERVING.store(false, Ordering::Release);
    }
}
