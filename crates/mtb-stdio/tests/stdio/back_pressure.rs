use std::collections::BTreeSet;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use mtb_audit::{AuditEvent, AuditSink, MemorySink, SinkError, Trail};
use mtb_bridge::{JsonSchema, Tool};
use mtb_mcp::ProtocolLimits;
use mtb_stdio::{Ended, serve_streams};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::yield_now;
use tokio::time::{Instant, advance};

use crate::bridges::{Site, harmless, options};
use crate::client::{Client, lines, until, within};

const FIRST: u64 = 100_000;
/// What is read of a client that does not read, and not handled.
const AHEAD: usize = 1024 * 1024;
/// The stream between client and server, and what was under way when the client became too slow.
const UNDER_WAY: usize = 192 * 1024;

fn ping(id: u64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "ping"})
}

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

    // Some twenty megabytes, of which little is taken. All lines have the same length.
    let length = lines([ping(FIRST)]).len();
    let pings = lines((FIRST..FIRST + 450_000).map(ping));
    let taken = push(&mut client, pings.as_bytes()).await;
    assert!(taken >= AHEAD, "only {taken} bytes were taken");
    assert!(taken < AHEAD + UNDER_WAY, "{taken} bytes were taken of one that does not read");

    // Once the client reads, it gets everything.
    let sent = taken.div_ceil(length);
    let rest = pings[taken..sent * length].to_owned();
    let Client { mut input, output, .. } = client;
    let writing = tokio::spawn(async move { input.write_all(rest.as_bytes()).await.map(|()| input) });
    let mut answers = output.lines();
    let mut seen = BTreeSet::new();
    for _ in 0..sent + 8 {
        let answer: Value = serde_json::from_str(&within(answers.next_line()).await.unwrap().unwrap()).unwrap();
        assert!(seen.insert(answer["id"].as_u64().unwrap()));
    }
    let last = FIRST + u64::try_from(sent).unwrap() - 1;
    assert_eq!((seen.first(), seen.last()), (Some(&0), Some(&last)));
    drop(within(writing).await.unwrap().unwrap());
    assert_eq!(within(answers.next_line()).await.unwrap(), None);
}

#[tokio::test]
async fn a_small_request_with_a_large_answer_does_not_multiply() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    client.still_serves("the handshake").await;
    // Some ninety bytes in, thousands out: the lines that have arrived wait as well.
    let lists = lines((0..50_000).map(|id| json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"})));
    let taken = push(&mut client, lists.as_bytes()).await;
    assert!(taken < AHEAD + 2 * UNDER_WAY, "{taken} bytes were taken of one that does not read");
    let first = client.next().await;
    assert_eq!(first["id"], 0);
}

#[tokio::test]
async fn progress_is_not_kept_for_one_that_does_not_read() {
    const REPORTS: u32 = 200;
    let site = Site::new();
    let chatty = Tool::declare("chatty", "Reports at length.", JsonSchema::no_arguments(), harmless());
    let chatty = chatty.handler(|_args, call| async move {
        let message = "x".repeat(64 * 1024);
        for done in 1..=REPORTS {
            call.progress(f64::from(done), None, Some(&message));
            yield_now().await;
        }
        Ok("reported")
    });
    site.registry.register(chatty).unwrap();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    let params = json!({"name": "chatty", "_meta": {"progressToken": "token"}});
    client.request(&json!(1), "tools/call", params).await;
    until(|| site.events() == ["call.started", "call.succeeded"]).await;
    // Twelve megabytes were reported, of which four are gathered, and what is on its way.
    let (messages, _) = client.end().await;
    let (answer, reports) = messages.split_last().unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "reported");
    assert!((60..80).contains(&reports.len()), "{} reports", reports.len());
}

/// The default of the options, of which the timers may miss some milliseconds.
const DRAIN: Duration = Duration::from_secs(2);
const TIMERS: Duration = Duration::from_millis(10);

/// A client for which more answers wait than the server gathers, and which has sent more requests than the stream to
/// it holds before it ended its input.
async fn clogged(site: &Site, client: &mut Client) {
    let before = site.events().len();
    for id in 1..=8 {
        client.call(id, "large", json!({"number": 1_000_000})).await;
    }
    until(|| site.events().len() == before + 16).await;
    client.send_all((FIRST..FIRST + 5_000).map(ping)).await;
    within(client.input.shutdown()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn who_does_not_read_ends_within_the_drain() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    client.still_serves("the handshake").await;
    client.call(0, "stubborn", json!({})).await;
    until(|| site.events() == ["call.started"]).await;
    clogged(&site, &mut client).await;
    let began = Instant::now();
    assert_eq!(client.ended().await.unwrap(), Ended::InputEnded);
    assert!(began.elapsed() <= DRAIN + TIMERS, "{:?}", began.elapsed());
    assert_eq!(site.events().iter().filter(|event| *event == "call.failed aborted").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_reads_slowly_gets_what_was_asked_for_before_the_end() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    client.still_serves("the handshake").await;
    clogged(&site, &mut client).await;
    let mut read = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    // Much longer than the drain, but never half of it without a byte.
    for _ in 0..20 {
        advance(DRAIN * 9 / 20).await;
        let bytes = within(client.output.read(&mut chunk)).await.unwrap();
        read.extend_from_slice(&chunk[..bytes]);
        for _ in 0..100 {
            yield_now().await;
        }
    }
    within(client.output.read_to_end(&mut read)).await.unwrap();
    let mut ids: Vec<_> = read
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice::<Value>(line).unwrap()["id"].as_u64().unwrap())
        .collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq((1..=8).chain(FIRST..FIRST + 5_000)));
    assert_eq!(client.ended().await.unwrap(), Ended::InputEnded);
}

#[tokio::test(start_paused = true)]
async fn the_end_is_seen_while_calls_leave_no_room() {
    let (waiting, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
    let audit = MemorySink::default();
    let slow = Slow { waiting: Arc::clone(&waiting), gate };
    let site = Site::with_trail(Trail::to(slow), audit);
    let limits = ProtocolLimits { in_flight: 1, ..ProtocolLimits::default() };
    let mut client = Client::with_options(&site, options().with_limits(limits));
    client.initialize("2025-06-18", json!({})).await;
    client.call(1, "done", json!({})).await;
    client.call(2, "done", json!({})).await;
    until(|| waiting.load(Ordering::SeqCst) == 2).await;
    client.send_all((FIRST..FIRST + 5_000).map(ping)).await;
    within(client.input.shutdown()).await.unwrap();
    let began = Instant::now();
    assert_eq!(client.ended().await.unwrap(), Ended::InputEnded);
    assert!(began.elapsed() <= DRAIN + TIMERS, "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_ends_one_that_does_not_read_within_the_drain() {
    let site = Site::new();
    let (stop, stopped) = oneshot::channel::<()>();
    let mut client = Client::with_options(&site, options().with_shutdown(async { drop(stopped.await) }));
    client.initialize("2025-06-18", json!({})).await;
    for id in 1..=8 {
        client.call(id, "large", json!({"number": 1_000_000})).await;
    }
    until(|| site.events().len() == 16).await;
    let began = Instant::now();
    stop.send(()).unwrap();
    assert_eq!(client.ended().await.unwrap(), Ended::Shutdown);
    assert!(began.elapsed() <= DRAIN + TIMERS, "{:?}", began.elapsed());
}

/// A client that always has another ping, and counts what was taken of it.
struct Endless(Arc<AtomicUsize>);

impl AsyncRead for Endless {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        while buf.remaining() >= ping.len() {
            buf.put_slice(ping);
            self.0.fetch_add(ping.len(), Ordering::SeqCst);
        }
        Poll::Ready(Ok(()))
    }
}

/// Notes how much was taken when the first answer leaves, and then is gone.
struct First {
    taken: Arc<AtomicUsize>,
    noted: Arc<AtomicUsize>,
}

impl AsyncWrite for First {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        self.noted.store(self.taken.load(Ordering::SeqCst), Ordering::SeqCst);
        Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn answers_leave_while_requests_keep_coming() {
    let site = Site::new();
    let (taken, noted) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
    let writer = First { taken: Arc::clone(&taken), noted: Arc::clone(&noted) };
    let ended = within(serve_streams(site.bridge.clone(), options(), Endless(taken), writer)).await;
    assert_eq!(ended.unwrap(), Ended::OutputClosed);
    assert!(noted.load(Ordering::SeqCst) < 512 * 1024, "{noted:?} bytes were taken before an answer left");
}

/// A sink that counts who waits for it and lets nobody through until it is told to.
struct Slow {
    waiting: Arc<AtomicUsize>,
    gate: Arc<Semaphore>,
}

#[async_trait]
impl AuditSink for Slow {
    async fn record(&self, _event: &AuditEvent) -> Result<(), SinkError> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let passed = self.gate.acquire().await;
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        passed.map(drop).map_err(|_| SinkError::new("closed"))
    }
}

#[tokio::test]
async fn an_audit_that_is_slow_does_not_let_calls_pile_up() {
    let (waiting, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
    let audit = MemorySink::default();
    let slow = Slow { waiting: Arc::clone(&waiting), gate: Arc::clone(&gate) };
    let site = Site::with_trail(Trail::to(slow).and_to(audit.clone()), audit);
    let limits = ProtocolLimits { in_flight: 4, ..ProtocolLimits::default() };
    let mut client = Client::with_options(&site, options().with_limits(limits));
    client.initialize("2025-06-18", json!({})).await;
    let calls = (1..=100).map(
        |id| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "done", "arguments": {}}}),
    );
    client.send_all(calls).await;
    until(|| waiting.load(Ordering::SeqCst) >= 8).await;
    for _ in 0..1_000 {
        yield_now().await;
    }
    assert_eq!(waiting.load(Ordering::SeqCst), 8, "four calls and as many refusals wait, and no more is read");
    gate.add_permits(1);
    let mut answered = BTreeSet::new();
    for _ in 0..100 {
        answered.insert(client.next().await["id"].as_u64());
    }
    assert_eq!(answered.len(), 100);
}
