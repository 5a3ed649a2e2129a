use serde_json::{Value, json};

use crate::lab::Lab;
use crate::peer::{Peer, error, modern, modern_with, notify, request, result};

#[test]
fn initialize_says_who_serves_and_what() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let answer = peer.initialize("2025-11-25", json!({}));
    assert_eq!(result(&answer)["capabilities"], json!({"tools": {"listChanged": true}})); // case 171
    let server = json!({"name": "test-server", "version": "1.0.0", "title": "Test server"});
    assert_eq!(result(&answer)["serverInfo"], server); // case 171
    assert_eq!(result(&answer)["instructions"], "Test tools."); // case 171
}

#[test]
fn initialize_settles_the_revision() {
    let lab = Lab::new();
    for (asked, settled) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1900-01-01", "2025-11-25"),
    ] {
        let answer = Peer::new(&lab).initialize(asked, json!({}));
        assert_eq!(result(&answer)["protocolVersion"], settled, "{asked}");
        let titled = result(&answer)["serverInfo"].get("title").is_some();
        assert_eq!(titled, settled >= "2025-06-18", "{asked}");
    }
}

#[test]
fn a_handshake_that_is_none_settles_nothing() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    for params in [
        json!({}),
        json!({"protocolVersion": 7}),
        json!({"protocolVersion": "2025-11-25", "capabilities": 7}),
        json!([]),
        json!({"protocolVersion": "2025-11-25", "_meta": 5}),
    ] {
        assert_eq!(error(&peer.request(1, "initialize", params.clone())).0, -32602, "{params}"); // pitfall 3
        assert_eq!(error(&peer.request(1, "tools/list", json!({}))).0, -32602, "{params}");
    }
    peer.initialize("2025-11-25", json!({}));
}

#[test]
fn before_the_handshake_only_some_is_served() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    for method in ["tools/list", "tools/call", "server/discover", "resources/list", "subscriptions/listen", ""] {
        assert_eq!(error(&peer.request(1, method, json!({"name": "ping"}))).0, -32602, "{method}");
    }
    for message in [
        notify("notifications/initialized", json!({})),
        notify("notifications/cancelled", json!({"requestId": 1})),
        notify("notifications/whatever", json!({})),
        json!({"jsonrpc": "2.0", "id": 0, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 0, "error": {"code": 1, "message": ""}}),
    ] {
        assert!(peer.tell(&message).is_empty(), "{message}"); // pitfall 10
    }
    assert_eq!(result(&peer.request(2, "ping", json!({}))), &json!({}));
    assert_eq!(peer.tell(&json!({"jsonrpc": "2.0", "id": 3, "method": "ping"})).len(), 1);
    let listed = peer.request(4, "tools/list", modern(json!({})));
    assert!(result(&listed)["tools"].is_array());
    peer.initialize("2025-11-25", json!({}));
}

#[test]
fn both_eras_are_served_on_one_connection() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    assert!(peer.request(1, "tools/list", modern(json!({}))).get("result").is_some());
    peer.initialize("2025-06-18", json!({}));
    let legacy = peer.call(2, "ping", json!({})); // pitfall 16
    assert_eq!(result(&legacy).get("resultType"), None);
    let modern = peer.request(3, "tools/call", modern(json!({"name": "ping"})));
    assert_eq!(result(&modern)["resultType"], "complete");
    let legacy = peer.request(4, "tools/list", json!({})); // pitfall 16
    assert_eq!(result(&legacy).get("ttlMs"), None);
}

#[test]
fn a_second_handshake_is_refused_and_changes_nothing() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-06-18", json!({}));
    let params =
        json!({"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "C", "version": "1"}});
    assert_eq!(error(&peer.request(1, "initialize", params)).0, -32600);
    assert!(result(&peer.call(2, "stats", json!({}))).get("structuredContent").is_some());
}

#[test]
fn methods_that_this_server_has_not_are_not_found() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    for method in ["resources/list", "prompts/list", "logging/setLevel", "server/discover", "subscriptions/listen", "x"]
    {
        assert_eq!(error(&peer.request(1, method, json!({}))), (-32601, "Method not found"), "{method}");
    }
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "x"] {
        assert_eq!(error(&peer.request(1, method, modern(json!({})))), (-32601, "Method not found"), "{method}");
    }
}

#[test]
fn discover_says_who_serves_and_what() {
    let lab = Lab::new();
    let answer = Peer::new(&lab).request("d1", "server/discover", modern(json!({})));
    let expect = json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {"listChanged": true}}, // case 171
        "instructions": "Test tools.",
        "ttlMs": 60_000,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "test-server", "version": "1.0.0", "title": "Test server"}},
    });
    assert_eq!(result(&answer), &expect);
}

#[test]
fn a_request_describes_itself_completely_or_not_at_all() {
    const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    for meta in [
        json!({VERSION: "2026-07-28"}),
        json!({VERSION: "2026-07-28", CAPABILITIES: null}),
        json!({VERSION: "2026-07-28", CAPABILITIES: []}),
        json!({VERSION: 20_260_728, CAPABILITIES: {}}),
        json!({VERSION: null, CAPABILITIES: {}}),
        json!({CAPABILITIES: {}}),
        json!({}),
        json!(null),
        json!(5),
    ] {
        let answer = peer.tell(&request(1, "tools/list", json!({"_meta": meta})));
        assert_eq!(error(&answer[0]).0, -32602, "{meta}"); // pitfall 4
    }
    assert!(peer.request(1, "tools/list", modern_with(json!({}), json!({}))).get("result").is_some());
}

#[test]
fn a_revision_that_is_not_served_is_named_back() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let mut ask = |version: Value| {
        let mut params = modern(json!({}));
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = version;
        peer.request(1, "server/discover", params)
    };
    for version in ["1900-01-01", "2025-11-25", "", "2026-07-28 "] {
        let answer = ask(json!(version));
        assert_eq!(error(&answer), (-32022, "Unsupported protocol version"));
        assert_eq!(answer["error"]["data"], json!({"supported": ["2026-07-28"], "requested": version}));
    }
    let answer = ask(json!(format!("\u{1b}[31m{}", "9".repeat(1_000))));
    let requested = answer["error"]["data"]["requested"].as_str().unwrap();
    assert_eq!((requested.chars().count(), requested.contains('\u{1b}')), (129, false));
}
