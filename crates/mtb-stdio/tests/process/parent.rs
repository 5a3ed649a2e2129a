use std::env::current_exe;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::child::ROLE;

/// Long enough for any machine: no test that passes waits for it.
const PATIENCE: Duration = Duration::from_secs(30);

/// This program as a server.
pub(crate) fn command(role: &str) -> Command {
    let mut command = Command::new(current_exe().unwrap());
    command.env(ROLE, role);
    command
}

/// A started server, and both of its outputs line by line.
pub(crate) struct Server {
    pub(crate) child: Child,
    input: Option<Box<dyn Write>>,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
}

impl Server {
    pub(crate) fn start(role: &str) -> Self {
        let command = command(role);
        Self::start_with(command, Stdio::piped(), None)
    }

    /// Starts it with an input of its own, and the other end of that.
    pub(crate) fn start_with(mut command: Command, stdin: Stdio, input: Option<Box<dyn Write>>) -> Self {
        let mut child =
            command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the child starts");
        // The command holds the other end of pipes it was given.
        drop(command);
        let piped = child.stdin.take().map(|stdin| -> Box<dyn Write> { Box::new(stdin) });
        let stdout = lines(child.stdout.take().unwrap());
        let stderr = lines(child.stderr.take().unwrap());
        Self { child, input: input.or(piped), stdout, stderr }
    }

    /// Starts it and shakes hands.
    pub(crate) fn initialized(role: &str) -> Self {
        let mut server = Self::start(role);
        server.initialize();
        server
    }

    pub(crate) fn initialize(&mut self) {
        let info = json!({"name": "parent", "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
        self.request(0, "initialize", &params);
        assert_eq!(self.answer()["result"]["serverInfo"]["name"], "child");
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes());
    }

    pub(crate) fn request(&mut self, id: i64, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    pub(crate) fn call(&mut self, id: i64, tool: &str) {
        self.request(id, "tools/call", &json!({"name": tool, "arguments": {}}));
    }

    /// The next line of stdout, which is a message and nothing else.
    pub(crate) fn answer(&self) -> Value {
        let line = self.stdout.recv_timeout(PATIENCE).expect("a line on stdout");
        serde_json::from_str(&line).expect("stdout carries messages only")
    }

    pub(crate) fn ping(&mut self) {
        self.request(77, "ping", &json!({}));
        assert_eq!(self.answer(), json!({"jsonrpc": "2.0", "id": 77, "result": {}}));
    }

    /// Waits for a line of stderr that holds this text.
    pub(crate) fn says(&self, text: &str) {
        while !self.stderr.recv_timeout(PATIENCE).expect(text).contains(text) {}
    }

    /// Asks it to stop.
    #[cfg(unix)]
    pub(crate) fn terminate(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the end: how it was, how long it took, and what was left on both outputs.
    pub(crate) fn end(mut self) -> End {
        let began = Instant::now();
        let stdout = rest(&self.stdout);
        let stderr = rest(&self.stderr);
        let status = self.child.wait().unwrap();
        End { status, took: began.elapsed(), stdout, stderr }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A test that failed leaves no process behind; one that ended has none to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) struct End {
    pub(crate) status: ExitStatus,
    pub(crate) took: Duration,
    pub(crate) stdout: Vec<String>,
    pub(crate) stderr: Vec<String>,
}

fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            if sender.send(line.unwrap()).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Everything up to the end of the stream.
fn rest(receiver: &Receiver<String>) -> Vec<String> {
    let mut lines = Vec::new();
    while let Ok(line) = receiver.recv_timeout(PATIENCE) {
        lines.push(line);
    }
    lines
}
