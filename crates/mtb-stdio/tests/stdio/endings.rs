use std::future::{pending, ready};
use std::time::Duration;

use async_trait::async_trait;
use mtb_audit::{AuditEvent, AuditSink, EventKind, MemorySink, SinkError, Trail};
use mtb_stdio::{Ended, ServeError, serve_streams};
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, duplex};
use tokio::sync::oneshot;

use crate::bridges::{Site, options};
use crate::client::{Client, until, within};

const STARTED: &str = "call.started";
const ABORTED: &str = "call.failed aborted";

/// Three calls that do not end by themselves.
async fn busy(client: &mut Client, site: &Site) {
    client.initialize("2025-06-18", json!({})).await;
    for (id, tool) in [(1, "stubborn"), (2, "patient"), (3, "gate")] {
        client.call(id, tool, json!({})).await;
    }
    until(|| site.events() == [STARTED; 3]).await;
}

fn each_ended_once(site: &Site) {
    let mut events = site.events();
    events.sort();
    assert_eq!(events, [ABORTED, ABORTED, ABORTED, STARTED, STARTED, STARTED]);
}

#[tokio::test]
async fn at_the_end_of_the_input_calls_are_cancelled_and_recorded() {
    let site = Site::new();
    let mut client = Client::new(&site);
    busy(&mut client, &site).await;
    let (_, ended) = client.end().await;
    assert_eq!(ended.unwrap(), Ended::InputEnded);
    each_ended_once(&site);
}

#[tokio::test]
async fn a_shutdown_does_the_same() {
    let site = Site::new();
    let (stop, stopped) = oneshot::channel::<()>();
    let options = options().with_shutdown(async { drop(stopped.await) });
    let mut client = Client::with_options(&site, options);
    busy(&mut client, &site).await;
    stop.send(()).unwrap();
    assert_eq!(client.ended().await.unwrap(), Ended::Shutdown);
    each_ended_once(&site);
}

#[tokio::test]
async fn a_client_that_is_gone_is_no_error() {
    let site = Site::new();
    let mut client = Client::new(&site);
    busy(&mut client, &site).await;
    let (mut input, served) = client.deaf();
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\n").await.unwrap();
    assert_eq!(within(served).await.unwrap().unwrap(), Ended::OutputClosed);
    each_ended_once(&site);
}

#[tokio::test]
async fn a_stream_that_fails_is_an_error_that_ends_the_calls() {
    let site = Site::new();
    let (mut client, reader) = duplex(1024);
    let reader = tokio::io::AsyncReadExt::chain(reader, Failing);
    let served = tokio::spawn(serve_streams(site.bridge.clone(), options(), reader, tokio::io::sink()));
    client.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\n").await.unwrap();
    drop(client);
    assert!(matches!(within(served).await.unwrap(), Err(ServeError::Input(_))));
}

struct Failing;

impl tokio::io::AsyncRead for Failing {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        _: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Ready(Err(std::io::Error::other("the disk is on fire")))
    }
}

#[tokio::test]
async fn requests_that_came_before_the_end_are_answered() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    for id in 1..=100 {
        client.request(&json!(id), "ping", json!({})).await;
    }
    let (answers, _) = client.end().await;
    assert_eq!(answers.len(), 100);
}

#[tokio::test]
async fn a_shutdown_before_the_first_message_ends_it() {
    let site = Site::new();
    let client = Client::with_options(&site, options().with_shutdown(ready(())));
    assert_eq!(client.ended().await.unwrap(), Ended::Shutdown);
}

/// Records what starts, and never comes back from recording an end.
struct Stuck(MemorySink);

#[async_trait]
impl AuditSink for Stuck {
    async fn record(&self, event: &AuditEvent) -> Result<(), SinkError> {
        if !matches!(event.kind(), EventKind::CallStarted { .. }) {
            pending::<()>().await;
        }
        self.0.record(event).await
    }
}

#[tokio::test]
async fn the_drain_has_an_end() {
    let audit = MemorySink::default();
    let site = Site::with_trail(Trail::to(Stuck(audit.clone())), audit);
    let mut client = Client::with_options(&site, options().with_drain(Duration::from_millis(20)));
    busy(&mut client, &site).await;
    let (answers, ended) = client.end().await;
    assert_eq!(ended.unwrap(), Ended::InputEnded);
    assert_eq!(answers, Vec::<Value>::new());
}

#[tokio::test]
async fn a_dropped_connection_ends_its_calls() {
    let site = Site::new();
    let mut client = Client::new(&site);
    busy(&mut client, &site).await;
    let (_input, served) = client.deaf();
    served.abort();
    // The patient one notices and answers; its effect is what is recorded.
    until(|| site.events().contains(&"call.succeeded".to_owned())).await;
}
