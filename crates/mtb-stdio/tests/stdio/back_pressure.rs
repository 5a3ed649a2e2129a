use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use serde_json::json;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::task::yield_now;

use crate::bridges::Site;
use crate::client::{Client, until};

/// Writes as much of the bytes as the server takes while nobody reads its output.
async fn push(client: &mut Client, bytes: &[u8]) -> usize {
    let mut taken = 0;
    let mut idle = 0;
    while taken < bytes.len() && idle < 2_000 {
        let written = poll_fn(|cx| match Pin::new(&mut client.input).poll_write(cx, &bytes[taken..]) {
            Poll::Ready(written) => Poll::Ready(written.unwrap()),
            Poll::Pending => Poll::Ready(0),
        })
        .await;
        taken += written;
        idle = if written == 0 { idle + 1 } else { 0 };
        yield_now().await;
    }
    taken
}

#[tokio::test]
async fn who_does_not_read_is_not_listened_to_but_loses_nothing() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    client.still_serves("the handshake").await;

    // Calls that were taken are finished, whether or not their answers can leave.
    for id in 0..8 {
        client.call(id, "large", json!({"number": 1_000_000})).await;
    }
    until(|| site.events().iter().filter(|event| *event == "call.succeeded").count() == 8).await;

    // Nothing more is taken than what was under way.
    let pings: String =
        (8..200_000).map(|id| format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "ping"}))).collect();
    let taken = push(&mut client, pings.as_bytes()).await;
    assert!(taken < 256 * 1024, "{taken} bytes were taken of one that does not read");

    // Once the client reads, it gets everything.
    let last = pings[..taken].matches('\n').count() as i64 + 8;
    let unfinished = taken - pings[..taken].rfind('\n').map_or(0, |at| at + 1);
    let rest = &pings[taken..];
    let line_end = if unfinished == 0 { 0 } else { rest.find('\n').unwrap() + 1 };
    let total = if unfinished == 0 { last } else { last + 1 };
    let mut input = std::mem::replace(&mut client.input, tokio::io::duplex(1).0);
    let tail = rest[..line_end].to_owned();
    let writing = tokio::spawn(async move {
        input.write_all(tail.as_bytes()).await.unwrap();
        input
    });
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..total {
        assert!(seen.insert(client.next().await["id"].as_i64().unwrap()));
    }
    assert_eq!((seen.first(), seen.last()), (Some(&0), Some(&(total - 1))));
    client.input = writing.await.unwrap();
    client.still_serves("catching up").await;
}

#[tokio::test]
async fn a_small_request_with_a_large_answer_does_not_multiply() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    client.still_serves("the handshake").await;
    // Some ninety bytes in, thousands out: the lines that have arrived wait as well.
    let lists: String =
        (0..100_000).map(|id| format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}))).collect();
    let taken = push(&mut client, lists.as_bytes()).await;
    assert!(taken < 1024 * 1024, "{taken} bytes were taken of one that does not read");
    let first = client.next().await;
    assert_eq!(first["id"], 0);
}
