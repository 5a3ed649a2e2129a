//! Clients of HTTP+SSE, the transport before Streamable HTTP.

use std::time::Duration;

use http::Method;
use mtb_core::Principal;
use serde_json::{Value, json};
use tokio::task::yield_now;

use crate::client::{Answer, Client, initialize, request, until, within};
use crate::site::Site;

fn site() -> Site {
    Site::adjusted(|options| options.with_legacy_sse(true))
}

/// A stream, and where its client posts.
struct Legacy {
    client: Client,
    stream: Answer,
    endpoint: String,
}

impl Legacy {
    async fn opened(client: Client) -> Self {
        let mut stream = client.request(Method::GET, "/sse", "").await;
        assert_eq!(stream.status, 200);
        let endpoint = stream.event("endpoint").await;
        assert!(endpoint.starts_with("/messages?sessionId="), "{endpoint}");
        Self { client, stream, endpoint }
    }

    async fn begun(client: Client, capabilities: &Value) -> Self {
        let mut legacy = Self::opened(client).await;
        legacy.post(&initialize("2024-11-05", capabilities)).await;
        assert_eq!(legacy.stream.next().await["result"]["protocolVersion"], "2024-11-05");
        legacy.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        legacy
    }

    async fn post(&self, message: &Value) {
        assert_eq!(self.status_for(&self.client, message).await, 202, "{message}");
    }

    async fn status_for(&self, client: &Client, message: &Value) -> u16 {
        client.request(Method::POST, &self.endpoint, message.to_string()).await.status.as_u16()
    }
}

fn call(id: i64, tool: &str, arguments: &Value) -> Value {
    request(id, "tools/call", &json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": id}}))
}

#[tokio::test]
async fn it_is_not_there_unless_the_host_says_so() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    for (method, path) in [(Method::GET, "/sse"), (Method::POST, "/messages?sessionId=x")] {
        assert_eq!(alice.request(method, path, "{}").await.status, 404);
    }
}

#[tokio::test]
async fn the_stream_carries_every_answer() {
    let site = site();
    let mut legacy = Legacy::begun(Client::of(site.router()).known_by(&site.alice), &json!({})).await;
    legacy.post(&call(1, "greet", &json!({"name": "Ada"}))).await;
    assert_eq!(legacy.stream.next().await["result"]["content"][0]["text"], "Hello Ada");
    legacy.post(&call(2, "steps", &json!({"count": 1}))).await;
    assert_eq!(legacy.stream.next().await["params"]["progress"].as_f64(), Some(1.0));
    assert_eq!(legacy.stream.next().await["id"], 2);
    legacy.post(&call(3, "switch", &json!({}))).await;
    let (one, two) = (legacy.stream.next().await, legacy.stream.next().await);
    let changed = |message: &Value| message["method"] == "notifications/tools/list_changed";
    assert!(changed(&one) != changed(&two), "{one} {two}");
    legacy.post(&initialize("2024-11-05", &json!({}))).await;
    assert_eq!(legacy.stream.next().await["error"]["code"], -32600);
}

#[tokio::test]
async fn what_comes_before_initialize_is_refused() {
    let site = site();
    let mut legacy = Legacy::opened(Client::of(site.router()).known_by(&site.alice)).await;
    legacy.post(&call(1, "greet", &json!({"name": "Ada"}))).await;
    assert_eq!(legacy.stream.next().await["error"]["code"], -32602);
    assert_eq!(site.events(), [""; 0]);
}

#[tokio::test]
async fn a_session_is_its_principals_alone() {
    let site = site();
    let nobody = Client::of(site.router());
    assert_eq!(nobody.request(Method::GET, "/sse", "").await.status, 401);
    let foreign = nobody.clone().known_by(&site.alice).with("origin", "https://evil.example.com");
    assert_eq!(foreign.request(Method::GET, "/sse", "").await.status, 403);
    let alice = nobody.clone().known_by(&site.alice);
    let mut legacy = Legacy::begun(alice.clone(), &json!({"elicitation": {}})).await;
    let message = call(1, "count", &json!({}));
    for (client, status) in [
        (nobody.clone(), 401),
        (nobody.clone().known_by(&site.bob), 404),
        (alice.clone().with("content-type", "text/plain"), 415),
        (alice.clone().with("host", "evil.example.com"), 403),
    ] {
        assert_eq!(legacy.status_for(&client, &message).await, status);
    }
    for path in ["/messages", "/messages?sessionId=", &format!("{}&sessionId=x", legacy.endpoint)] {
        assert_eq!(alice.request(Method::POST, path, message.to_string()).await.status, 404, "{path}");
    }
    assert_eq!(alice.request(Method::POST, &legacy.endpoint, "{").await.status, 400);
    assert_eq!(alice.request(Method::GET, &legacy.endpoint, "").await.status, 405);
    assert_eq!(alice.request(Method::POST, "/sse", "").await.status, 405);
    assert_eq!(site.events(), [""; 0]);
    // By another key of the same person.
    assert_eq!(legacy.status_for(&nobody.known_by(&site.alices_other), &message).await, 202);
    assert_eq!(legacy.stream.next().await["id"], 1);
}

#[tokio::test]
async fn a_person_is_asked_on_the_stream() {
    let site = site();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let mut legacy = Legacy::opened(alice).await;
    legacy.post(&initialize("2025-06-18", &json!({"elicitation": {}}))).await;
    legacy.stream.next().await;
    legacy.post(&call(1, "send", &json!({"to": "bob@example.com", "text": "Hello"}))).await;
    let question = legacy.stream.next().await;
    assert_eq!(question["method"], "elicitation/create");
    let yes =
        json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"confirm": true}}});
    let bob = Client::of(site.router()).known_by(&site.bob);
    assert_eq!(legacy.status_for(&bob, &yes).await, 404);
    assert_eq!(site.sent(), 0);
    legacy.post(&yes).await;
    assert_eq!(legacy.stream.next().await["id"], 1);
    assert_eq!(site.sent(), 1);
}

#[tokio::test]
async fn everything_ends_with_the_stream() {
    let site = site();
    let mut legacy = Legacy::begun(Client::of(site.router()).known_by(&site.alice), &json!({})).await;
    legacy.post(&call(1, "wait", &json!({}))).await;
    legacy.stream.next().await;
    let Legacy { client, stream, endpoint } = legacy;
    drop(stream);
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
    assert_eq!(client.request(Method::POST, &endpoint, call(2, "count", &json!({})).to_string()).await.status, 404);

    let mut revoked = Legacy::begun(client, &json!({})).await;
    site.keys.revoke(&site.alice.hash());
    assert_eq!(revoked.stream.receive().await, None);
}

/// A message whose body takes its time is one of whoever has the key when it is there, in a session that is open then.
#[tokio::test]
async fn a_slow_body_is_taken_for_what_counts_when_it_is_there() {
    let site = site();
    let alice = Client::of(site.router()).known_by(&site.alices_other);
    let mut legacy = Legacy::opened(alice).await;
    legacy.post(&initialize("2025-06-18", &json!({"elicitation": {}}))).await;
    legacy.stream.next().await;
    legacy.post(&call(1, "send", &json!({"to": "bob@example.com", "text": "Hello"}))).await;
    let question = legacy.stream.next().await;
    let yes =
        json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"confirm": true}}});
    let slow = Client::of(site.router()).known_by(&site.alice);
    for message in [yes, call(9, "greet", &json!({"name": "Mallory"}))] {
        let (keys, key) = (site.keys.clone(), site.alice.hash());
        let of = |id| Principal::new(id, ["reader", "editor"]).unwrap();
        keys.add(key, of("alice"), None);
        let given_away = move || keys.add(key, of("mallory"), None);
        assert_eq!(slow.post_slowly(&legacy.endpoint, &message, given_away).await.status, 404);
    }
    site.keys.add(site.alice.hash(), Principal::new("alice", ["reader", "editor"]).unwrap(), None);
    assert_eq!((site.sent(), site.events()), (0, vec!["confirmation.issued".to_owned()]));

    let Legacy { stream, endpoint, .. } = legacy;
    let answer = slow.post_slowly(&endpoint, &call(2, "count", &json!({})), move || drop(stream)).await;
    assert_eq!(answer.status, 404);
    until(|| site.events().len() == 2).await;
    assert_eq!(site.events()[1], "confirmation.withdrawn closed");
}

#[tokio::test]
async fn what_is_under_way_at_a_shutdown_is_answered_on_the_stream() {
    let site = Site::adjusted(|options| options.with_legacy_sse(true).with_drain(Duration::from_secs(20)));
    let mut legacy = Legacy::begun(Client::of(site.router()).known_by(&site.alice), &json!({})).await;
    legacy.post(&call(1, "linger", &json!({}))).await;
    assert_eq!(legacy.stream.next().await["params"]["progress"].as_f64(), Some(1.0));
    let server = site.server.clone();
    let stopping = tokio::spawn(async move { server.shut_down().await });
    yield_now().await;
    assert_eq!(legacy.status_for(&legacy.client, &call(2, "count", &json!({}))).await, 503);
    site.released.notify_one();
    assert_eq!(legacy.stream.next().await["params"]["progress"].as_f64(), Some(2.0));
    site.released.notify_one();
    assert_eq!(legacy.stream.next().await["result"]["content"][0]["text"], "done");
    assert_eq!(legacy.stream.receive().await, None);
    within(stopping).await.unwrap();
    assert_eq!(site.events(), ["call.started", "call.succeeded"]);
}
