use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::Test;
use crate::child::SERVER;
use crate::parent::{Server, command};

pub(crate) const TESTS: &[Test] = &[
    ("the_end_of_the_input_ends_the_process", the_end_of_the_input_ends_the_process),
    ("a_signal_ends_the_process", a_signal_ends_the_process),
    ("a_client_that_does_not_read_cannot_keep_it", a_client_that_does_not_read_cannot_keep_it),
];

/// Two seconds of draining, and as much again for a machine under load.
const BOUND: Duration = Duration::from_secs(4);

/// A server with a call that does not end by itself.
fn busy() -> Server {
    let mut server = Server::initialized(SERVER);
    server.call(1, "stubborn");
    server.says("stubborn began");
    server
}

fn ends_well(server: Server) {
    let end = server.end();
    assert_eq!(end.status.code(), Some(0));
    assert!(end.took < BOUND, "{:?}", end.took);
    let ends: Vec<_> = end.stderr.iter().filter(|line| line.contains("\"call.failed\"")).collect();
    assert_eq!(ends.len(), 1, "{:?}", end.stderr);
    assert!(ends[0].contains("\"aborted\""), "{}", ends[0]);
}

fn the_end_of_the_input_ends_the_process() {
    let mut server = busy();
    server.close_input();
    ends_well(server);
}

fn a_signal_ends_the_process() {
    let server = busy();
    server.terminate();
    ends_well(server);
}

fn a_client_that_does_not_read_cannot_keep_it() {
    let mut child = command(SERVER).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // More answers than the pipe holds, and fewer than the server keeps.
    let pings = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".repeat(10_000);
    input.write_all(pings.as_bytes()).unwrap();
    drop(input);
    let began = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(began.elapsed() < BOUND);
}
