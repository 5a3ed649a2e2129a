//! Every case with a few requests, so that what is measured does not rot.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "what a test relies on fails the test")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

const GOVERNED: &str = env!("CARGO_BIN_EXE_governed");
const BARE: &str = env!("CARGO_BIN_EXE_bare");

/// Ends with its input, which ends with this.
struct Server {
    child: Child,
    announced: String,
}

impl Server {
    fn start(program: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut announced = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut announced).unwrap();
        Self { child, announced }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }
}

/// What the load generator prints.
fn load(arguments: &[&str], announced: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_load"));
    let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // Who starts a server itself does not read what another one announced.
    let _ = child.stdin.take().unwrap().write_all(announced.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "load {arguments:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn both_servers_answer_calls_and_are_measured() {
    for (program, arguments) in [(GOVERNED, &["http", "1"][..]), (BARE, &["http"])] {
        let server = Server::start(program, arguments);
        let measured = load(&["calls", "3", "20"], &server.announced);
        assert!(measured["requests_per_second"].as_f64().unwrap() > 0.0, "{measured}");
        for note_bytes in ["0", "13000"] {
            let measured = load(&["pipe", "3", "20", note_bytes, program, "stdio"], "");
            assert!(measured["start_ms"].as_f64().unwrap() > 0.0, "{measured}");
        }
        assert!(load(&["start", program, "stdio"], "")["idle_mib"].as_f64().unwrap() > 0.0);
        assert!(load(&["dense", program, "stdio"], "")["peak_mib"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn an_audit_of_lines_is_read() {
    let measured = load(&["pipe", "64", "2000", "0", GOVERNED, "stdio-lines"], "");
    assert!(measured["requests_per_second"].as_f64().unwrap() > 0.0, "{measured}");
}

#[test]
fn sessions_are_shared_out_among_principals() {
    let server = Server::start(GOVERNED, &["http", "2"]);
    // One principal has room for 64.
    let measured = load(&["sessions", "100"], &server.announced);
    assert!(measured["session_kib"].as_f64().unwrap() >= 0.0, "{measured}");
}
