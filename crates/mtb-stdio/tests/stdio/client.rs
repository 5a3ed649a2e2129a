use std::future::Future;
use std::time::Duration;

use mtb_stdio::{Ended, ServeError, StdioOptions, serve_streams};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::timeout;

use crate::bridges::{Site, options};

/// Long enough for any machine: no test that passes waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The client's side of a served connection.
pub(crate) struct Client {
    pub(crate) input: DuplexStream,
    pub(crate) output: BufReader<DuplexStream>,
    served: JoinHandle<Result<Ended, ServeError>>,
    pings: u32,
}

impl Client {
    pub(crate) fn new(site: &Site) -> Self {
        Self::with_options(site, options())
    }

    pub(crate) fn with_options(site: &Site, options: StdioOptions) -> Self {
        let (input, reader) = duplex(64 * 1024);
        let (output, writer) = duplex(64 * 1024);
        let served = tokio::spawn(serve_streams(site.bridge.clone(), options, reader, writer));
        Self { input, output: BufReader::new(output), served, pings: 0 }
    }

    /// A connection that has negotiated this revision.
    pub(crate) async fn initialized(site: &Site, version: &str) -> Self {
        let mut client = Self::new(site);
        client.initialize(version, json!({})).await;
        client
    }

    pub(crate) async fn initialize(&mut self, version: &str, capabilities: Value) {
        let info = json!({"name": "client", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": info});
        self.request(&json!("initialize"), "initialize", params).await;
        assert_eq!(self.next().await["result"]["protocolVersion"], version);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        within(self.input.write_all(bytes)).await.unwrap();
    }

    /// Many messages in one piece.
    pub(crate) async fn send_all(&mut self, messages: impl IntoIterator<Item = Value>) {
        self.send_bytes(lines(messages).as_bytes()).await;
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes()).await;
    }

    pub(crate) async fn request(&mut self, id: &Value, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
    }

    pub(crate) async fn call(&mut self, id: i64, tool: &str, arguments: Value) {
        self.request(&json!(id), "tools/call", json!({"name": tool, "arguments": arguments})).await;
    }

    /// The next message, or none after the last.
    pub(crate) async fn receive(&mut self) -> Option<Value> {
        let mut line = String::new();
        within(self.output.read_line(&mut line)).await.unwrap();
        let line = line.strip_suffix('\n')?;
        Some(serde_json::from_str(line).expect("every line is one JSON message"))
    }

    pub(crate) async fn next(&mut self) -> Value {
        self.receive().await.expect("a message")
    }

    /// The next good request is served, and nothing else came before its answer.
    pub(crate) async fn still_serves(&mut self, case: &str) {
        self.pings += 1;
        let id = format!("ping {}", self.pings);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"})).await;
        assert_eq!(self.next().await, json!({"jsonrpc": "2.0", "id": id, "result": {}}), "after {case}");
    }

    /// Ends the input and gives everything that still comes out.
    pub(crate) async fn end(mut self) -> (Vec<Value>, Result<Ended, ServeError>) {
        within(self.input.shutdown()).await.unwrap();
        let mut rest = Vec::new();
        while let Some(message) = self.receive().await {
            rest.push(message);
        }
        (rest, within(self.served).await.unwrap())
    }

    pub(crate) async fn ended(self) -> Result<Ended, ServeError> {
        let Self { input, output, served, .. } = self;
        let ended = within(served).await.unwrap();
        drop((input, output));
        ended
    }

    /// Nobody reads any more.
    pub(crate) fn deaf(self) -> (DuplexStream, JoinHandle<Result<Ended, ServeError>>) {
        (self.input, self.served)
    }
}

pub(crate) fn lines(messages: impl IntoIterator<Item = Value>) -> String {
    let mut lines = String::new();
    for message in messages {
        lines.push_str(&message.to_string());
        lines.push('\n');
    }
    lines
}

pub(crate) async fn within<F: Future>(future: F) -> F::Output {
    timeout(PATIENCE, future).await.expect("this ends in time")
}

/// Lets everything else run until the condition holds.
pub(crate) async fn until(condition: impl Fn() -> bool) {
    within(async {
        while !condition() {
            yield_now().await;
        }
    })
    .await;
}
