//! One request on a connection of its own, driven on tokio.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use mtb_audit::{MemorySink, Trail};
use mtb_bridge::{Bridge, Clock, JsonSchema, Tool, ToolRegistry};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, Timestamp, Transport, any_of};
use mtb_mcp::drive::{Caller, Exchange, Handshake};
use mtb_mcp::{ServerInfo, ServerOptions};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

/// Long enough for any machine: no test that passes waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

struct Site {
    bridge: Bridge,
    audit: MemorySink,
    clock: Arc<AtomicI64>,
}

struct Hand(Arc<AtomicI64>);

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

impl Site {
    fn new() -> Self {
        let harmless = || Governance {
            sensitivity: Sensitivity::None,
            reversibility: Reversibility::Reversible,
            roles: any_of(["staff"]),
        };
        let high = Governance { sensitivity: Sensitivity::High, ..harmless() };
        let none = JsonSchema::no_arguments;
        let registry = ToolRegistry::new();
        let tools = [
            Tool::declare("patient", "Ends when it is cancelled.", none(), harmless()).handler(
                |_args, call| async move {
                    call.cancellation().cancelled().await;
                    Ok("cancelled")
                },
            ),
            Tool::declare("count", "Counts.", none(), harmless()).handler(|_args, call| async move {
                for done in [1.0, 2.0, 3.0] {
                    call.progress(done, None, None);
                }
                Ok("counted")
            }),
            Tool::declare("flood", "Says how far it is without an end.", none(), harmless())
                .timeout(Duration::from_secs(60))
                .handler(|_args, call| async move {
                    for done in 1..u32::MAX {
                        call.progress(f64::from(done), None, None);
                        sleep(Duration::from_millis(1)).await;
                    }
                    Ok("unreachable")
                }),
            Tool::declare("send", "Sends.", none(), high).handler(|_args, _call| async { Ok("sent") }),
        ];
        registry.register_all(tools).unwrap();
        let (audit, clock) = (MemorySink::default(), Arc::new(AtomicI64::new(1_790_942_400_000)));
        let builder = Bridge::builder(registry).audit(Trail::to(audit.clone()));
        Self { bridge: builder.clock(Hand(Arc::clone(&clock))).build(), audit, clock }
    }

    fn start(&self, handshake: Option<(&str, Value)>, params: &Value) -> Exchange {
        let info = ServerInfo { name: "test".into(), version: "1.0.0".into(), title: None, instructions: None };
        let caller = Caller {
            bridge: self.bridge.clone(),
            principal: Principal::new("alice", ["staff"]).unwrap(),
            transport: Transport::named("test"),
            options: Arc::new(ServerOptions::new(info)),
            handshake: handshake.map(|(version, capabilities)| Handshake::settled(version, &capabilities.to_string())),
        };
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        Exchange::start(caller, call.to_string().as_bytes())
    }

    fn events(&self) -> Vec<String> {
        let values = self.audit.events().into_iter().map(|event| serde_json::to_value(event).unwrap());
        values.map(|event| event.get("type").unwrap().as_str().unwrap().to_owned()).collect()
    }
}

/// The next message, or none after the last.
async fn next(exchange: &mut Exchange) -> Option<Value> {
    let message = timeout(PATIENCE, exchange.next()).await.unwrap();
    message.map(|message| serde_json::from_slice(message.as_bytes()).unwrap())
}

async fn until(condition: impl Fn() -> bool) {
    timeout(PATIENCE, async {
        while !condition() {
            sleep(Duration::from_millis(1)).await;
        }
    })
    .await
    .unwrap();
}

fn can_ask() -> (&'static str, Value) {
    ("2025-11-25", json!({"elicitation": {}}))
}

#[tokio::test]
async fn what_was_reported_comes_before_the_answer_and_nothing_after() {
    let site = Site::new();
    let params = json!({"name": "count", "_meta": {"progressToken": 7}});
    let mut exchange = site.start(Some(("2025-11-25", json!({}))), &params);
    for done in 1..=3 {
        let message = next(&mut exchange).await.unwrap();
        assert_eq!(message.pointer("/params/progress"), Some(&json!(done)), "{message}");
    }
    let answer = next(&mut exchange).await.unwrap();
    assert_eq!(answer.pointer("/result/content/0/text"), Some(&json!("counted")), "{answer}");
    assert_eq!(next(&mut exchange).await, None);
}

#[tokio::test]
async fn a_question_is_answered_on_the_same_exchange() {
    let site = Site::new();
    for (result, said) in [
        (json!({"action": "accept", "content": {"confirm": true}}), "sent"),
        (json!({"action": "decline"}), "The user declined this call. Nothing was done."),
    ] {
        let mut exchange = site.start(Some(can_ask()), &json!({"name": "send"}));
        let question = next(&mut exchange).await.unwrap();
        let id = question.get("id").unwrap();
        exchange.receive(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string().into_bytes());
        let answer = next(&mut exchange).await.unwrap();
        assert_eq!(answer.pointer("/result/content/0/text"), Some(&json!(said)), "{answer}");
        assert_eq!(next(&mut exchange).await, None);
    }
}

#[tokio::test]
async fn a_question_nobody_answers_is_over_by_the_clock_of_the_bridge() {
    let site = Site::new();
    let mut exchange = site.start(Some(can_ask()), &json!({"name": "send"}));
    next(&mut exchange).await.unwrap();
    site.clock.fetch_add(600_000, Ordering::SeqCst);
    let withdrawn = next(&mut exchange).await.unwrap();
    assert_eq!(withdrawn.get("method"), Some(&json!("notifications/cancelled")), "{withdrawn}");
    let held = next(&mut exchange).await.unwrap();
    let status = held.pointer("/result/structuredContent/status");
    assert_eq!(status, Some(&json!("confirmation_required")), "{held}");
}

#[tokio::test]
async fn hanging_up_cancels_the_call_and_withdraws_the_question() {
    let site = Site::new();
    let exchange = site.start(
        None,
        &json!({"name": "patient", "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }}),
    );
    until(|| site.events() == ["call.started"]).await;
    drop(exchange);
    until(|| site.events() == ["call.started", "call.failed"]).await;

    let site = Site::new();
    let mut exchange = site.start(Some(can_ask()), &json!({"name": "send"}));
    next(&mut exchange).await.unwrap();
    drop(exchange);
    until(|| site.events() == ["confirmation.issued", "confirmation.withdrawn"]).await;
}

/// A session that began elsewhere counts as one that began here.
#[tokio::test]
async fn what_a_handshake_settled_elsewhere_decides_who_is_asked() {
    for (version, capabilities, is_asked) in [
        ("2025-11-25", json!({"elicitation": {}}), true),
        ("2025-06-18", json!({"elicitation": {}}), true),
        ("2099-01-01", json!({"elicitation": {}}), true),
        ("2025-03-26", json!({"elicitation": {}}), false),
        ("2025-11-25", json!({}), false),
        ("2025-11-25", json!([]), false),
        ("2025-11-25", json!("elicitation"), false),
    ] {
        let mut exchange = Site::new().start(Some((version, capabilities.clone())), &json!({"name": "send"}));
        let message = next(&mut exchange).await.unwrap();
        assert_eq!(message.get("method").is_some(), is_asked, "{version}, {capabilities}: {message}");
    }
    let mut exchange = Site::new().start(None, &json!({"name": "send"}));
    let refused = next(&mut exchange).await.unwrap();
    assert_eq!(refused.pointer("/error/code"), Some(&json!(-32602)), "{refused}");
}

/// What nobody reads neither piles up nor holds up the end.
#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_holds_up_nothing() {
    let site = Site::new();
    let params = json!({"name": "flood", "_meta": {"progressToken": 7}});
    let mut exchange = site.start(Some(("2025-11-25", json!({}))), &params);
    sleep(Duration::from_secs(61)).await;
    assert_eq!(site.events(), ["call.started", "call.failed"]);
    let mut messages = 0;
    while next(&mut exchange).await.is_some() {
        messages += 1;
    }
    assert!(messages <= 17, "{messages}");
}

/// Whoever finds the inbox of somebody else's request is nobody there.
#[tokio::test]
async fn an_exchange_takes_nothing_of_others() {
    let site = Site::new();
    let mut exchange = site.start(Some(can_ask()), &json!({"name": "send"}));
    let question = next(&mut exchange).await.unwrap();
    let said =
        |id: &Value| json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept", "content": {"confirm": true}}});
    let yes: Arc<[u8]> = said(question.get("id").unwrap()).to_string().into_bytes().into();
    let inbox = exchange.inbox().unwrap();
    let [mallory, alice] = ["mallory", "alice"].map(|id| Principal::new(id, ["staff"]).unwrap());
    inbox.receive(&mallory, &yes);
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    inbox.receive(&mallory, &cancel.to_string().into_bytes().into());
    // In order: what was sent before would have been taken by now.
    inbox.receive(&alice, &yes);
    drop(inbox);
    let answer = next(&mut exchange).await.unwrap();
    assert_eq!(answer.pointer("/result/content/0/text"), Some(&json!("sent")), "{answer}");
    assert_eq!(site.events(), ["confirmation.issued", "call.started", "call.succeeded"]);
}

/// What came too late is not kept for whoever still holds the inbox.
#[tokio::test]
async fn what_comes_too_late_is_dropped() {
    let site = Site::new();
    let mut exchange = site.start(Some(can_ask()), &json!({"name": "count"}));
    let inbox = exchange.inbox().unwrap();
    assert!(next(&mut exchange).await.is_some());
    assert_eq!(next(&mut exchange).await, None);
    let late: Arc<[u8]> = b"{}".to_vec().into();
    inbox.receive(&Principal::new("alice", ["staff"]).unwrap(), &late);
    assert_eq!(Arc::strong_count(&late), 1);
}

/// What is to be refused is refused, whatever it is.
#[tokio::test]
async fn what_is_refused_is_not_served() {
    use mtb_mcp::ProtocolLimits;
    use mtb_mcp::drive::{Envelope, Refusal};
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count"}}"#;
    for message in [call.to_owned(), format!("[{call}]")] {
        let site = Site::new();
        let info = ServerInfo { name: "test".into(), version: "1.0.0".into(), title: None, instructions: None };
        let caller = Caller {
            bridge: site.bridge.clone(),
            principal: Principal::new("alice", ["staff"]).unwrap(),
            transport: Transport::named("test"),
            options: Arc::new(ServerOptions::new(info)),
            handshake: Some(Handshake::settled("2025-03-26", "{}")),
        };
        let envelope = Envelope::read(message.as_bytes(), &ProtocolLimits::default()).refused(Refusal::NoVersionInMeta);
        let (mut exchange, serving) = Exchange::new(caller, envelope, mtb_bridge::CancellationToken::new());
        tokio::spawn(serving);
        while exchange.next().await.is_some() {}
        assert_eq!(site.events(), [""; 0], "{message}");
    }
}
