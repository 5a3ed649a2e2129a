use std::future::Future;
use std::time::Duration;

use mtb_rmcp::BridgeHandler;
use rmcp::ServiceExt;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// Long enough for any machine: no test that passes waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// A client that writes and reads lines.
pub(crate) struct Peer {
    pub(crate) input: DuplexStream,
    output: BufReader<DuplexStream>,
    pub(crate) served: JoinHandle<()>,
}

impl Peer {
    /// The handler on the SDK's line transport, before anything was said.
    pub(crate) fn of(handler: BridgeHandler<()>) -> Self {
        let (input, reader) = duplex(64 * 1024);
        let (output, writer) = duplex(64 * 1024);
        let served = tokio::spawn(async move {
            if let Ok(running) = handler.serve((reader, writer)).await {
                running.waiting().await.unwrap();
            }
        });
        Self { input, output: BufReader::new(output), served }
    }

    /// After the handshake of this revision.
    pub(crate) async fn initialized(handler: BridgeHandler<()>, version: &str, capabilities: Value) -> Self {
        let mut peer = Self::of(handler);
        let answer = peer.initialize(version, capabilities).await;
        assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
        peer
    }

    pub(crate) async fn initialize(&mut self, version: &str, capabilities: Value) -> Value {
        let info = json!({"name": "client", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": info});
        self.request(0, "initialize", params).await;
        let answer = self.next().await;
        self.notify("notifications/initialized", json!({})).await;
        answer
    }

    pub(crate) async fn send_line(&mut self, line: &str) {
        within(self.input.write_all(format!("{line}\n").as_bytes())).await.unwrap();
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.send_line(&message.to_string()).await;
    }

    pub(crate) async fn request(&mut self, id: i64, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    pub(crate) async fn answer(&mut self, question: &Value, result: Value) {
        self.send(json!({"jsonrpc": "2.0", "id": question["id"], "result": result})).await;
    }

    pub(crate) async fn call(&mut self, id: i64, tool: &str, arguments: Value) {
        self.request(id, "tools/call", json!({"name": tool, "arguments": arguments})).await;
    }

    /// Calls and takes the answer, which is the next message.
    pub(crate) async fn called(&mut self, id: i64, params: Value) -> Value {
        self.request(id, "tools/call", params).await;
        let answer = self.next().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The next message, or none after the last.
    pub(crate) async fn receive(&mut self) -> Option<Value> {
        let line = self.receive_line().await;
        (!line.is_empty()).then(|| serde_json::from_str(&line).expect("every line is one JSON message"))
    }

    /// The same as it is written; empty after the last.
    pub(crate) async fn receive_line(&mut self) -> String {
        let mut line = String::new();
        within(self.output.read_line(&mut line)).await.unwrap();
        line
    }

    pub(crate) async fn next(&mut self) -> Value {
        self.receive().await.expect("a message")
    }

    /// A ping is answered next: nothing else was said before.
    pub(crate) async fn says_nothing_more(&mut self) {
        self.request(9_999, "ping", json!({})).await;
        let answer = self.next().await;
        assert_eq!(answer, json!({"jsonrpc": "2.0", "id": 9_999, "result": {}}));
    }
}

/// `_meta` of a request that describes itself.
pub(crate) fn modern(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": {"name": "client", "version": "1"},
    })
}

pub(crate) async fn within<F: Future>(future: F) -> F::Output {
    timeout(PATIENCE, future).await.expect("this ends in time")
}

/// Lets everything else run until the condition holds.
pub(crate) async fn until(condition: impl Fn() -> bool) {
    within(async {
        while !condition() {
            sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
}
