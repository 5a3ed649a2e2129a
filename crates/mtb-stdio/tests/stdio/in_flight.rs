use std::collections::BTreeMap;

use mtb_stdio::ProtocolLimits;
use serde_json::{Value, json};

use crate::bridges::{Site, options};
use crate::client::{Client, until};

#[tokio::test]
async fn a_panicking_tool_is_answered() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    client.call(11, "broken", json!({})).await;
    let answer = client.next().await;
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(11), &json!(true)), "{answer}");
    assert!(!answer.to_string().contains("a handler that panics"));
    client.still_serves("a panic").await;
    assert_eq!(site.events(), ["call.started", "call.failed exception"]);
}

#[tokio::test]
async fn a_second_request_of_an_id_in_flight_is_refused_and_the_first_goes_on() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    client.call(7, "gate", json!({})).await;
    for id in ["7", "7.0", "70e-1"] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"done"}}}}"#);
        client.send_bytes(format!("{line}\n").as_bytes()).await;
        assert_eq!(client.next().await["error"]["code"], -32600, "{id}");
        client.still_serves(id).await;
    }
    // The same digits as a string are another id.
    client.request(&json!("7"), "tools/call", json!({"name": "done"})).await;
    assert_eq!(client.next().await["id"], "7");

    site.gate.add_permits(1);
    let answer = client.next().await;
    assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(7), &json!("through")));
    // Once it is answered the id is free.
    client.call(7, "done", json!({})).await;
    assert_eq!(client.next().await["id"], 7);
    assert_eq!(site.events().iter().filter(|event| *event == "call.started").count(), 3);
}

async fn many_calls() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    let request = |id| {
        let params = json!({"name": "repeat", "arguments": {"number": id}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    client.send_all((0..64).map(request)).await;
    let mut answers = BTreeMap::new();
    for _ in 0..64 {
        let answer = client.next().await;
        let text = answer["result"]["content"][0]["text"].as_str().unwrap().to_owned();
        assert!(answers.insert(answer["id"].as_i64().unwrap(), text).is_none());
    }
    assert!(answers.iter().all(|(id, text)| id.to_string() == *text));
    client.still_serves("64 calls").await;
}

#[tokio::test]
async fn many_calls_at_once_are_each_answered_once() {
    many_calls().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_calls_at_once_are_each_answered_once_on_several_threads() {
    many_calls().await;
}

#[tokio::test]
async fn past_the_limit_calls_are_answered_busy_and_recorded() {
    let site = Site::new();
    let limits = ProtocolLimits { in_flight: 2, ..ProtocolLimits::default() };
    let mut client = Client::with_options(&site, options().with_limits(limits));
    client.initialize("2025-06-18", json!({})).await;
    for id in 1..=3 {
        client.call(id, "gate", json!({})).await;
    }
    let answer = client.next().await;
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(3), &json!(true)), "{answer}");
    client.still_serves("a refusal").await;
    site.gate.add_permits(2);
    let mut ids = [client.next().await["id"].as_i64(), client.next().await["id"].as_i64()];
    ids.sort_unstable();
    assert_eq!(ids, [Some(1), Some(2)]);
    assert!(site.events().contains(&"call.failed overloaded".to_owned()), "{:?}", site.events());
    // There is room again as soon as an answer is there.
    client.call(4, "done", json!({})).await;
    assert_eq!(client.next().await["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn a_cancelled_call_ends_and_is_not_answered() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    client.call(1, "stubborn", json!({})).await;
    until(|| site.events() == ["call.started"]).await;
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})).await;
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
    client.still_serves("a cancellation").await;
    assert_eq!(client.end().await.0, Vec::<Value>::new());
}
