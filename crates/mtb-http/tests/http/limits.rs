//! What one principal may cost.

use std::num::NonZeroU32;
use std::time::Duration;

use mtb_http::HttpLimits;
use serde_json::json;

use crate::client::Client;
use crate::site::{Site, limits};

#[tokio::test]
async fn requests_in_a_time_are_counted_for_each_principal() {
    let site = Site::with(HttpLimits { requests_per_minute: NonZeroU32::new(2).unwrap(), ..limits() });
    let status = async |key| {
        let answer = Client::of(site.router()).known_by(key).modern(1, "tools/list", &json!({})).await;
        let later = answer.response.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        (answer.status.as_u16(), later)
    };
    assert_eq!(status(&site.alice).await, (200, None));
    // By whichever key, and whatever is asked.
    assert_eq!(Client::of(site.router()).known_by(&site.alices_other).get().await.status, 400);
    let (code, later) = status(&site.alice).await;
    assert_eq!(code, 429);
    assert!((1..=30).contains(&later.unwrap().parse::<u32>().unwrap()));
    assert_eq!(status(&site.bob).await, (200, None));
    // Who is not known costs nobody anything.
    assert_eq!(Client::of(site.router()).get().await.status, 401);
}

#[tokio::test]
async fn requests_at_a_time_are_counted_until_they_have_ended() {
    let site = Site::with(HttpLimits { requests: 1, ..limits() });
    let alice = Client::of(site.router()).known_by(&site.alice);
    let begun = alice.begun("2025-11-25", &json!({})).await;
    let wait = json!({"name": "wait", "_meta": {"progressToken": 1}});
    let mut waiting = alice.modern(1, "tools/call", &wait).await;
    waiting.next().await;
    for answer in [alice.modern(2, "tools/list", &json!({})).await, begun.call(3, "count", &json!({})).await] {
        assert_eq!(answer.status, 429);
    }
    let bob = Client::of(site.router()).known_by(&site.bob);
    assert_eq!(bob.modern(1, "tools/list", &json!({})).await.status, 200);
    drop(waiting);
    crate::client::until(|| site.events().len() == 2).await;
    // The place is free a moment after the end is recorded.
    let mut status = 429;
    for _ in 0..1_000 {
        status = alice.modern(2, "tools/list", &json!({})).await.status.as_u16();
        if status == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(status, 200);
}

#[tokio::test]
async fn streams_and_sessions_are_counted() {
    let site = Site::with(HttpLimits { streams: 1, sessions_of_one: 1, sessions: 2, ..limits() });
    let alice = Client::of(site.router()).known_by(&site.alice);
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let mut stream = alice.modern(1, "subscriptions/listen", &filter.clone()).await;
    stream.next().await;
    assert_eq!(alice.modern(2, "subscriptions/listen", &filter).await.status, 429);
    let begun = alice.begun("2025-11-25", &json!({})).await;
    assert_eq!(begun.get().await.status, 429);
    drop(stream);

    // A session that is idle makes room for a newer one of the same principal; others keep theirs.
    let newer = alice.begun("2025-11-25", &json!({})).await;
    assert_eq!(begun.call(1, "count", &json!({})).await.status, 404);
    assert_eq!(newer.call(1, "count", &json!({})).await.status, 200);
    let carol = mtb_http::ApiKey::generate().unwrap();
    site.keys.add(carol.hash(), mtb_core::Principal::new("carol", ["reader"]).unwrap(), None);
    Client::of(site.router()).known_by(&carol).begun("2025-11-25", &json!({})).await;
    let bob = Client::of(site.router()).known_by(&site.bob);
    let full = bob.post(crate::client::initialize("2025-11-25", &json!({})).to_string()).await;
    assert_eq!(full.status, 503);
}
