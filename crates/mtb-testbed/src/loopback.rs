use std::io::Write as _;

use mtb_bridge::Bridge;
use mtb_http::{HttpOptions, serve_http};
use mtb_stdio::shutdown_signal;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;

/// Serves the bridge on a free port of this machine, whose address is the one line on stdout, until stdin ends or the
/// process is asked to stop.
///
/// # Errors
/// When there is no port, or nobody who reads the address.
pub async fn serve_on_loopback(bridge: Bridge, options: HttpOptions) -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
    let end_of_input = async {
        // What cannot be read has ended.
        let _ = tokio::io::stdin().read_to_end(&mut Vec::new()).await;
    };
    serve_http(bridge, options, listener, async {
        tokio::select! {
            () = end_of_input => {}
            () = shutdown_signal() => {}
        }
    })
    .await;
    Ok(())
}
