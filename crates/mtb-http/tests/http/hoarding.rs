//! What a hostile client tries to take.

use std::time::Duration;

use mtb_core::Principal;
use mtb_http::{ApiKey, HttpLimits};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::{sleep, timeout};

use crate::client::{Client, initialize, request, within};
use crate::served::{Served, call, read_until, written};
use crate::site::{Site, limits};

/// The answers of a batch together cost no more than one answer may.
#[tokio::test]
async fn the_answers_of_a_batch_are_bounded_together() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-03-26", &json!({})).await;
    let batch: Vec<_> = (0..64).map(|id| request(id, "tools/call", &json!({"name": "long"}))).collect();
    let batch = Value::from(batch).to_string();
    let sent = batch.len();
    let answer = alice.post(batch).await;
    let bytes = http_body_util::BodyExt::collect(answer.response.into_body()).await.unwrap().to_bytes().len();
    assert!(bytes <= 16 << 20, "{sent} bytes are answered with {bytes}");
}

/// What one principal may cost at a time counts calls, however they are packed.
#[tokio::test]
async fn batches_leave_room_for_others() {
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice).begun("2025-03-26", &json!({})).await;
    let bob = Client::of(site.router()).known_by(&site.bob);
    let batch: Vec<_> = (0..256).map(|id| request(id, "tools/call", &json!({"name": "wait"}))).collect();
    let batch = Value::from(batch).to_string();
    for _ in 0..16 {
        let alice = alice.clone();
        let batch = batch.clone();
        tokio::spawn(async move { alice.post(batch).await });
    }
    sleep(Duration::from_secs(2)).await;
    let mut answer = bob.modern(1, "tools/call", &json!({"name": "count"})).await;
    let answer = answer.next().await;
    assert_eq!(answer["result"]["content"][0]["text"], "counted", "{answer}");
}

/// `requests` bounds what is served at a time, bodies that are awaited included.
#[tokio::test]
async fn bodies_under_way_are_counted() {
    let site = Site::new();
    let served = Served::of(&site, HttpLimits { requests: 4, ..limits() }).await;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         content-length: 1048576\r\n\r\n",
        site.alice.expose()
    );
    let mut open = Vec::new();
    for _ in 0..200 {
        let mut stream = served.connect().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        let part = vec![b' '; 1_048_575];
        let _ = timeout(Duration::from_secs(2), stream.write_all(&part)).await;
        open.push(stream);
    }
    let mut waiting = 0;
    for stream in &mut open {
        let mut byte = [0];
        if timeout(Duration::from_millis(1), stream.read(&mut byte)).await.is_err() {
            waiting += 1;
        }
    }
    assert!(waiting <= 4, "{waiting} bodies are held");
}

/// The same where one stream carries everything.
#[tokio::test]
async fn legacy_sse_messages_that_nobody_reads_are_counted() {
    let site = Site::new();
    let limits = HttpLimits { requests: 4, ..limits() };
    let served = Served::adjusted(&site, limits, |options| options.with_legacy_sse(true)).await;
    let (_deaf, endpoint) = served.legacy_stream(&site.alice).await;
    let mut posting = served.connect().await;
    let post = |message: &Value| written(&site.alice, message, "").replace("/mcp", &endpoint);
    posting.write_all(post(&initialize("2024-11-05", &json!({}))).as_bytes()).await.unwrap();
    read_until(&mut posting, "202").await;
    sleep(Duration::from_millis(100)).await;
    let mut taken = 0;
    for id in 0..60 {
        let message = post(&request(id, "tools/call", &json!({"name": "long"})));
        posting.write_all(message.as_bytes()).await.unwrap();
        let answer = read_until(&mut posting, "\r\n\r\n").await;
        if answer.starts_with("HTTP/1.1 202") {
            taken += 1;
        } else if !answer.contains("done.") {
            read_until(&mut posting, "done.").await;
        }
        sleep(Duration::from_millis(30)).await;
    }
    assert!(taken <= 16, "{taken} calls taken");
}

/// Nobody keeps others out, however many clients act for them.
#[cfg(feature = "jwt")]
#[tokio::test]
async fn one_person_with_many_clients() {
    use crate::issuer::Issuer;
    let site = Site::new();
    let issuer = Issuer::named("https://id.example.com");
    let options = mtb_http::HttpOptions::new(crate::site::server_options(), issuer.trusted(&site));
    let limits = HttpLimits { sessions: 6, sessions_of_one: 2, requests_per_minute: 3.try_into().unwrap(), ..limits() };
    let router = mtb_http::http_router(site.bridge.clone(), options.with_limits(limits));
    let of = |sub: &str, client: &str| {
        let token = issuer.token(&json!({"sub": sub, "azp": client}));
        Client::of(router.clone()).with("authorization", &format!("Bearer {token}"))
    };
    for client in ["a", "b", "c"] {
        for _ in 0..2 {
            of("alice", client).post(initialize("2025-11-25", &json!({})).to_string()).await;
        }
    }
    let bob = of("bob", "a").post(initialize("2025-11-25", &json!({})).to_string()).await;
    assert_eq!(bob.status, 200);
}

/// Answers that nobody reads are counted among the requests at a time.
#[tokio::test]
async fn answers_that_nobody_reads_are_counted() {
    let site = Site::new();
    let served = Served::of(&site, HttpLimits { requests: 4, ..limits() }).await;
    let whole = written(&site.alice, &call("long"), "");
    let mut open = Vec::new();
    for _ in 0..60 {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(2_048).unwrap();
        let mut stream = socket.connect(served.address).await.unwrap();
        stream.write_all(whole.as_bytes()).await.unwrap();
        let mut head = [0; 12];
        within(stream.read_exact(&mut head)).await.unwrap();
        if head.ends_with(b"200") {
            open.push(stream);
        }
    }
    assert!(open.len() <= 4, "{} answers wait at a time", open.len());
}

/// A head is as long as a head has to be: nobody's is kept while it grows to 400 KB.
#[tokio::test]
async fn heads_of_nobody_cost_little() {
    let site = Site::new();
    let served = Served::of(&site, limits()).await;
    let mut stream = served.connect().await;
    let head = format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\nx: {}\r\n\r\n", "x".repeat(300_000));
    let _ = stream.write_all(head.as_bytes()).await;
    let answer = read_until(&mut stream, "\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

/// Who keeps all of its sessions busy does not keep out whom others could make room for.
#[tokio::test]
async fn a_newcomer_finds_room_beside_busy_sessions() {
    let site = Site::with(HttpLimits { sessions: 6, sessions_of_one: 3, ..limits() });
    let of = |id: &str| {
        let key = ApiKey::generate().unwrap();
        site.keys.add(key.hash(), Principal::new(id, ["reader"]).unwrap(), None);
        Client::of(site.router()).known_by(&key)
    };
    let (busy, idle) = (of("busy"), of("idle"));
    let mut streams = Vec::new();
    for _ in 0..3 {
        streams.push(busy.begun("2025-11-25", &json!({})).await.get().await);
    }
    for _ in 0..2 {
        idle.begun("2025-11-25", &json!({})).await;
    }
    of("other").begun("2025-11-25", &json!({})).await;
    of("newcomer").begun("2025-11-25", &json!({})).await;
    // Now everybody else has one, which nobody has to give up.
    assert_eq!(of("late").post(initialize("2025-11-25", &json!({})).to_string()).await.status, 503);
}
