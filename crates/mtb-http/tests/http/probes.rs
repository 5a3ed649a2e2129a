//! What clients get wrong, and what attackers try: one row each.

use http::Method;
use serde_json::{Value, json};

use crate::client::{Client, initialize, modern, request};
use crate::site::Site;

/// What is sent, and the status, the code and the id that come back.
type Row = (&'static str, Client, Method, String, u16, Option<i64>, Value);

async fn check(rows: Vec<Row>) {
    for (what, client, method, body, status, code, id) in rows {
        let answer = client.request(method, "/mcp", body).await;
        assert_eq!(answer.status, status, "{what}");
        assert!(!answer.response.headers().contains_key("mcp-session-id"), "{what}");
        let text = answer.text().await;
        let message: Value = serde_json::from_str(&text).unwrap_or_default();
        assert_eq!(message["error"]["code"].as_i64(), code, "{what}: {text}");
        assert_eq!(message["id"], id, "{what}: {text}");
    }
}

#[tokio::test]
async fn foreign_names_and_origins_are_refused_before_anything_else() {
    let site = Site::adjusted(|options| options.with_health("/health").unwrap());
    let alice = Client::of(site.router()).known_by(&site.alice);
    let nobody = Client::of(site.router());
    let body = || modern(1, "tools/list", json!({})).to_string();
    for client in [
        alice.clone().with("host", "evil.example.com"),
        alice.clone().with("origin", "https://evil.example.com"),
        alice.clone().with("origin", "null"),
        nobody.clone().with("host", "evil.example.com"),
        nobody.with("origin", "https://evil.example.com").without("content-type"),
    ] {
        for method in [Method::POST, Method::GET, Method::DELETE, Method::OPTIONS] {
            assert_eq!(client.request(method.clone(), "/mcp", body()).await.status, 403, "{method}");
        }
        assert_eq!(client.request(Method::GET, "/health", "").await.status, 403);
        assert_eq!(client.request(Method::GET, "/elsewhere", "").await.status, 403);
    }
    let local = alice.with("origin", "http://localhost:6274");
    assert_eq!(local.modern(1, "tools/list", json!({})).await.status, 200);
    assert_eq!(local.request(Method::GET, "/health", "").await.status, 200);
}

#[tokio::test]
async fn requests_of_2026_07_28() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).with("mcp-protocol-version", "2026-07-28");
    let listing = alice.clone().with("mcp-method", "tools/list");
    let list = || modern(1, "tools/list", json!({}));
    let without = |member: &str| {
        let mut list = list();
        list["params"]["_meta"].as_object_mut().unwrap().remove(member);
        list.to_string()
    };
    let saying = |method: &str| modern(1, method, json!({})).to_string();
    let named = |name: &str| modern(1, "tools/call", json!({"name": name, "arguments": {}})).to_string();
    let calling = alice.clone().with("mcp-method", "tools/call");
    let version = "io.modelcontextprotocol/protocolVersion";
    let other_version = {
        let mut list = list();
        list["params"]["_meta"][version] = json!("1900-01-01");
        list.to_string()
    };
    let one = json!(1);
    let none = Value::Null;
    check(vec![
        ("no version in meta", listing.clone(), Method::POST, without(version), 400, Some(-32602), one.clone()),
        (
            "no capabilities",
            listing.clone(),
            Method::POST,
            without("io.modelcontextprotocol/clientCapabilities"),
            400,
            Some(-32602),
            one.clone(),
        ),
        (
            "no header of the version",
            listing.clone().without("mcp-protocol-version"),
            Method::POST,
            list().to_string(),
            400,
            Some(-32020),
            one.clone(),
        ),
        (
            "another version in the header",
            listing.clone().with("mcp-protocol-version", "2025-11-25"),
            Method::POST,
            list().to_string(),
            400,
            Some(-32020),
            one.clone(),
        ),
        (
            "an unknown version, said twice",
            listing.clone().with("mcp-protocol-version", "1900-01-01"),
            Method::POST,
            other_version,
            400,
            Some(-32022),
            one.clone(),
        ),
        ("no header of the method", alice.clone(), Method::POST, list().to_string(), 400, Some(-32020), one.clone()),
        (
            "two headers of the method",
            listing.clone().and("mcp-method", "tools/list"),
            Method::POST,
            list().to_string(),
            400,
            Some(-32020),
            one.clone(),
        ),
        ("no header of the name", calling.clone(), Method::POST, named("greet"), 400, Some(-32020), one.clone()),
        (
            "another name in the header",
            calling.clone().with("mcp-name", "count"),
            Method::POST,
            named("greet"),
            400,
            Some(-32020),
            one.clone(),
        ),
        (
            "no base64 in the name",
            calling.clone().with("mcp-name", "=?base64?Z3JlZXQ?="),
            Method::POST,
            named("greet"),
            400,
            Some(-32020),
            one.clone(),
        ),
        (
            "initialize",
            alice.clone().with("mcp-method", "initialize"),
            Method::POST,
            saying("initialize"),
            404,
            Some(-32601),
            one.clone(),
        ),
        (
            "ping",
            alice.clone().with("mcp-method", "ping"),
            Method::POST,
            saying("ping"),
            404,
            Some(-32601),
            one.clone(),
        ),
        (
            "a tool that nobody has",
            calling.clone().with("mcp-name", "x"),
            Method::POST,
            named("x"),
            400,
            Some(-32602),
            one,
        ),
        (
            "a response",
            alice.clone(),
            Method::POST,
            json!({"jsonrpc": "2.0", "id": "q", "result": {}}).to_string(),
            400,
            Some(-32600),
            none.clone(),
        ),
        ("a batch", listing.clone(), Method::POST, json!([list()]).to_string(), 400, Some(-32600), none.clone()),
        ("no JSON", listing.clone(), Method::POST, "{".to_owned(), 400, Some(-32700), none.clone()),
        (
            "no id that can be used",
            listing.clone(),
            Method::POST,
            json!({"jsonrpc": "2.0", "id": null, "method": "tools/list"}).to_string(),
            400,
            Some(-32600),
            none.clone(),
        ),
        ("GET", alice.clone(), Method::GET, String::new(), 405, None, none.clone()),
        ("DELETE", alice.clone(), Method::DELETE, String::new(), 405, None, none.clone()),
        ("PUT", alice, Method::PUT, String::new(), 405, None, none),
    ])
    .await;
}

#[tokio::test]
async fn requests_of_sessions() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let ping = || request(1, "ping", json!({})).to_string();
    let unknown = alice.clone().with("mcp-session-id", "x");
    let begun = alice.begun("2025-11-25", json!({})).await;
    let none = Value::Null;
    check(vec![
        ("no session", alice.clone(), Method::POST, ping(), 400, None, none.clone()),
        ("an unknown session", unknown.clone(), Method::POST, ping(), 404, None, none.clone()),
        ("an unknown session", unknown.clone(), Method::GET, String::new(), 404, None, none.clone()),
        ("an unknown session", unknown, Method::DELETE, String::new(), 404, None, none.clone()),
        ("another's session", begun.clone().known_by(&site.bob), Method::POST, ping(), 404, None, none.clone()),
        ("two sessions", begun.clone().and("mcp-session-id", "x"), Method::POST, ping(), 400, None, none.clone()),
        ("GET without a session", alice.clone(), Method::GET, String::new(), 400, None, none.clone()),
        (
            "an unknown version",
            begun.clone().with("mcp-protocol-version", "1900-01-01"),
            Method::POST,
            ping(),
            400,
            None,
            none.clone(),
        ),
        (
            "an unknown version, before a session",
            alice.clone().with("mcp-protocol-version", "1900-01-01"),
            Method::POST,
            initialize("2025-11-25", json!({})).to_string(),
            400,
            None,
            none.clone(),
        ),
        (
            "initialize without a version",
            alice.clone(),
            Method::POST,
            request(1, "initialize", json!({})).to_string(),
            200,
            Some(-32602),
            json!(1),
        ),
        (
            "initialize again",
            begun.clone(),
            Method::POST,
            initialize("2025-11-25", json!({})).to_string(),
            400,
            Some(-32600),
            json!(0),
        ),
        (
            "an unknown method",
            begun.clone(),
            Method::POST,
            request(1, "x", json!({})).to_string(),
            200,
            Some(-32601),
            json!(1),
        ),
        ("no JSON", begun.clone(), Method::POST, "{".to_owned(), 400, Some(-32700), none.clone()),
        ("no JSON, before a session", alice.clone(), Method::POST, "{".to_owned(), 400, Some(-32700), none.clone()),
        ("no message", begun.clone(), Method::POST, "7".to_owned(), 400, Some(-32600), none.clone()),
        (
            "a body of another type",
            begun.clone().with("content-type", "text/plain"),
            Method::POST,
            ping(),
            415,
            None,
            none.clone(),
        ),
        ("no type of body", begun.clone().without("content-type"), Method::POST, ping(), 415, None, none.clone()),
        (
            "nothing is accepted",
            begun.clone().with("accept", "text/html"),
            Method::POST,
            ping(),
            406,
            None,
            none.clone(),
        ),
        (
            "no events are accepted",
            begun.clone().with("accept", "application/json"),
            Method::GET,
            String::new(),
            406,
            None,
            none.clone(),
        ),
        (
            "too long, and its id comes last",
            begun.clone(),
            Method::POST,
            format!(r#"{{"jsonrpc":"2.0","method":"ping","params":{{"x":"{}"}},"id":77}}"#, "x".repeat(2 << 20)),
            413,
            Some(-32600),
            json!(77),
        ),
        ("much too long", begun, Method::POST, "x".repeat(9 << 20), 413, Some(-32600), none),
    ])
    .await;
}
