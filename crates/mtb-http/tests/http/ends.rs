//! How requests end that others end: with their credential, with their session, with the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use http::request::Parts;
use mtb_core::Principal;
use mtb_http::{Authenticate, Denied, HttpOptions, HttpServer, Identity};
use serde_json::json;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::client::{Client, modern, until, within};
use crate::site::{Site, limits, server_options};

/// Who asks for one message has its credential looked at for as long as who asks for a stream.
#[tokio::test]
async fn a_key_that_is_revoked_ends_its_call_however_it_is_answered() {
    for accept in ["application/json", "application/json, text/event-stream"] {
        for lapses in [true, false] {
            let site = Site::new();
            let alice = Client::of(site.router()).known_by(&site.alice).with("accept", accept);
            let waiting = tokio::spawn(async move {
                let mut answer = alice.modern(1, "tools/call", &json!({"name": "linger"})).await;
                answer.next().await["result"]["content"][0]["text"].clone()
            });
            until(|| site.events().len() == 1).await;
            if lapses {
                site.keys.revoke(&site.alice.hash());
            } else {
                until(|| {
                    site.released.notify_one();
                    site.events().len() == 2
                })
                .await;
            }
            let (end, text) =
                if lapses { ("call.failed aborted", "The call was cancelled.") } else { ("call.succeeded", "done") };
            assert_eq!(within(waiting).await.unwrap(), text, "{accept}");
            assert_eq!(site.events(), ["call.started", end]);
        }
    }
}

/// In a session the call goes on. Nobody is told how it went, nor to send it again, as 401 would.
#[tokio::test]
async fn a_key_that_is_revoked_is_told_nothing_of_its_session() {
    for (accept, status) in [("application/json", 403), ("application/json, text/event-stream", 200)] {
        let site = Site::new();
        let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
        let one = alice.with("accept", accept);
        let waiting = tokio::spawn(async move {
            let answer = one.call(1, "linger", &json!({})).await;
            (answer.status.as_u16(), answer.text().await)
        });
        until(|| site.events().len() == 1).await;
        site.keys.revoke(&site.alice.hash());
        let (found, text) = within(waiting).await.unwrap();
        assert_eq!((found, text.contains("\"id\"")), (status, false), "{text}");
        assert_eq!(site.events(), ["call.started"]);
    }
}

/// It is cancelled, and says so, however its messages and its end follow one another.
#[tokio::test]
async fn a_call_whose_session_ends_is_answered() {
    for round in 0..20 {
        let site = Site::adjusted(|options| options.with_drain(Duration::from_millis(5)));
        let begun = Client::of(site.router()).known_by(&site.alice).begun("2025-11-25", &json!({})).await;
        let one = begun.clone();
        let waiting = tokio::spawn(async move { one.call(1, "wait", &json!({})).await.next().await });
        until(|| site.events().len() == 1).await;
        if round % 2 == 0 {
            assert_eq!(begun.delete().await.status, 200);
        } else {
            within(site.server.shut_down()).await;
        }
        assert_eq!(within(waiting).await.unwrap()["id"], 1);
        assert_eq!(site.events(), ["call.started", "call.failed aborted"]);
    }
}

/// Known at once, and from then on when somebody says so.
struct Slow {
    asked: Arc<AtomicUsize>,
    go: Arc<Notify>,
    first: CancellationToken,
}

#[async_trait]
impl Authenticate for Slow {
    async fn authenticate(&self, _head: &Parts) -> Result<Identity, Denied> {
        let alice = Identity::of(Principal::new("alice", ["reader"]).unwrap());
        if self.asked.fetch_add(1, Ordering::SeqCst) == 0 {
            return Ok(alice.unless_revoked(self.first.clone()));
        }
        self.go.notified().await;
        Ok(alice)
    }
}

/// Whether it takes long to find out who calls, or who still calls once the body is there.
#[tokio::test]
async fn nothing_begins_after_a_shutdown_however_long_it_takes_to_know_who_calls() {
    for known in [0, 1] {
        let site = Site::new();
        let (asked, go, first) =
            (Arc::new(AtomicUsize::new(known)), Arc::<Notify>::default(), CancellationToken::new());
        let slow = Slow { asked: Arc::clone(&asked), go: Arc::clone(&go), first: first.clone() };
        let options = HttpOptions::new(server_options(), slow).with_limits(limits());
        let server = HttpServer::new(site.bridge.clone(), options);
        let client = Client::of(server.router())
            .with("mcp-protocol-version", "2026-07-28")
            .with("mcp-method", "tools/call")
            .with("mcp-name", "count");
        let posted = tokio::spawn(async move {
            let message = modern(1, "tools/call", &json!({"name": "count"}));
            client.post_slowly("/mcp", &message, move || first.cancel()).await.status
        });
        until(|| asked.load(Ordering::SeqCst) == 2).await;
        within(server.shut_down()).await;
        go.notify_one();
        assert_eq!(within(posted).await.unwrap(), 503);
        assert_eq!(site.events(), [""; 0]);
    }
}
