//! Each message as it leaves, byte for byte.

use expect_test::{Expect, expect};
use mtb_bridge::BridgeLimits;
use mtb_mcp::{CONFIRMATION_META_KEY, Elicitation};
use serde_json::{Value, json};

use crate::lab::{Lab, invoice, ping, plain};
use crate::peer::{Peer, modern, modern_with, options, request};

/// Everything sent since the last look, with what is random named instead.
fn sent(peer: &mut Peer) -> String {
    let text = String::from_utf8(std::mem::take(&mut peer.raw)).unwrap();
    let text = masked(&text, "mtb_", 4 + 43, "TOKEN");
    let text = masked(&text, "\"callId\":\"", 10 + 36, "\"callId\":\"CALL");
    let messages = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let questions: Vec<_> = messages.filter(|message| message["method"] == "elicitation/create").collect();
    questions.iter().fold(text, |text, question| text.replace(question["id"].as_str().unwrap(), "QUESTION"))
}

fn masked(text: &str, start: &str, length: usize, name: &str) -> String {
    let mut parts = text.split(start);
    let mut masked = parts.next().unwrap().to_owned();
    for part in parts {
        masked.push_str(name);
        masked.push_str(&part[length - start.len()..]);
    }
    masked
}

fn check(peer: &mut Peer, expect: &Expect) {
    expect.assert_eq(&sent(peer));
}

#[test]
fn handshakes() {
    let lab = Lab::new();
    for (version, expect) in [
        (
            "2024-11-05",
            expect![[r#"
            {"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"test-server","version":"1.0.0"},"instructions":"Test tools."}}
        "#]],
        ),
        (
            "2025-03-26",
            expect![[r#"
            {"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"test-server","version":"1.0.0"},"instructions":"Test tools."}}
        "#]],
        ),
        (
            "2025-06-18",
            expect![[r#"
            {"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"},"instructions":"Test tools."}}
        "#]],
        ),
        (
            "2025-11-25",
            expect![[r#"
            {"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"},"instructions":"Test tools."}}
        "#]],
        ),
    ] {
        let mut peer = Peer::new(&lab);
        peer.initialize(version, json!({}));
        check(&mut peer, &expect);
    }
    let mut peer = Peer::new(&lab);
    peer.request("d1", "server/discover", modern(json!({})));
    peer.request(0, "ping", json!({}));
    check(
        &mut peer,
        &expect![[r#"
        {"jsonrpc":"2.0","id":"d1","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"instructions":"Test tools.","ttlMs":60000,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"}}}}
        {"jsonrpc":"2.0","id":0,"result":{}}
    "#]],
    );
}

#[test]
fn lists() {
    let lab = Lab::empty(BridgeLimits::default());
    lab.registry.register(ping()).unwrap();
    let mut modern_peer = Peer::new(&lab);
    modern_peer.request(1, "tools/list", modern(json!({})));
    check(
        &mut modern_peer,
        &expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"ping","description":"Answers.","inputSchema":{"additionalProperties":false,"properties":{},"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":false}}],"ttlMs":60000,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"}}}}
    "#]],
    );

    lab.registry.register(plain("more", mtb_bridge::text(""))).unwrap();
    let limits = mtb_mcp::ProtocolLimits { page_tools: 1, ..Default::default() };
    for (version, expect) in [
        (
            "2024-11-05",
            expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"ping","description":"Answers.","inputSchema":{"additionalProperties":false,"properties":{},"type":"object"}}],"nextCursor":"after:ping"}}
        "#]],
        ),
        (
            "2025-11-25",
            expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"ping","description":"Answers.","inputSchema":{"additionalProperties":false,"properties":{},"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":false}}],"nextCursor":"after:ping"}}
        "#]],
        ),
    ] {
        let mut peer = Peer::legacy_with(&lab, options().with_limits(limits.clone()), version, json!({}));
        peer.raw.clear();
        peer.request(1, "tools/list", json!({}));
        check(&mut peer, &expect);
    }
}

#[test]
fn results() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    peer.raw.clear();
    peer.call(1, "stats", json!({}));
    peer.call(2, "shows", json!({}));
    peer.call(3, "no_invoice", json!({}));
    peer.call(4, "send_mail", json!({"to": "nope", "pay\u{202e}ee": 1}));
    peer.request(5, "tools/call", modern(json!({"name": "ping"})));
    check(
        &mut peer,
        &expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"open\":3}"}],"structuredContent":{"open":3}}}
        {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hello"},{"type":"image","data":"aGk=","mimeType":"image/png"},{"type":"audio","data":"aGk=","mimeType":"audio/wav"},{"type":"resource_link","uri":"file:///a.md","name":"a.md","title":"A","mimeType":"text/markdown"},{"type":"resource","resource":{"uri":"file:///b.txt","text":"b"}},{"type":"resource","resource":{"uri":"file:///c","mimeType":"application/pdf","blob":"aGk="}}],"structuredContent":{"shown":6}}}
        {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"No such invoice."}],"isError":true}}
        {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"Invalid arguments for send_mail:\n- /to: must be an email address (format `email`)\n- /subject: is required\n- /payee: is not a declared property"}],"isError":true}}
        {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"pong"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"}}}}
    "#]],
    );
}

#[test]
fn errors() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    peer.raw.clear();
    peer.tell_text("{");
    peer.tell_text("7");
    peer.tell_text("[]");
    peer.tell_text(r#"{"jsonrpc":"2.0","id":"\u0031","method":"x"}"#);
    peer.tell_text(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1e999}}"#);
    peer.call(2, "nonesuch", json!({}));
    let mut unsupported = modern(json!({}));
    unsupported["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    peer.request(3, "tools/list", unsupported);
    check(
        &mut peer,
        &expect![[r#"
        {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: the message is not valid JSON in UTF-8"}}
        {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: not a JSON-RPC 2.0 message"}}
        {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: batches are not part of this protocol version"}}
        {"jsonrpc":"2.0","id":"\u0031","error":{"code":-32601,"message":"Method not found"}}
        {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: a number is out of range"}}
        {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool: nonesuch"}}
        {"jsonrpc":"2.0","id":3,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}}
    "#]],
    );
}

#[test]
fn held_calls() {
    let lab = Lab::new();
    for (version, expect) in [
        (
            "2024-11-05",
            expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Confirmation required: Send \"Invoice 12\" to ada@example.com\nNothing was done yet. A person has to approve this call first."}],"_meta":{"mcp-tool-bridge/confirmation":{"token":"TOKEN","expiresAt":"2026-10-02T12:05:00.000Z","callId":"CALL"}}}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Confirmation required: transfer\nNothing was done yet. A person has to approve this call first."}],"isError":true,"_meta":{"mcp-tool-bridge/confirmation":{"token":"TOKEN","expiresAt":"2026-10-02T12:05:00.000Z","callId":"CALL"},"mcp-tool-bridge/status":{"status":"confirmation_required","tool":"transfer","summary":"transfer","expiresAt":"2026-10-02T12:05:00.000Z"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"This confirmation cannot be used. Nothing was done."}],"isError":true}}
        "#]],
        ),
        (
            "2025-11-25",
            expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Confirmation required: Send \"Invoice 12\" to ada@example.com\nNothing was done yet. A person has to approve this call first."}],"structuredContent":{"status":"confirmation_required","tool":"send_mail","summary":"Send \"Invoice 12\" to ada@example.com","expiresAt":"2026-10-02T12:05:00.000Z"},"_meta":{"mcp-tool-bridge/confirmation":{"token":"TOKEN","expiresAt":"2026-10-02T12:05:00.000Z","callId":"CALL"}}}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Confirmation required: transfer\nNothing was done yet. A person has to approve this call first."}],"isError":true,"_meta":{"mcp-tool-bridge/confirmation":{"token":"TOKEN","expiresAt":"2026-10-02T12:05:00.000Z","callId":"CALL"},"mcp-tool-bridge/status":{"status":"confirmation_required","tool":"transfer","summary":"transfer","expiresAt":"2026-10-02T12:05:00.000Z"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"This confirmation cannot be used. Nothing was done."}],"isError":true}}
        "#]],
        ),
    ] {
        let mut peer = Peer::legacy(&lab, version, json!({}));
        peer.raw.clear();
        peer.call(1, "send_mail", invoice());
        peer.call(2, "transfer", json!({}));
        let refused = json!({"name": "ping", "_meta": {CONFIRMATION_META_KEY: {"token": "x"}}});
        peer.request(3, "tools/call", refused);
        check(&mut peer, &expect);
    }
    let mut peer = Peer::with(&lab, options().with_elicit_confirmations(Elicitation::Off));
    peer.request(1, "tools/call", modern(json!({"name": "transfer"})));
    check(
        &mut peer,
        &expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"Confirmation required: transfer\nNothing was done yet. A person has to approve this call first."}],"isError":true,"_meta":{"mcp-tool-bridge/confirmation":{"token":"TOKEN","expiresAt":"2026-10-02T12:05:00.000Z","callId":"CALL"},"mcp-tool-bridge/status":{"status":"confirmation_required","tool":"transfer","summary":"transfer","expiresAt":"2026-10-02T12:05:00.000Z"},"io.modelcontextprotocol/serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"}}}}
    "#]],
    );
}

#[test]
fn questions() {
    let lab = Lab::new();
    for (version, expect) in [
        (
            "2025-06-18",
            expect![[r#"
            {"jsonrpc":"2.0","id":"QUESTION","method":"elicitation/create","params":{"message":"Send \"Invoice 12\" to ada@example.com\n\nDo you want this to be done?","requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean","title":"Yes, do it"}},"required":["confirm"]}}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The user declined this call. Nothing was done."}],"structuredContent":{"status":"declined","tool":"send_mail"}}}
            {"jsonrpc":"2.0","id":"QUESTION","method":"elicitation/create","params":{"message":"transfer\n\nDo you want this to be done?","requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean","title":"Yes, do it"}},"required":["confirm"]}}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"The user declined this call. Nothing was done."}],"isError":true,"_meta":{"mcp-tool-bridge/status":{"status":"declined","tool":"transfer"}}}}
            {"jsonrpc":"2.0","id":"QUESTION","method":"elicitation/create","params":{"message":"transfer\n\nDo you want this to be done?","requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean","title":"Yes, do it"}},"required":["confirm"]}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"QUESTION","reason":"The question is no longer open."}}
        "#]],
        ),
        (
            "2025-11-25",
            expect![[r#"
            {"jsonrpc":"2.0","id":"QUESTION","method":"elicitation/create","params":{"mode":"form","message":"Send \"Invoice 12\" to ada@example.com\n\nDo you want this to be done?","requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean","title":"Yes, do it"}},"required":["confirm"]}}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The user declined this call. Nothing was done."}],"structuredContent":{"status":"declined","tool":"send_mail"}}}
            {"jsonrpc":"2.0","id":"QUESTION","method":"elicitation/create","params":{"mode":"form","message":"transfer\n\nDo you want this to be done?","requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean","title":"Yes, do it"}},"required":["confirm"]}}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"The user declined this call. Nothing was done."}],"isError":true,"_meta":{"mcp-tool-bridge/status":{"status":"declined","tool":"transfer"}}}}
            {"jsonrpc":"2.0","id":"QUESTION","method":"elicitation/create","params":{"mode":"form","message":"transfer\n\nDo you want this to be done?","requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean","title":"Yes, do it"}},"required":["confirm"]}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"QUESTION","reason":"The question is no longer open."}}
        "#]],
        ),
    ] {
        let mut peer = Peer::legacy(&lab, version, json!({"elicitation": {}}));
        peer.raw.clear();
        for (call, tool) in [(1, "send_mail"), (2, "transfer")] {
            let arguments = if tool == "transfer" { json!({}) } else { invoice() };
            let question = peer.call(call, tool, arguments);
            peer.tell(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}}));
        }
        peer.call(3, "transfer", json!({}));
        peer.tell(&crate::peer::cancelled(3));
        check(&mut peer, &expect);
    }
    let mut peer = Peer::new(&lab);
    for tool in ["open", "transfer"] {
        let asked = peer.request(1, "tools/call", modern(json!({"name": tool})));
        let state = &asked["result"]["requestState"];
        let no = json!({"name": tool, "requestState": state, "inputResponses": {"confirm": {"action": "cancel"}}});
        peer.request(2, "tools/call", modern(no));
    }
    let bad = json!({"name": "open", "requestState": "x"});
    peer.request(3, "tools/call", modern_with(bad, json!({})));
    check(
        &mut peer,
        &expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"confirm":{"method":"elicitation/create","params":{"mode":"form","message":"open\n\nDo you want this to be done?","requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean","title":"Yes, do it"}},"required":["confirm"]}}}},"requestState":"TOKEN","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"}}}}
        {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"The user declined this call. Nothing was done."}],"structuredContent":{"status":"declined","tool":"open"},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"}}}}
        {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"confirm":{"method":"elicitation/create","params":{"mode":"form","message":"transfer\n\nDo you want this to be done?","requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean","title":"Yes, do it"}},"required":["confirm"]}}}},"requestState":"TOKEN","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"}}}}
        {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"The user declined this call. Nothing was done."}],"isError":true,"_meta":{"mcp-tool-bridge/status":{"status":"declined","tool":"transfer"},"io.modelcontextprotocol/serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"}}}}
        {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Invalid params: `requestState` cannot be used; nothing was done"}}
    "#]],
    );
}

#[test]
fn notifications() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    peer.raw.clear();
    peer.tell(&request(1, "tools/call", json!({"name": "reports", "_meta": {"progressToken": 7}})));
    let filter = json!({"notifications": {"toolsListChanged": true}});
    peer.tell(&request("s", "subscriptions/listen", modern(filter)));
    peer.tools_changed();
    peer.close();
    check(
        &mut peer,
        &expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":0,"total":100,"message":"working"}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":50,"total":100,"message":"working"}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":100}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}]}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"notifications":{"toolsListChanged":true}}}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s","reason":"The server is closing the connection."}}
            {"jsonrpc":"2.0","id":"s","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"s","io.modelcontextprotocol/serverInfo":{"name":"test-server","version":"1.0.0","title":"Test server"}}}}
        "#]],
    );
}
