use serde_json::{Value, json};

use crate::bridges::Site;
use crate::client::Client;

#[tokio::test]
async fn before_initialize_only_pings_and_self_describing_requests_are_served() {
    for (case, line, code) in [
        ("tools/list", json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}), Some(-32602)),
        (
            "tools/call",
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "done"}}),
            Some(-32602),
        ),
        (
            "a cancellation",
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
            None,
        ),
        ("initialized", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), None),
        ("an answer", json!({"jsonrpc": "2.0", "id": 1, "result": {}}), None),
    ] {
        let site = Site::new();
        let mut client = Client::new(&site);
        client.send(&line).await;
        if let Some(code) = code {
            let answer = client.next().await;
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(code)), "{case}");
        }
        client.still_serves(case).await;
        client.initialize("2025-06-18", json!({})).await;
        client.call(2, "done", json!({})).await;
        assert_eq!(client.next().await["result"]["content"][0]["text"], "done", "after {case}");
    }
}

fn stateless(id: i64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "client", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

#[tokio::test]
async fn both_eras_are_served_on_one_connection() {
    let site = Site::new();
    let mut client = Client::new(&site);
    let new_call = |id| stateless(id, "tools/call", json!({"name": "repeat", "arguments": {"number": id}}));
    client.send(&new_call(1)).await;
    assert_eq!(client.next().await["result"]["content"][0]["text"], "1");
    client.initialize("2025-11-25", json!({})).await;
    client.call(2, "repeat", json!({"number": 2})).await;
    assert_eq!(client.next().await["result"]["content"][0]["text"], "2");
    client.send(&new_call(3)).await;
    assert_eq!(client.next().await["result"]["content"][0]["text"], "3");
    client.still_serves("both").await;
}

#[tokio::test]
async fn a_batch_is_served_where_its_revision_has_them() {
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/unknown"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "repeat", "arguments": {"number": 2}}},
    ]);
    let site = Site::new();
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let mut client = Client::initialized(&site, version).await;
        client.send(&batch).await;
        assert_eq!(client.next().await["error"]["code"], -32600, "{version}");
        client.still_serves(version).await;
    }

    let mut client = Client::initialized(&site, "2025-03-26").await;
    client.send(&batch).await;
    let mut answers = Vec::new();
    while answers.len() < 2 {
        match client.next().await {
            Value::Array(several) => answers.extend(several),
            single => answers.push(single),
        }
    }
    answers.sort_by_key(|answer| answer["id"].as_i64());
    assert_eq!(answers[0]["result"], json!({}));
    assert_eq!(answers[1]["result"]["content"][0]["text"], "2");
    client.still_serves("a batch").await;
}
