//! What clients get wrong, and what attackers try: one row each.

use http::Method;
use serde_json::{Value, json};

use crate::client::{Client, initialize, modern, request};
use crate::site::Site;

/// What is sent, and what comes back.
struct Probe {
    what: &'static str,
    client: Client,
    method: Method,
    body: String,
    status: u16,
    /// Of the JSON-RPC error, if it is one.
    code: Option<i64>,
    id: Value,
}

fn probe(what: &'static str, client: &Client, method: Method, status: u16) -> Probe {
    Probe { what, client: client.clone(), method, body: String::new(), status, code: None, id: Value::Null }
}

fn post(what: &'static str, client: &Client, body: &impl ToString, status: u16) -> Probe {
    Probe { body: body.to_string(), ..probe(what, client, Method::POST, status) }
}

impl Probe {
    fn code(self, code: i64) -> Self {
        Self { code: Some(code), ..self }
    }

    fn id(self, id: i64) -> Self {
        Self { id: json!(id), ..self }
    }
}

async fn check(probes: impl IntoIterator<Item = Probe>) {
    for Probe { what, client, method, body, status, code, id } in probes {
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
    let body = || modern(1, "tools/list", &json!({})).to_string();
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
    assert_eq!(local.modern(1, "tools/list", &json!({})).await.status, 200);
    assert_eq!(local.request(Method::GET, "/health", "").await.status, 200);
}

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

#[tokio::test]
async fn requests_of_2026_07_28_say_twice_what_they_are() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).with("mcp-protocol-version", "2026-07-28");
    let listing = alice.clone().with("mcp-method", "tools/list");
    let calling = alice.clone().with("mcp-method", "tools/call");
    let list = modern(1, "tools/list", &json!({}));
    let greet = modern(1, "tools/call", &json!({"name": "greet", "arguments": {}}));
    let without = |member: &str| {
        let mut list = list.clone();
        list["params"]["_meta"].as_object_mut().unwrap().remove(member);
        list
    };
    let mut unknown = list.clone();
    unknown["params"]["_meta"][VERSION] = json!("1900-01-01");
    let no_version = listing.clone().without("mcp-protocol-version");
    let other_version = listing.clone().with("mcp-protocol-version", "2025-11-25");
    let unknown_version = listing.clone().with("mcp-protocol-version", "1900-01-01");
    let two_methods = listing.clone().and("mcp-method", "tools/list");
    let two_names = calling.clone().with("mcp-name", "greet").and("mcp-name", "greet");
    let other_name = calling.clone().with("mcp-name", "count");
    let no_base64 = calling.clone().with("mcp-name", "=?base64?Z3JlZXQ?=");
    let capabilities = without("io.modelcontextprotocol/clientCapabilities");
    check([
        post("no version in meta", &listing, &without(VERSION), 400).code(-32602).id(1),
        post("no capabilities", &listing, &capabilities, 400).code(-32602).id(1),
        post("no header of the version", &no_version, &list, 400).code(-32020).id(1),
        post("another version in the header", &other_version, &list, 400).code(-32020).id(1),
        post("an unknown version, said twice", &unknown_version, &unknown, 400).code(-32022).id(1),
        post("no header of the method", &alice, &list, 400).code(-32020).id(1),
        post("another method in the header", &calling, &list, 400).code(-32020).id(1),
        post("two headers of the method", &two_methods, &list, 400).code(-32020).id(1),
        post("no header of the name", &calling, &greet, 400).code(-32020).id(1),
        post("another name in the header", &other_name, &greet, 400).code(-32020).id(1),
        post("two headers of the name", &two_names, &greet, 400).code(-32020).id(1),
        post("no base64 in the name", &no_base64, &greet, 400).code(-32020).id(1),
    ])
    .await;
}

#[tokio::test]
async fn requests_of_2026_07_28_that_nothing_answers() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).with("mcp-protocol-version", "2026-07-28");
    let saying = |method: &str| alice.clone().with("mcp-method", method);
    let listing = saying("tools/list");
    let unknown_tool = saying("tools/call").with("mcp-name", "x");
    let list = modern(1, "tools/list", &json!({}));
    let of = |method: &str| modern(1, method, &json!({}));
    let null_id = json!({"jsonrpc": "2.0", "id": null, "method": "tools/list"});
    let call = modern(1, "tools/call", &json!({"name": "x", "arguments": {}}));
    check([
        post("initialize", &saying("initialize"), &of("initialize"), 404).code(-32601).id(1),
        post("ping", &saying("ping"), &of("ping"), 404).code(-32601).id(1),
        post("a tool that nobody has", &unknown_tool, &call, 400).code(-32602).id(1),
        post("a response", &alice, &json!({"jsonrpc": "2.0", "id": "q", "result": {}}), 400).code(-32600),
        post("a batch", &listing, &json!([list]), 400).code(-32600),
        post("no JSON", &listing, &"{", 400).code(-32700),
        post("an id that is null", &listing, &null_id, 400).code(-32600),
        probe("GET", &alice, Method::GET, 405),
        probe("DELETE", &alice, Method::DELETE, 405),
        probe("PUT", &alice, Method::PUT, 405),
    ])
    .await;
}

#[tokio::test]
async fn requests_of_sessions() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let begun = alice.begun("2025-11-25", &json!({})).await;
    let ping = request(1, "ping", &json!({}));
    let null_id = json!({"jsonrpc": "2.0", "id": null, "method": "ping"});
    let unknown = alice.clone().with("mcp-session-id", "x");
    let bobs = begun.clone().known_by(&site.bob);
    let two = begun.clone().and("mcp-session-id", "x");
    let initialize = || initialize("2025-11-25", &json!({}));
    let of_1900 = |client: &Client| client.clone().with("mcp-protocol-version", "1900-01-01");
    check([
        post("no session", &alice, &ping, 400),
        post("an unknown session", &unknown, &ping, 404),
        probe("a stream of an unknown session", &unknown, Method::GET, 404),
        probe("the end of an unknown session", &unknown, Method::DELETE, 404),
        post("another's session", &bobs, &ping, 404),
        probe("a stream of another's session", &bobs, Method::GET, 404),
        probe("the end of another's session", &bobs, Method::DELETE, 404),
        post("two sessions", &two, &ping, 400),
        probe("a stream without a session", &alice, Method::GET, 400),
        post("an unknown version", &of_1900(&begun), &ping, 400).code(-32600).id(1),
        post("an unknown version, before a session", &of_1900(&alice), &initialize(), 400).code(-32600).id(0),
        post("initialize without a version", &alice, &request(1, "initialize", &json!({})), 200).code(-32602).id(1),
        post("initialize again", &begun, &initialize(), 400).code(-32600).id(0),
        post("an unknown method", &begun, &request(1, "x", &json!({})), 200).code(-32601).id(1),
        post("a response to nothing", &begun, &json!({"jsonrpc": "2.0", "id": "q", "result": {}}), 202),
        post("an id that is null", &begun, &null_id, 400).code(-32600),
    ])
    .await;
}

#[tokio::test]
async fn bodies_and_what_is_read_of_answers() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let begun = alice.begun("2025-11-25", &json!({})).await;
    let ping = request(1, "ping", &json!({}));
    let no_events = begun.clone().with("accept", "application/json");
    let long = format!(r#"{{"jsonrpc":"2.0","method":"ping","params":{{"x":"{}"}},"id":77}}"#, "x".repeat(2 << 20));
    check([
        post("no JSON", &begun, &"{", 400).code(-32700),
        post("no JSON, before a session", &alice, &"{", 400).code(-32700),
        post("no message", &begun, &"7", 400).code(-32600),
        post("nothing", &begun, &"", 400).code(-32700),
        post("a body of another type", &begun.clone().with("content-type", "text/plain"), &ping, 415),
        post("two types of body", &begun.clone().and("content-type", "application/json"), &ping, 415),
        post("no type of body", &begun.clone().without("content-type"), &ping, 415),
        post("nothing is accepted", &begun.clone().with("accept", "text/html"), &ping, 406),
        probe("no events are accepted", &no_events, Method::GET, 406),
        post("too long, and its id comes last", &begun, &long, 413).code(-32600).id(77),
        post("much too long", &begun, &"x".repeat(9 << 20), 413).code(-32600),
    ])
    .await;
}

/// What is wrong inside a message is answered with its id.
#[tokio::test]
async fn messages_that_cost_too_much_or_cannot_be_read() {
    let site = Site::new();
    let begun = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
    let with = |arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"name":"greet","arguments":{arguments}}},"id":7}}"#
        )
    };
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let dense = format!("[{}0]", "0,".repeat(60_000));
    check([
        post("deep", &begun, &with(&deep), 200).code(-32602).id(7),
        post("dense", &begun, &with(&dense), 200).code(-32602).id(7),
        post("a number that is none", &begun, &with(r#"{"name":1e400}"#), 200).code(-32602).id(7),
        post("65 bits", &begun, &with(r#"{"name":18446744073709551616}"#), 200).code(-32602).id(7),
        post("a name twice", &begun, &with(r#"{"name":"a","name":"b"}"#), 200).code(-32602).id(7),
        post("another version of JSON-RPC", &begun, &r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, 400)
            .code(-32600)
            .id(7),
        post("no method", &begun, &r#"{"jsonrpc":"2.0","id":7}"#, 400).code(-32600).id(7),
    ])
    .await;
    // The same of 2026-07-28 says what is wrong, and not that something else is missing.
    let alice = Client::of(site.router()).known_by(&site.alice);
    let long = json!({"name": "greet", "arguments": {"name": "x".repeat(600_000)}});
    let mut answer = alice.modern(7, "tools/call", &long).await;
    let error = answer.next().await["error"].clone();
    assert_eq!((answer.status.as_u16(), error["code"].as_i64()), (400, Some(-32602)));
    assert!(error["message"].as_str().unwrap().contains("string"), "{error}");
}

#[tokio::test]
async fn every_request_is_answered_whatever_its_tool_does_and_whatever_its_id() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let begun = alice.begun("2025-11-25", &json!({})).await;
    for mut answer in [
        begun.call(1, "collapse", &json!({})).await,
        alice.modern(1, "tools/call", &json!({"name": "collapse", "arguments": {}})).await,
    ] {
        let answer = answer.next().await;
        assert_eq!((answer["id"].as_i64(), answer["result"]["isError"].as_bool()), (Some(1), Some(true)), "{answer}");
    }
    // Each request has a connection of its own, so that ids that are in use elsewhere are as good as others.
    let slow = json!({"name": "linger", "_meta": {"progressToken": 1}});
    let mut slow = begun.post(request(7, "tools/call", &slow).to_string()).await;
    slow.next().await;
    let mut quick = begun.call(7, "greet", &json!({"name": "Ada"})).await;
    assert_eq!(quick.next().await["result"]["content"][0]["text"], "Hello Ada");
    site.released.notify_one();
    slow.next().await;
    site.released.notify_one();
    assert_eq!(slow.next().await["result"]["content"][0]["text"], "done");
}

/// Nothing is kept for who comes back: streams begin with what is new, and say nothing first.
#[tokio::test]
async fn nothing_is_sent_twice_or_kept() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    for (version, tool) in [("2025-03-26", "count"), ("2025-11-25", "long")] {
        let begun = alice.begun(version, &json!({})).await;
        let steps = json!({"name": "steps", "arguments": {"count": 1}, "_meta": {"progressToken": 1}});
        let answer = begun.post(request(1, "tools/call", &steps).to_string()).await;
        let text = answer.text().await;
        assert!(text.starts_with("data: {") && !text.contains("id: "), "{version}: {text}");
        let mut resumed = begun.and("last-event-id", "0/0").get().await;
        assert_eq!(resumed.status, 200);
        site.bridge.registry().unregister(tool);
        assert_eq!(resumed.next().await["method"], "notifications/tools/list_changed");
    }
    // Sessions mean nothing to requests that stand by themselves.
    let strange = alice.with("mcp-session-id", "x").with("last-event-id", "0/0");
    let answer = strange.modern(1, "tools/list", &json!({})).await;
    assert_eq!(answer.status, 200);
    assert!(!answer.response.headers().contains_key("mcp-session-id"));
}
