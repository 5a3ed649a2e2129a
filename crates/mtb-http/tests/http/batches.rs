//! Batches of 2025-03-26: as many requests as they hold.

use http::StatusCode;
use mtb_http::HttpLimits;
use serde_json::json;

use crate::client::{Client, initialize, request, until};
use crate::site::{Site, limits};

/// What spoils one message of a batch and no other.
const SPOILT: [&str; 5] = [
    "",
    ",1e400",
    ",[18446744073709551616]",
    r#",{"a":1,"a":2}"#,
    r#",{"jsonrpc":"2.0","method":"x","params":[1e400]}"#,
];

fn cancel(id: i64) -> serde_json::Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
}

#[tokio::test]
async fn a_batch_counts_as_many_requests_as_it_has_whatever_else_is_in_it() {
    for more in SPOILT {
        let site = Site::with(HttpLimits { requests: 4, ..limits() });
        let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-03-26", &json!({})).await;
        let batch = |count: i64| {
            let calls = (0..count).map(|id| request(id, "tools/call", &json!({"name": "count"})).to_string());
            format!("[{}{more}]", calls.collect::<Vec<_>>().join(","))
        };
        assert_eq!(alice.post(batch(5)).await.status, 429, "{more}");
        assert_eq!(site.events(), [""; 0]);
        assert_eq!(alice.post(batch(4)).await.status, 200, "{more}");
        assert_eq!(site.events().len(), 8);
    }
}

#[tokio::test]
async fn a_batch_is_under_way_in_its_session_whatever_else_is_in_it() {
    for more in SPOILT {
        let site = Site::with(HttpLimits { sessions_of_one: 1, ..limits() });
        let alice = Client::of(site.router()).known_by(&site.alice);
        let begun = alice.begun("2025-03-26", &json!({})).await;
        let batch = format!("[{}{more}]", request(7, "tools/call", &json!({"name": "wait"})));
        let one = begun.clone();
        let posted = tokio::spawn(async move { one.post(batch).await.status });
        until(|| site.events().len() == 1).await;
        // It keeps its session, and can be cancelled.
        assert_eq!(alice.post(initialize("2025-11-25", &json!({})).to_string()).await.status, 503, "{more}");
        assert_eq!(begun.post(cancel(7).to_string()).await.status, 202);
        until(|| site.events() == ["call.started", "call.failed aborted"]).await;
        posted.abort();
    }
}

/// Who has as much under way as may be can take it back.
#[tokio::test]
async fn a_batch_of_cancellations_needs_no_place() {
    let site = Site::with(HttpLimits { requests: 1, ..limits() });
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-03-26", &json!({})).await;
    let one = alice.clone();
    let posted = tokio::spawn(async move { one.call(7, "wait", &json!({})).await.status });
    until(|| site.events().len() == 1).await;
    let both = json!([cancel(7), request(8, "tools/call", &json!({"name": "count"}))]);
    assert_eq!(alice.post(both.to_string()).await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(alice.post(json!([cancel(7)]).to_string()).await.status, 202);
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
    posted.abort();
}

/// An answer to what is no message is longer than it.
#[tokio::test]
async fn a_batch_of_nothing_is_answered_in_few_words() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-03-26", &json!({})).await;
    for nothing in ["1", r#"{"id":"aaaaaaaaaa"}"#] {
        let batch = format!("[{}]", vec![nothing; 50_000].join(","));
        let answer = alice.post(batch).await;
        assert_eq!(answer.status, 400);
        assert!(answer.text().await.len() < 200, "{nothing}");
    }
}
