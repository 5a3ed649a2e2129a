use std::env::temp_dir;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write, pipe};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio, id};
use std::thread;

use rustix::fs::{OFlags, fcntl_getfl};
use serde_json::Value;

use crate::Test;
use crate::child::{READER, SERVER, TALKER, TWINS};
use crate::parent::{Server, command};

pub(crate) const TESTS: &[Test] = &[
    ("stdout_carries_the_protocol_only", stdout_carries_the_protocol_only),
    ("stdout_is_given_back", stdout_is_given_back),
    ("pipes_are_made_blocking_again", pipes_are_made_blocking_again),
    ("what_was_non_blocking_stays_so", what_was_non_blocking_stays_so),
    ("sockets_are_served", sockets_are_served),
    ("files_are_served", files_are_served),
    ("one_pipe_for_stdout_and_stderr_is_served_blocking", one_pipe_for_stdout_and_stderr_is_served_blocking),
    ("stdin_is_given_back", stdin_is_given_back),
    ("a_second_one_at_the_same_time_is_refused", a_second_one_at_the_same_time_is_refused),
];

pub(crate) const PING: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
const PONG: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";

fn text(answer: &Value) -> &Value {
    &answer["result"]["content"][0]["text"]
}

fn stdout_carries_the_protocol_only() {
    let mut server = Server::initialized(SERVER);
    server.call(1, "print");
    assert_eq!(text(&server.answer()), "printed");
    server.says("a stray line");
    server.call(2, "panic");
    assert_eq!(server.answer()["result"]["isError"], true);
    server.says("a stray panic");
    // It would eat the requests that follow, if it could read them.
    server.call(3, "spawn");
    server.call(4, "print");
    assert_eq!(text(&server.answer()), "exited: true");
    assert_eq!(text(&server.answer()), "printed");
    server.says("a stray child");
    server.close_input();
    let end = server.end();
    assert!(end.status.success());
    assert_eq!(end.stdout, Vec::<String>::new());
    assert!(end.stderr.iter().any(|line| line.contains("a stray beginning")), "{:?}", end.stderr);
}

fn stdout_is_given_back() {
    let mut server = Server::initialized(TALKER);
    server.call(1, "print");
    assert_eq!(text(&server.answer()), "printed");
    server.close_input();
    assert_eq!(server.end().stdout, ["ended: Ok(InputEnded)"]);
}

fn is_nonblocking(fd: impl AsFd) -> bool {
    fcntl_getfl(fd).unwrap().contains(OFlags::NONBLOCK)
}

/// Serves over this socket, and says whether it was and is non-blocking: meanwhile and afterwards.
fn flags_of(ours: UnixStream, theirs: &UnixStream) -> (bool, bool) {
    let mut server =
        Server::start_with(command(SERVER), OwnedFd::from(theirs.try_clone().unwrap()).into(), Some(Box::new(ours)));
    server.initialize();
    let meanwhile = is_nonblocking(theirs);
    server.close_input();
    assert!(server.end().status.success());
    (meanwhile, is_nonblocking(theirs))
}

fn pipes_are_made_blocking_again() {
    let (theirs, ours) = pipe().unwrap();
    let mut server = Server::start_with(command(SERVER), theirs.try_clone().unwrap().into(), Some(Box::new(ours)));
    assert!(!is_nonblocking(&theirs));
    server.initialize();
    assert!(is_nonblocking(&theirs), "the child shares the open file");
    server.close_input();
    assert!(server.end().status.success());
    assert!(!is_nonblocking(&theirs));
}

fn what_was_non_blocking_stays_so() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    assert_eq!(flags_of(ours, &theirs), (true, true));
}

fn sockets_are_served() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    assert_eq!(flags_of(ours, &theirs), (true, false));
}

fn files_are_served() {
    let directory = temp_dir().join(format!("mtb-stdio-{}", id()));
    fs::create_dir_all(&directory).unwrap();
    let (input, output) = (directory.join("input"), directory.join("output"));
    fs::write(&input, PING.repeat(10_000)).unwrap();
    let status = command(SERVER)
        .stdin(File::open(&input).unwrap())
        .stdout(OpenOptions::new().create(true).append(true).open(&output).unwrap())
        .stderr(Stdio::inherit())
        .status()
        .unwrap();
    assert!(status.success());
    let answers = fs::read_to_string(&output).unwrap();
    fs::remove_dir_all(&directory).unwrap();
    assert_eq!(answers, PONG.repeat(10_000));
}

/// How many files it has open, where that can be seen.
fn open_files(child: &Child) -> usize {
    fs::read_dir(format!("/proc/{}/fd", child.id())).map_or(0, Iterator::count)
}

fn one_pipe_for_stdout_and_stderr_is_served_blocking() {
    let (input, mut to_child) = pipe().unwrap();
    let (mut output, theirs) = pipe().unwrap();
    let mut command = command(TALKER);
    command.stdin(input).stdout(theirs.try_clone().unwrap()).stderr(theirs.try_clone().unwrap());
    let mut child = command.spawn().unwrap();
    drop(command);
    to_child.write_all(PING.as_bytes()).unwrap();
    let mut first = [0; PONG.len()];
    output.read_exact(&mut first).unwrap();
    assert_eq!(first, PONG.as_bytes());
    assert!(!is_nonblocking(&theirs), "whoever prints to stderr expects to block");

    // A thread writes it, and here it cannot write much; still everything has left when serving is over.
    #[cfg(target_os = "linux")]
    rustix::pipe::fcntl_setpipe_size(&theirs, 4096).unwrap();
    drop(theirs);
    let open = open_files(&child);
    to_child.write_all(PING.repeat(2_000).as_bytes()).unwrap();
    drop(to_child);
    // The connection is closed before anybody reads.
    while cfg!(target_os = "linux") && open_files(&child) == open {
        thread::yield_now();
    }
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest.strip_prefix(&PONG.repeat(2_000)), Some("ended: Ok(InputEnded)\n"));
    assert!(child.wait().unwrap().success());
}

fn stdin_is_given_back() {
    let mut server = Server::start(READER);
    server.initialize();
    // What was sent before it stops has been read.
    server.ping();
    server.terminate();
    server.says("reading on");
    server.send_bytes(b"what follows\n");
    server.close_input();
    let end = server.end();
    assert_eq!(end.stdout, ["read: what follows"]);
}

fn a_second_one_at_the_same_time_is_refused() {
    let mut server = Server::initialized(TWINS);
    server.ping();
    server.close_input();
    let end = server.end();
    assert!(end.status.success());
    assert_eq!(end.stdout, Vec::<String>::new());
    assert!(end.stderr.iter().any(|line| line == "the second was refused"));
}
