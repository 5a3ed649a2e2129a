//! The example as its client sees it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

#[test]
fn a_coupon_waits_for_a_yes_and_the_yes_is_good_once() {
    let mut server =
        Command::new(env!("CARGO_BIN_EXE_behind-rmcp")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut call = |token: Option<&Value>| -> Value {
        let mut meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        if let Some(token) = token {
            meta.as_object_mut().unwrap().insert("mcp-tool-bridge/confirmation".into(), json!({"token": token}));
        }
        let arguments = json!({"customer": "C-12", "percent": 10});
        let params = json!({"name": "send_coupon", "arguments": arguments, "_meta": meta});
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let text = |answer: &Value| answer.pointer("/result/content/0/text").unwrap().as_str().unwrap().to_owned();

    let held = call(None);
    assert!(text(&held).starts_with("Confirmation required: Send 10 % off to C-12\n"), "{held}");
    let token = held.pointer("/result/_meta/mcp-tool-bridge~1confirmation/token").unwrap();
    assert_eq!(text(&call(Some(token))), "Sent to C-12.");
    assert_eq!(text(&call(Some(token))), "This confirmation cannot be used. Nothing was done.");

    drop(input);
    assert!(server.wait().unwrap().success());
}
