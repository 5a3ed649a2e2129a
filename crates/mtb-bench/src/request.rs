//! The bytes of requests, made once and sent many times.

use crate::tool;

/// How a request of 2026-07-28 describes itself.
const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"load","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

/// What a long note is made of.
const NOTE: &str = "Two numbers are added here, the first of which somebody called \"nineteen\" in a letter.\n\
                    - the second one stood below it;\n- the sum was left out.\n\n";

/// `initialize` of 2025-11-25: JSON.
pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"load","version":"1"}}}"#;

/// What follows the answer to it: JSON.
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A call over HTTP that stands by itself, as 2026-07-28 has it: both servers answer it without a session.
#[must_use]
pub fn modern_call(address: &str, key: &str) -> Vec<u8> {
    let (name, arguments) = (tool::NAME, tool::ARGUMENTS);
    let params = format!(r#"{{"name":"{name}","arguments":{arguments},"_meta":{META}}}"#);
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    let repeated = format!("mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: {name}\r\n");
    post(address, key, &repeated, &body)
}

/// What begins a session over HTTP.
#[must_use]
pub fn initialize(address: &str, key: &str) -> Vec<u8> {
    post(address, key, "", INITIALIZE)
}

/// A message of a session over HTTP.
#[must_use]
pub fn in_session(address: &str, key: &str, session: &str, message: &str) -> Vec<u8> {
    let headers = format!("mcp-protocol-version: 2025-11-25\r\nmcp-session-id: {session}\r\n");
    post(address, key, &headers, message)
}

/// A call in a session: JSON.
#[must_use]
pub fn call(id: u32) -> String {
    call_with(id, tool::ARGUMENTS)
}

/// The same with these arguments, which are JSON.
#[must_use]
pub fn call_with(id: u32, arguments: &str) -> String {
    let name = tool::NAME;
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}","arguments":{arguments}}}}}"#
    )
}

/// The arguments of a call with a note of so many bytes, which need escaping as prose does: JSON.
#[must_use]
pub fn arguments(note_bytes: u32) -> String {
    if note_bytes == 0 {
        return tool::ARGUMENTS.to_owned();
    }
    let length = usize::try_from(note_bytes).unwrap_or(usize::MAX);
    let note: String = NOTE.chars().cycle().take(length).collect();
    serde_json::json!({"a": 19, "b": 23, "note": note}).to_string()
}

fn post(address: &str, key: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n{headers}content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}
