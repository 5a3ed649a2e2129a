use std::io::{PipeWriter, Write, pipe};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::Test;
use crate::child::SERVER;
use crate::parent::{Server, command};
use crate::streams::PING;

pub(crate) const TESTS: &[Test] = &[
    ("the_end_of_the_input_ends_the_process", the_end_of_the_input_ends_the_process),
    ("a_signal_ends_the_process", a_signal_ends_the_process),
    ("a_client_that_does_not_read_cannot_keep_it", a_client_that_does_not_read_cannot_keep_it),
    ("an_end_behind_unread_requests_is_seen", an_end_behind_unread_requests_is_seen),
    ("an_output_that_blocks_is_not_waited_for_twice", an_output_that_blocks_is_not_waited_for_twice),
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

/// Sends all of this, ends the input and reads nothing.
fn ends_unread(input: String, stderr: impl FnOnce(&PipeWriter) -> Stdio) {
    let (_unread, stdout) = pipe().unwrap();
    let stderr = stderr(&stdout);
    let mut child = command(SERVER).stdin(Stdio::piped()).stdout(stdout).stderr(stderr).spawn().unwrap();
    let pid = Pid::from_child(&child);
    let mut stdin = child.stdin.take().unwrap();
    let (sent, all_sent) = channel();
    let (ended, end) = channel();
    thread::spawn(move || {
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        sent.send(Instant::now())
    });
    thread::spawn(move || ended.send((child.wait().unwrap(), Instant::now())));
    let began = all_sent.recv_timeout(BOUND);
    let end = end.recv_timeout(BOUND);
    if end.is_err() {
        kill_process(pid, Signal::KILL).unwrap();
    }
    let (status, ended) = end.expect("it does not live on");
    assert_eq!(status.code(), Some(0));
    let took = ended - began.unwrap();
    assert!(took < BOUND, "{took:?}");
}

fn a_client_that_does_not_read_cannot_keep_it() {
    // More answers than the pipe holds, and fewer than the server keeps.
    ends_unread(PING.repeat(10_000), |_| Stdio::null());
}

fn an_end_behind_unread_requests_is_seen() {
    let hello =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello});
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    ends_unread(format!("{hello}\n{}", format!("{list}\n").repeat(6_500)), |_| Stdio::null());
}

fn an_output_that_blocks_is_not_waited_for_twice() {
    // Where both outputs are one, stdout is written by a thread.
    ends_unread(PING.repeat(10_000), |stdout| stdout.try_clone().unwrap().into());
}
