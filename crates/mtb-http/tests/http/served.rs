//! A server on a port of this machine, and what is written to it.

use std::net::SocketAddr;
use std::time::Duration;

use mtb_http::{ApiKey, HttpLimits, HttpOptions, serve_http};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::client::{modern, within};
use crate::site::{Site, server_options};

/// Until it is told to stop.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) over: JoinHandle<()>,
}

impl Served {
    pub(crate) async fn of(site: &Site, limits: HttpLimits) -> Self {
        Self::adjusted(site, limits, |options| options).await
    }

    pub(crate) async fn adjusted(
        site: &Site,
        limits: HttpLimits,
        adjust: impl FnOnce(HttpOptions) -> HttpOptions,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let options = HttpOptions::new(server_options(), site.keys.clone()).with_limits(limits);
        let options = adjust(options.with_drain(Duration::from_millis(200)));
        let over = tokio::spawn(serve_http(site.bridge.clone(), options, listener, async {
            // A test that fails stops it, too.
            let _ = stopped.await;
        }));
        Self { address, stop, over }
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// A stream of HTTP+SSE, and where its client posts.
    pub(crate) async fn legacy_stream(&self, key: &ApiKey) -> (TcpStream, String) {
        let mut stream = self.connect().await;
        let open = format!("GET /sse HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\r\n", key.expose());
        stream.write_all(open.as_bytes()).await.unwrap();
        let head = read_until(&mut stream, "sessionId=").await;
        let id: String = head.split("sessionId=").nth(1).unwrap().chars().take(32).collect();
        (stream, format!("/messages?sessionId={id}"))
    }
}

/// A request as it is written by whoever has this key, with these headers more.
pub(crate) fn written(key: &ApiKey, message: &Value, more: &str) -> String {
    let key = key.expose();
    let body = message.to_string();
    let mut repeated = String::new();
    if message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string() {
        repeated =
            format!("mcp-protocol-version: 2026-07-28\r\nmcp-method: {}\r\n", message["method"].as_str().unwrap());
        if let Some(name) = message["params"]["name"].as_str() {
            repeated += &["mcp-name: ", name, "\r\n"].concat();
        }
    }
    let accept = if more.contains("accept:") { "" } else { "accept: application/json, text/event-stream\r\n" };
    format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\n\
         {accept}{more}{repeated}content-length: {}\r\n\r\n{body}",
        body.len(),
    )
}

/// A call of 2026-07-28.
pub(crate) fn call(tool: &str) -> Value {
    modern(1, "tools/call", &json!({"name": tool, "arguments": {}, "_meta": {"progressToken": 1}}))
}

/// Everything that comes until this does.
pub(crate) async fn read_until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    within(async {
        while !text.contains(end) {
            let mut bytes = [0; 4_096];
            let count = stream.read(&mut bytes).await.unwrap();
            assert!(count > 0, "{end} never came: {text}");
            text.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    })
    .await;
    text
}

/// Everything until the server closes the connection.
pub(crate) async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    // What is reset is closed as well.
    let _ = within(stream.read_to_end(&mut text)).await;
    String::from_utf8(text).unwrap()
}
