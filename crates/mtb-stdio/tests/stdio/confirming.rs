use std::time::Duration;

use serde_json::json;

use crate::bridges::{Site, options};
use crate::client::{Client, until};

/// A held call whose question was asked.
async fn asked(site: &Site) -> (Client, serde_json::Value) {
    let timeout = Some(Duration::from_secs(30));
    let mut client = Client::with_options(site, options().with_elicitation_timeout(timeout));
    client.initialize("2025-06-18", json!({"elicitation": {}})).await;
    client.call(1, "send", json!({})).await;
    let question = client.next().await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    (client, question["id"].clone())
}

#[tokio::test]
async fn a_yes_runs_the_call() {
    let site = Site::new();
    let (mut client, id) = asked(&site).await;
    client.still_serves("a question").await;
    client
        .send(&json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept", "content": {"confirm": true}}}))
        .await;
    let answer = client.next().await;
    assert_eq!(answer["result"]["content"][0]["text"], "sent", "{answer}");
    assert_eq!(site.events(), ["confirmation.issued", "call.started", "call.succeeded"]);
}

#[tokio::test]
async fn a_question_nobody_answers_is_over_by_the_clock_of_the_bridge() {
    let site = Site::new();
    let (mut client, question) = asked(&site).await;
    site.clock.advance(29_999);
    client.still_serves("a while").await;
    site.clock.advance(1);
    // No message wakes the server: it looks at the clock by itself.
    let taken_back = client.next().await;
    assert_eq!(taken_back["method"], "notifications/cancelled", "{taken_back}");
    assert_eq!(taken_back["params"]["requestId"], question);
    let answer = client.next().await;
    assert_eq!(answer["id"], 1);
    assert_eq!(answer["result"]["structuredContent"]["status"], "confirmation_required", "{answer}");
    assert_eq!(site.events(), ["confirmation.issued", "confirmation.withdrawn", "confirmation.issued"]);
}

#[tokio::test]
async fn the_end_of_the_input_withdraws_the_question() {
    let site = Site::new();
    let (client, _) = asked(&site).await;
    client.end().await.1.unwrap();
    until(|| site.events() == ["confirmation.issued", "confirmation.withdrawn"]).await;
}
