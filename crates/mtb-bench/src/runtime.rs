use std::io;

use tokio::io::AsyncReadExt as _;
use tokio::runtime::{Builder, Runtime};

/// What both servers run on.
///
/// # Errors
/// When the operating system gives no threads.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(2).enable_all().build()
}

/// When a server ends: whoever started it closes its input, also by going away.
pub async fn until_input_ends() {
    // What cannot be read has ended.
    let _ = tokio::io::stdin().read_to_end(&mut Vec::new()).await;
}
