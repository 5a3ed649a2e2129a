use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use mtb_http::ApiKey;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use tower_service::Service as _;

/// Long enough for any machine: no test that passes waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Somebody who sends requests to a router.
#[derive(Clone)]
pub(crate) struct Client {
    router: Router,
    headers: Vec<(String, String)>,
}

/// What comes back: its head, then messages.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) response: Response,
    /// What has arrived of events and was not read.
    text: String,
}

impl Client {
    /// With no headers but those that everybody needs.
    pub(crate) fn of(router: Router) -> Self {
        let headers = [
            ("host", "localhost"),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self { router, headers: headers.to_vec() }
    }

    pub(crate) fn known_by(self, key: &ApiKey) -> Self {
        self.with("authorization", &format!("Bearer {}", key.expose()))
    }

    /// With this instead of what it said before.
    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        self.without(name).and(name, value)
    }

    /// With this, too.
    pub(crate) fn and(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(found, _)| found != name);
        self
    }

    pub(crate) async fn request(&self, method: Method, path: &str, body: impl Into<Body>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.body(body.into()).unwrap();
        let response = within(self.router.clone().call(request)).await.unwrap();
        Answer { status: response.status(), response, text: String::new() }
    }

    pub(crate) async fn post(&self, body: impl Into<Body>) -> Answer {
        self.request(Method::POST, "/mcp", body).await
    }

    /// Posts a message whose last byte comes after this has happened.
    pub(crate) async fn post_slowly(
        &self,
        path: &str,
        message: &Value,
        meanwhile: impl FnOnce() + Send + 'static,
    ) -> Answer {
        let mut first = message.to_string();
        let last = first.pop().unwrap().to_string();
        let rest = async {
            meanwhile();
            Ok::<_, Infallible>(last)
        };
        let pieces = stream::iter([Ok(first)]).chain(stream::once(rest));
        self.request(Method::POST, path, Body::from_stream(pieces)).await
    }

    pub(crate) async fn get(&self) -> Answer {
        self.request(Method::GET, "/mcp", Body::empty()).await
    }

    pub(crate) async fn delete(&self) -> Answer {
        self.request(Method::DELETE, "/mcp", Body::empty()).await
    }

    /// A request of 2026-07-28, with the headers that repeat it.
    pub(crate) async fn modern(&self, id: i64, method: &str, params: &Value) -> Answer {
        let mut client = self.clone().with("mcp-protocol-version", "2026-07-28").with("mcp-method", method);
        if let Some(name) = params["name"].as_str() {
            client = client.with("mcp-name", name);
        }
        client.post(modern(id, method, params).to_string()).await
    }

    /// A client that has initialized with this version.
    pub(crate) async fn begun(&self, version: &str, capabilities: &Value) -> Self {
        let mut answer = self.post(initialize(version, capabilities).to_string()).await;
        assert_eq!(answer.next().await["result"]["protocolVersion"], version);
        let session = answer.response.headers()["mcp-session-id"].to_str().unwrap();
        let client = self.clone().with("mcp-session-id", session).with("mcp-protocol-version", version);
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(client.post(ready.to_string()).await.status, 202);
        client
    }

    pub(crate) async fn call(&self, id: i64, tool: &str, arguments: &Value) -> Answer {
        self.post(request(id, "tools/call", &json!({"name": tool, "arguments": arguments})).to_string()).await
    }
}

impl Answer {
    /// The next message, of a body that is one or of a stream of them.
    pub(crate) async fn next(&mut self) -> Value {
        self.receive().await.expect("a message")
    }

    /// The same, or none after the last.
    pub(crate) async fn receive(&mut self) -> Option<Value> {
        // A stream that lives and says nothing is not waited for.
        within(self.message()).await
    }

    async fn message(&mut self) -> Option<Value> {
        let is_stream = self.response.headers()["content-type"].to_str().unwrap().starts_with("text/event-stream");
        loop {
            if is_stream {
                while let Some(end) = self.text.find('\n') {
                    let line: String = self.text.drain(..=end).collect();
                    let message = line.strip_prefix("data: ").map(|data| serde_json::from_str(data).unwrap());
                    if message.is_some() {
                        return message;
                    }
                }
            }
            let Some(frame) = self.response.body_mut().frame().await else {
                let whole = std::mem::take(&mut self.text);
                return (!whole.is_empty()).then(|| serde_json::from_str(&whole).expect("JSON"));
            };
            self.text.push_str(str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap());
        }
    }

    /// Whether nothing has come, once everything that could has had its turn.
    pub(crate) async fn is_silent(&mut self) -> bool {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        self.text.trim().is_empty() && self.response.body_mut().frame().now_or_never().is_none()
    }

    /// What an event of this kind says, which has to be the next.
    pub(crate) async fn event(&mut self, kind: &str) -> String {
        let head = format!("event: {kind}\n");
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let event: String = self.text.drain(..end + 2).collect();
                assert!(event.contains(&head), "{event}");
                return event.lines().find_map(|line| line.strip_prefix("data: ")).unwrap().to_owned();
            }
            let frame = within(self.response.body_mut().frame()).await.expect("an event").unwrap();
            self.text.push_str(str::from_utf8(&frame.into_data().unwrap()).unwrap());
        }
    }

    /// Everything that comes, as it comes.
    pub(crate) async fn text(self) -> String {
        let bytes = within(self.response.into_body().collect()).await.unwrap().to_bytes();
        String::from_utf8(bytes.to_vec()).unwrap()
    }
}

pub(crate) fn request(id: i64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(crate) fn initialize(version: &str, capabilities: &Value) -> Value {
    let info = json!({"name": "client", "version": "1"});
    request(0, "initialize", &json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": info}))
}

/// A request of 2026-07-28; what its `_meta` says goes before.
pub(crate) fn modern(id: i64, method: &str, params: &Value) -> Value {
    let mut params = params.clone();
    let own = params["_meta"].take();
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    for (name, value) in own.as_object().into_iter().flatten() {
        meta[name] = value.clone();
    }
    params["_meta"] = meta;
    request(id, method, &params)
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
