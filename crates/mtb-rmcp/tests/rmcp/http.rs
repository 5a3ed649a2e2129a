//! Sessions of the SDK's HTTP transport belong to nobody.

use std::sync::Arc;

use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use mtb_core::Principal;
use mtb_rmcp::{BridgeHandler, SessionQuestions};
use rmcp::model::Extensions;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};

use crate::peer::{until, within};
use crate::site::{Site, options};

type Service = StreamableHttpService<BridgeHandler<()>, LocalSessionManager>;
type Answer = Response<http_body_util::combinators::BoxBody<bytes::Bytes, std::convert::Infallible>>;

/// Whoever a layer in front has authenticated; here by a header of the test's own.
fn identify(extensions: &Extensions) -> Option<Principal> {
    let parts = extensions.get::<http::request::Parts>()?;
    let name = parts.headers.get("x-principal")?.to_str().ok()?;
    Principal::new(name, ["staff"]).ok()
}

fn service(site: &Site, questions: SessionQuestions) -> Service {
    let handler = BridgeHandler::new(site.bridge.clone(), options(), identify).with_session_questions(questions);
    StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::<LocalSessionManager>::default(),
        StreamableHttpServerConfig::default(),
    )
}

async fn post(service: &Service, who: &str, session: Option<&str>, message: &Value) -> Answer {
    let mut request = Request::post("http://localhost/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("x-principal", who);
    if let Some(session) = session {
        request = request.header("mcp-session-id", session).header("mcp-protocol-version", "2025-11-25");
    }
    within(service.handle(request.body(Full::new(bytes::Bytes::from(message.to_string()))).unwrap())).await
}

/// The next message of an event stream.
async fn event(answer: &mut Answer) -> Value {
    let mut text = String::new();
    loop {
        let frame = within(answer.body_mut().frame()).await.expect("an event").unwrap();
        text.push_str(str::from_utf8(&frame.into_data().unwrap()).unwrap());
        while let Some((line, rest)) = text.clone().split_once('\n') {
            rest.clone_into(&mut text);
            if let Some(message) = line.strip_prefix("data:").and_then(|data| serde_json::from_str(data).ok()) {
                return message;
            }
        }
    }
}

async fn session(service: &Service, who: &str) -> String {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "client", "version": "1"},
    });
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let mut answer = post(service, who, None, &initialize).await;
    let session = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    assert_eq!(event(&mut answer).await["result"]["protocolVersion"], "2025-11-25");
    post(service, who, Some(&session), &json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    session
}

fn call(tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool}})
}

#[tokio::test]
async fn each_request_is_served_in_its_own_name() {
    let site = Site::new();
    let service = service(&site, SessionQuestions::Untrusted);
    let session = session(&service, "alice").await;
    let mut answer = post(&service, "bob", Some(&session), &call("send")).await;
    let held = event(&mut answer).await;
    assert_eq!(held["result"]["structuredContent"]["status"], "confirmation_required", "{held}");
    let event = serde_json::to_value(&site.audit.events()[0]).unwrap();
    assert_eq!(event["principal"]["id"], "bob", "{event}");
    let token = &held["result"]["_meta"]["mcp-tool-bridge/confirmation"]["token"];
    let mut stolen = call("send");
    stolen["params"]["_meta"] = json!({"mcp-tool-bridge/confirmation": {"token": token}});
    let mut answer = post(&service, "alice", Some(&session), &stolen).await;
    let refused = self::event(&mut answer).await;
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    assert_eq!(site.runs(), 0);
}

/// The reason why sessions ask nothing unless the host says that it guards them.
#[tokio::test]
async fn another_person_may_answer_a_question_of_a_session() {
    let site = Site::new();
    let service = service(&site, SessionQuestions::Trusted);
    let session = session(&service, "alice").await;
    let mut answer = post(&service, "alice", Some(&session), &call("send")).await;
    let question = event(&mut answer).await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    post(&service, "bob", Some(&session), &json!({"jsonrpc": "2.0", "id": question["id"], "result": yes})).await;
    assert_eq!(event(&mut answer).await["result"]["content"][0]["text"], "sent");
    assert_eq!(site.runs(), 1, "bob's yes was taken for alice's");
}

#[tokio::test]
async fn another_person_may_cancel_a_call_of_a_session() {
    let site = Site::new();
    let service = service(&site, SessionQuestions::Untrusted);
    let session = session(&service, "alice").await;
    let _answer = post(&service, "alice", Some(&session), &call("patient")).await;
    until(|| site.events() == ["call.started"]).await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    post(&service, "bob", Some(&session), &cancel).await;
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
}

#[tokio::test]
async fn another_person_may_read_and_end_a_session() {
    let site = Site::new();
    let service = service(&site, SessionQuestions::Untrusted);
    let session = session(&service, "alice").await;
    let _answer = post(&service, "alice", Some(&session), &call("gate")).await;
    until(|| site.events() == ["call.started"]).await;
    let get = Request::get("http://localhost/mcp")
        .header("host", "localhost")
        .header("accept", "text/event-stream")
        .header("x-principal", "bob")
        .header("mcp-session-id", &session)
        .header("mcp-protocol-version", "2025-11-25")
        .header("last-event-id", "0/0");
    let mut stolen = within(service.handle(get.body(Full::new(bytes::Bytes::new())).unwrap())).await;
    site.gate.add_permits(1);
    let taken = event(&mut stolen).await;
    assert_eq!(taken["result"]["content"][0]["text"], "through", "{taken}");
    let delete = Request::delete("http://localhost/mcp")
        .header("host", "localhost")
        .header("x-principal", "bob")
        .header("mcp-session-id", &session);
    let deleted = within(service.handle(delete.body(Full::new(bytes::Bytes::new())).unwrap())).await;
    assert!(deleted.status().is_success(), "{}", deleted.status());
}

/// What `initialize` settles counts for the whole session.
#[tokio::test]
async fn nobody_else_begins_a_session_again() {
    let site = Site::new();
    let service = service(&site, SessionQuestions::Trusted);
    let session = session(&service, "alice").await;
    let params =
        json!({"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    let again = json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params});
    // Another person, and somebody who cannot be told.
    for who in ["bob", ""] {
        let request = Request::post("http://localhost/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("x-principal", who)
            .header("mcp-session-id", &session);
        let mut answer =
            within(service.handle(request.body(Full::new(bytes::Bytes::from(again.to_string()))).unwrap())).await;
        let refused = event(&mut answer).await;
        assert!(refused["error"].is_object(), "{who}: {refused}");
    }
    let mut answer = post(&service, "alice", Some(&session), &call("send")).await;
    assert_eq!(event(&mut answer).await["method"], "elicitation/create");
}
