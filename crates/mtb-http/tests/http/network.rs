//! What shows on a connection only.

use std::time::Duration;

use mtb_http::HttpLimits;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::client::{initialize, until, within};
use crate::served::{Served, call, read_to_end, read_until, written};
use crate::site::{Site, limits};

#[tokio::test]
async fn answers_over_a_connection_that_stays_open() {
    let site = Site::new();
    let served = Served::of(&site, limits()).await;
    let mut stream = served.connect().await;
    for _ in 0..3 {
        stream.write_all(written(&site.alice, &call("count"), "").as_bytes()).await.unwrap();
        let answer = read_until(&mut stream, "}}}").await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    }
}

/// The endpoint is found without a router here, and guarded all the same.
#[tokio::test]
async fn foreign_names_and_origins_are_refused() {
    let site = Site::new();
    let served = Served::of(&site, limits()).await;
    let whole = written(&site.alice, &call("count"), "");
    for foreign in [
        whole.replace("host: localhost", "host: evil.example.com"),
        whole.replace("host: localhost\r\n", ""),
        whole.replace("host: localhost", "host: localhost\r\norigin: https://evil.example.com"),
        whole.replace("POST /mcp", "POST http://evil.example.com/mcp"),
        whole.replace("POST /mcp", "POST /elsewhere").replace("host: localhost", "host: evil.example.com"),
    ] {
        let mut stream = served.connect().await;
        stream.write_all(foreign.as_bytes()).await.unwrap();
        let answer = read_until(&mut stream, "\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{foreign}: {answer}");
    }
    let mut stream = served.connect().await;
    stream.write_all(whole.replace("POST /mcp", "POST /elsewhere").as_bytes()).await.unwrap();
    assert!(read_until(&mut stream, "\r\n\r\n").await.starts_with("HTTP/1.1 404"));
    assert_eq!(site.events(), [""; 0]);
}

#[tokio::test]
async fn a_connection_that_breaks_cancels_what_it_waits_for() {
    let site = Site::new();
    let served = Served::of(&site, limits()).await;
    let mut stream = served.connect().await;
    stream.write_all(written(&site.alice, &call("wait"), "").as_bytes()).await.unwrap();
    read_until(&mut stream, "notifications/progress").await;
    drop(stream);
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
}

/// Who writes slowly is not waited for without an end, whatever they write.
#[tokio::test]
async fn who_is_too_slow_is_left() {
    let site = Site::new();
    let patience = Duration::from_millis(200);
    let served = Served::of(&site, HttpLimits { stalled: patience, body: patience, ..limits() }).await;
    for begun in ["", "POST /mcp HTTP/1.1\r\nhost: local"] {
        let mut stream = served.connect().await;
        stream.write_all(begun.as_bytes()).await.unwrap();
        let answer = read_to_end(&mut stream).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
    let mut stream = served.connect().await;
    let whole = written(&site.alice, &call("count"), "");
    stream.write_all(&whole.as_bytes()[..whole.len() - 1]).await.unwrap();
    let answer = read_to_end(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert_eq!(site.events(), [""; 0]);
}

/// Who takes nothing of a long answer makes room for others.
#[tokio::test]
async fn who_does_not_read_is_left() {
    let site = Site::new();
    let stalled = Duration::from_millis(200);
    let served = Served::of(&site, HttpLimits { stalled, connections: 1, ..limits() }).await;
    let mut deaf = served.connect().await;
    // What one answer leaves, the buffers of the machine may take.
    deaf.write_all(written(&site.alice, &call("long"), "").repeat(8).as_bytes()).await.unwrap();
    until(|| site.events().len() >= 2).await;
    let mut next = served.connect().await;
    next.write_all(written(&site.alice, &call("count"), "").as_bytes()).await.unwrap();
    read_until(&mut next, "}}}").await;
    let answer = read_to_end(&mut deaf).await;
    assert!(answer.len() < 8 * 3_500_000, "{} bytes", answer.len());
}

/// Whoever ends their half of a connection has hung up: nothing that they did not send whole is done, and what waits for
/// them is cancelled.
#[tokio::test]
async fn who_half_closes_has_hung_up() {
    let site = Site::new();
    let served = Served::of(&site, limits()).await;
    let whole = written(&site.alice, &call("count"), "");
    for begun in [&whole[..20], &whole[..whole.len() - 1]] {
        let mut stream = served.connect().await;
        stream.write_all(begun.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        let answer = read_to_end(&mut stream).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{answer}");
    }
    assert_eq!(site.events(), [""; 0]);
    let mut stream = served.connect().await;
    stream.write_all(written(&site.alice, &call("wait"), "").as_bytes()).await.unwrap();
    read_until(&mut stream, "notifications/progress").await;
    stream.shutdown().await.unwrap();
    read_to_end(&mut stream).await;
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
}

#[tokio::test]
async fn who_is_one_too_many_waits() {
    let site = Site::new();
    let served = Served::of(&site, HttpLimits { connections: 1, ..limits() }).await;
    let mut first = served.connect().await;
    first.write_all(written(&site.alice, &call("count"), "").as_bytes()).await.unwrap();
    read_until(&mut first, "}}}").await;
    let mut second = served.connect().await;
    second.write_all(written(&site.alice, &call("count"), "").as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(site.events().len(), 2);
    drop(first);
    read_until(&mut second, "}}}").await;
}

#[tokio::test]
async fn a_shutdown_waits_for_what_ends_and_cancels_the_rest() {
    let site = Site::new();
    let served = Served::of(&site, limits()).await;
    let mut waiting = served.connect().await;
    waiting.write_all(written(&site.alice, &call("wait"), "").as_bytes()).await.unwrap();
    read_until(&mut waiting, "notifications/progress").await;
    let mut session = served.connect().await;
    session.write_all(written(&site.alice, &initialize("2025-11-25", &json!({})), "").as_bytes()).await.unwrap();
    let head = read_until(&mut session, "}}}").await;
    assert!(head.contains("mcp-session-id: "), "{head}");
    served.stop.send(()).unwrap();
    within(served.over).await.unwrap();
    assert_eq!(site.events(), ["call.started", "call.failed aborted"]);
    let rest = read_to_end(&mut waiting).await;
    assert!(rest.contains("The call was cancelled."), "{rest}");
    assert!(TcpStream::connect(served.address).await.is_err());
}
