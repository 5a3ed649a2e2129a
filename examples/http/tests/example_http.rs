//! The example as two people find it: a process that listens on a port of this machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "what a test relies on fails the test"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

struct Server {
    process: Child,
    address: String,
    ada: String,
    bo: String,
}

impl Server {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_example-http"))
            .env("EXAMPLE_ADDRESS", "127.0.0.1:0")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut after = |prefix: &str| lines.next().unwrap().unwrap().strip_prefix(prefix).unwrap().to_owned();
        let address = after("http://").strip_suffix("/mcp").unwrap().to_owned();
        let (ada, bo) = (after("ada: "), after("bo: "));
        Self { process, address, ada, bo }
    }

    /// The status, and the answer.
    fn ask(&self, key: &str, method: &str, params: &Value) -> (u16, Value) {
        let mut params = params.clone();
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        });
        let name = params["name"].as_str().map(|name| format!("mcp-name: {name}\r\n")).unwrap_or_default();
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let address = &self.address;
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\
             content-type: application/json\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{name}\
             content-length: {}\r\n\r\n{body}",
            body.len(),
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap_or_default())
    }

    fn tools(&self, key: &str) -> Vec<String> {
        let (status, answer) = self.ask(key, "tools/list", &json!({}));
        assert_eq!(status, 200);
        let tools = answer["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn each_key_opens_what_its_owner_may_do() {
    let server = Server::start();
    assert_eq!(server.tools(&server.ada), ["read_order"]);
    assert_eq!(server.tools(&server.bo), ["read_order", "refund_order"]);
    assert_eq!(server.ask("mtbk_unknown", "tools/list", &json!({})).0, 401);
    let refund = json!({"name": "refund_order", "arguments": {"order": "o-7"}});
    let (status, answer) = server.ask(&server.ada, "tools/call", &refund);
    assert_eq!((status, answer["error"]["code"].as_i64()), (400, Some(-32602)));
}

#[test]
fn a_refund_waits_for_a_yes_of_whoever_asked() {
    let server = Server::start();
    let mut refund = json!({"name": "refund_order", "arguments": {"order": "o-7"}});
    let (_, held) = server.ask(&server.bo, "tools/call", &refund);
    assert_eq!(held["result"]["resultType"], "input_required");
    refund["requestState"] = held["result"]["requestState"].clone();
    refund["inputResponses"] = json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
    let (_, done) = server.ask(&server.bo, "tools/call", &refund);
    assert_eq!(done["result"]["content"][0]["text"], "o-7 is paid back");
    assert_eq!(server.ask(&server.bo, "tools/call", &refund).0, 400, "a yes is good once");
}
