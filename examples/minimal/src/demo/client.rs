use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

/// The key under which a host carries the token of a confirmation.
pub(crate) const CONFIRMATION: &str = "mcp-tool-bridge/confirmation";

/// A server that has not said anything for so long never will.
const PATIENCE: Duration = Duration::from_secs(10);

/// How the person at the client answers a question of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Person {
    /// The client cannot ask anybody.
    Absent,
    Says(Answer),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
}

/// An MCP client with a server of its own: a child process that it talks to over pipes.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: Receiver<String>,
    last_id: u64,
    person: Person,
    asked: VecDeque<String>,
    said: VecDeque<String>,
}

impl Client {
    /// Starts a server for this principal and agrees on a protocol version with it.
    pub(crate) fn start(program: &Path, principal: &str, roles: &str, person: Person) -> anyhow::Result<Self> {
        let mut child = Command::new(program)
            .env("EXAMPLE_PRINCIPAL_ID", principal)
            .env("EXAMPLE_PRINCIPAL_ROLES", roles)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("the server cannot be started")?;
        let (output, errors) = (lines_of(child.stdout.take()), lines_of(child.stderr.take()));
        let input = child.stdin.take();
        let (asked, said) = (VecDeque::new(), VecDeque::new());
        let mut client = Self { child, input, output, errors, last_id: 0, person, asked, said };
        let capabilities = match person {
            Person::Absent => json!({}),
            Person::Says(_) => json!({"elicitation": {"form": {}}}),
        };
        let answer = client.request(
            "initialize",
            &json!({
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": {"name": "minimal-demo", "version": env!("CARGO_PKG_VERSION")},
            }),
        )?;
        ensure!(at(&answer, "/result/protocolVersion") == "2025-11-25", "the server did not agree on a version");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    /// The names of the tools that are listed.
    pub(crate) fn list(&mut self) -> anyhow::Result<Vec<String>> {
        let answer = self.request("tools/list", &json!({}))?;
        let tools = at(&answer, "/result/tools").as_array().context("no tools were listed")?;
        Ok(tools.iter().filter_map(|tool| at(tool, "/name").as_str()).map(str::to_owned).collect())
    }

    /// The whole answer to a call: a `result` or an `error`.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<Value> {
        self.request("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// The same call again with the token that a person's yes released.
    pub(crate) fn call_confirmed(&mut self, tool: &str, arguments: &Value, token: &str) -> anyhow::Result<Value> {
        let meta = confirmation_meta(token);
        self.request("tools/call", &json!({"name": tool, "arguments": arguments, "_meta": meta}))
    }

    /// How the person answers from now on.
    pub(crate) fn person_says(&mut self, answer: Answer) {
        self.person = Person::Says(answer);
    }

    /// The oldest question that the person was asked and that nobody has looked at.
    pub(crate) fn question(&mut self) -> Option<String> {
        self.asked.pop_front()
    }

    /// The next events of the server's audit, of which so many must come. They are the JSON lines on its stderr.
    pub(crate) fn audit(&mut self, events: usize) -> anyhow::Result<Vec<Value>> {
        let mut found = Vec::new();
        while found.len() < events {
            let line = self.errors.recv_timeout(PATIENCE).context("the audit has fewer lines than expected")?;
            match serde_json::from_str(&line) {
                Ok(event @ Value::Object(_)) => found.push(event),
                _ => self.said.push_back(line),
            }
        }
        Ok(found)
    }

    /// The oldest line on the server's stderr that is no event and that nobody has looked at.
    pub(crate) fn line(&mut self) -> Option<String> {
        self.said.pop_front()
    }

    /// Closes the input and waits for the server to end; gives how it ended and what else stood on its stderr.
    pub(crate) fn stop(mut self) -> anyhow::Result<(ExitStatus, Vec<String>)> {
        drop(self.input.take());
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => bail!("the server does not end with its input"),
            }
        }
        let status = self.child.wait()?;
        let rest = self.said.drain(..).chain(self.errors.iter()).collect();
        Ok((status, rest))
    }

    fn request(&mut self, method: &str, params: &Value) -> anyhow::Result<Value> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let line = self.output.recv_timeout(PATIENCE).with_context(|| format!("no answer to `{method}`"))?;
            let message: Value = serde_json::from_str(&line).context("stdout carries more than the protocol")?;
            if at(&message, "/method") == "elicitation/create" {
                self.answer(&message)?;
            } else if at(&message, "/id") == id {
                return Ok(message);
            }
        }
    }

    fn answer(&mut self, question: &Value) -> anyhow::Result<()> {
        let result = match self.person {
            Person::Absent => bail!("the server asks although the client cannot"),
            Person::Says(Answer::Yes) => json!({"action": "accept", "content": {"confirm": true}}),
            Person::Says(Answer::No) => json!({"action": "decline"}),
        };
        self.asked.push_back(at(question, "/params/message").as_str().unwrap_or_default().to_owned());
        self.send(&json!({"jsonrpc": "2.0", "id": at(question, "/id"), "result": result}))
    }

    fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        let input = self.input.as_mut().context("the server has no input")?;
        input.write_all(format!("{message}\n").as_bytes()).context("the server does not read")
    }
}

impl Drop for Client {
    /// Leaves no server behind, whatever went wrong.
    fn drop(&mut self) {
        drop(self.input.take());
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            // It may have ended in between, and there is nobody left to tell.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// The `_meta` of a call that a person has said yes to.
pub(crate) fn confirmation_meta(token: &str) -> Value {
    json!({CONFIRMATION: {"token": token}})
}

/// What stands at a JSON Pointer; `null` if nothing does.
pub(crate) fn at<'v>(value: &'v Value, pointer: &str) -> &'v Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}

/// The lines of a stream as they come, read by a thread of its own so that waiting can have an end.
fn lines_of(stream: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    if let Some(stream) = stream {
        thread::spawn(move || {
            let lines = BufReader::new(stream).lines();
            lines.map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
    }
    receiver
}
