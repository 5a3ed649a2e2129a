use serde_json::{Value, json};

use crate::bridges::Site;
use crate::client::Client;

/// Counts to a number and gives how far each report was, up to the answer.
async fn reports(client: &mut Client, number: u32) -> Vec<f64> {
    let meta = json!({"progressToken": "token"});
    let params = json!({"name": "count", "arguments": {"number": number}, "_meta": meta});
    client.request(&json!(1), "tools/call", params).await;
    let mut reports = Vec::new();
    loop {
        let message = client.next().await;
        if message["id"] == 1 {
            assert_eq!(message["result"]["content"][0]["text"], "counted", "{message}");
            return reports;
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        assert_eq!(message["params"]["progressToken"], "token");
        reports.push(message["params"]["progress"].as_f64().unwrap());
    }
}

#[tokio::test]
async fn reports_come_in_order_and_before_the_answer() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    let expect: Vec<_> = (1..=100).map(f64::from).collect();
    assert_eq!(reports(&mut client, 100).await, expect);
    client.still_serves("progress").await;
}

#[tokio::test]
async fn a_flood_of_reports_is_thinned_out() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    let reports = reports(&mut client, 1_000_000).await;
    assert!(!reports.is_empty() && reports.len() <= 2_048, "{} reports", reports.len());
    assert!(reports.is_sorted_by(|one, next| one < next));
    client.still_serves("a flood").await;
}

#[tokio::test]
async fn nobody_asked_and_nobody_is_told() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    client.call(1, "count", json!({"number": 100})).await;
    assert_eq!(client.next().await["id"], 1);
    client.still_serves("silence").await;
    assert_eq!(client.end().await.0, Vec::<Value>::new());
}
