//! The other end of a connection: sends messages, runs the tasks, and checks whatever comes back.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mtb_core::{Principal, Transport};
use mtb_mcp::{Action, Actions, Connection, ServerInfo, ServerOptions, TaskDone, TaskId};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use crate::lab::Lab;
use crate::wire_schema::{self, MODERN};

pub(crate) struct Peer {
    runtime: Runtime,
    connection: Connection<()>,
    actions: Actions,
    ended: mpsc::UnboundedSender<Ended>,
    ends: mpsc::UnboundedReceiver<Ended>,
    reports: Arc<Mutex<VecDeque<(TaskId, mtb_bridge::Progress)>>>,
    session: Option<String>,
    /// Method and revision of the requests under each id, the oldest first.
    asked: HashMap<String, VecDeque<(String, String)>>,
    /// Requests that were cancelled, in case it was too late.
    cancelled: HashMap<String, (String, String)>,
    questions: HashSet<String>,
    sent: Vec<Value>,
    /// The bytes of everything that was ever sent.
    pub(crate) raw: Vec<u8>,
}

type Ended = (TaskId, TaskDone);

pub(crate) fn info() -> ServerInfo {
    ServerInfo {
        name: "test-server".to_owned(),
        version: "1.0.0".to_owned(),
        title: Some("Test server".to_owned()),
        instructions: Some("Test tools.".to_owned()),
    }
}

pub(crate) fn options() -> ServerOptions {
    ServerOptions::new(info())
}

impl Peer {
    pub(crate) fn new(lab: &Lab) -> Self {
        Self::with(lab, options())
    }

    pub(crate) fn with(lab: &Lab, options: ServerOptions) -> Self {
        Self::of(lab, crate::lab::editor(), Transport::STDIO, options)
    }

    pub(crate) fn of(lab: &Lab, principal: Principal, transport: Transport, options: ServerOptions) -> Self {
        let reports = Arc::<Mutex<VecDeque<_>>>::default();
        let inbox = Arc::clone(&reports);
        let progress = Arc::new(move |task, progress| inbox.lock().unwrap().push_back((task, progress)));
        let (ended, ends) = mpsc::unbounded_channel();
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        Self {
            runtime: runtime.enable_time().start_paused(true).build().unwrap(),
            connection: Connection::new(lab.bridge.clone(), principal, transport, Arc::new(options), progress),
            actions: Actions::new(),
            ended,
            ends,
            reports,
            session: None,
            asked: HashMap::new(),
            cancelled: HashMap::new(),
            questions: HashSet::new(),
            sent: Vec::new(),
            raw: Vec::new(),
        }
    }

    /// A connection that has initialized, of a client with these capabilities.
    pub(crate) fn legacy(lab: &Lab, version: &str, capabilities: Value) -> Self {
        Self::legacy_with(lab, options(), version, capabilities)
    }

    pub(crate) fn legacy_with(lab: &Lab, options: ServerOptions, version: &str, capabilities: Value) -> Self {
        let mut peer = Self::with(lab, options);
        peer.initialize(version, capabilities);
        peer
    }

    pub(crate) fn initialize(&mut self, version: &str, capabilities: Value) -> Value {
        let client = json!({"name": "C", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": client});
        let answer = self.request("hello", "initialize", params);
        assert_eq!(self.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})), [] as [Value; 0]);
        answer
    }

    /// Sends a message and gives everything that comes back by itself.
    pub(crate) fn tell(&mut self, message: &Value) -> Vec<Value> {
        self.tell_text(&message.to_string())
    }

    pub(crate) fn tell_text(&mut self, message: &str) -> Vec<Value> {
        self.tell_bytes(message.as_bytes())
    }

    pub(crate) fn tell_bytes(&mut self, message: &[u8]) -> Vec<Value> {
        if let Ok(message) = serde_json::from_slice(message) {
            self.note(&message);
        }
        self.step(|connection, actions| connection.receive(message, actions))
    }

    /// Sends all of these before anything else happens.
    pub(crate) fn tell_all(&mut self, messages: &[Value]) -> Vec<Value> {
        for message in messages {
            self.note(message);
        }
        self.step(|connection, actions| {
            for message in messages {
                connection.receive(message.to_string().as_bytes(), actions);
            }
        })
    }

    /// Sends a request and gives the one answer to it.
    pub(crate) fn request(&mut self, id: impl Into<Value>, method: &str, params: Value) -> Value {
        let answers = self.tell(&request(id, method, params));
        assert_eq!(answers.len(), 1, "{answers:#?}");
        answers.into_iter().next().unwrap()
    }

    pub(crate) fn call(&mut self, id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
        self.request(id, "tools/call", json!({"name": tool, "arguments": arguments}))
    }

    pub(crate) fn step(&mut self, step: impl FnOnce(&mut Connection<()>, &mut Actions)) -> Vec<Value> {
        step(&mut self.connection, &mut self.actions);
        self.settle()
    }

    /// Lets everything run as far as it goes without time passing.
    pub(crate) fn settle(&mut self) -> Vec<Value> {
        let mut quiet = 0;
        while quiet < 40 {
            quiet += 1;
            while let Some(action) = self.actions.pop() {
                quiet = 0;
                match action {
                    Action::Send(message) => self.take(message.as_bytes()),
                    Action::Start(task) => {
                        let ended = self.ended.clone();
                        drop(self.runtime.spawn(async move {
                            let outcome = task.work.await;
                            ended.send((task.id, outcome)).unwrap();
                        }));
                    }
                }
            }
            self.runtime.block_on(tokio::task::yield_now());
            let report = self.reports.lock().unwrap().pop_front();
            if let Some((task, progress)) = report {
                self.connection.progress(task, progress, &mut self.actions);
            } else if let Ok((task, done)) = self.ends.try_recv() {
                self.connection.finished(task, done, &mut self.actions);
            } else {
                continue;
            }
            quiet = 0;
        }
        std::mem::take(&mut self.sent)
    }

    /// Lets the runtime's time pass, for the time limits of tools.
    pub(crate) fn pass(&mut self, time: Duration) -> Vec<Value> {
        self.runtime.block_on(tokio::time::advance(time));
        self.settle()
    }

    pub(crate) fn tools_changed(&mut self) -> Vec<Value> {
        self.step(Connection::tools_changed)
    }

    pub(crate) fn expire(&mut self) -> Vec<Value> {
        self.step(Connection::expire)
    }

    pub(crate) fn close(&mut self) -> Vec<Value> {
        self.step(Connection::close)
    }

    /// Sends a message and closes before anything came of it.
    pub(crate) fn close_after(&mut self, message: &str) -> Vec<Value> {
        self.note(&serde_json::from_str(message).unwrap());
        self.step(|connection, actions| {
            connection.receive(message.as_bytes(), actions);
            connection.close(actions);
        })
    }

    /// Sends a call whose task ends at once. Before the connection learns of that, something else happens.
    pub(crate) fn tell_before_its_end(
        &mut self,
        call: &Value,
        something: impl FnOnce(&mut Connection<()>, &mut Actions),
    ) -> Vec<Value> {
        self.note(call);
        self.connection.receive(call.to_string().as_bytes(), &mut self.actions);
        let Some(Action::Start(task)) = self.actions.pop() else { panic!("the call was not started") };
        let done = self.runtime.block_on(task.work);
        something(&mut self.connection, &mut self.actions);
        self.connection.finished(task.id, done, &mut self.actions);
        self.settle()
    }

    pub(crate) fn connection(&self) -> &Connection<()> {
        &self.connection
    }

    /// Remembers what a request asked, so that its answer can be checked.
    fn note(&mut self, message: &Value) {
        if let Value::Array(items) = message {
            for item in items {
                self.note(item);
            }
            return;
        }
        if message["method"] == "notifications/cancelled" {
            let id = message["params"]["requestId"].to_string();
            let asked = self.asked.get_mut(&id).and_then(VecDeque::pop_front);
            self.cancelled.extend(asked.map(|asked| (id, asked)));
            return;
        }
        let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) else { return };
        let modern = message["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion").is_some();
        let version = match (&self.session, modern) {
            (_, true) => MODERN.to_owned(),
            (Some(session), false) => session.clone(),
            (None, false) => "2025-11-25".to_owned(),
        };
        self.asked.entry(id.to_string()).or_default().push_back((method.to_owned(), version));
    }

    fn take(&mut self, bytes: &[u8]) {
        assert!(!bytes.contains(&b'\n'), "a message is one line");
        self.raw.extend_from_slice(bytes);
        self.raw.push(b'\n');
        let message: Value = serde_json::from_slice(bytes).unwrap();
        if let Value::Array(items) = &message {
            // The schema knows no error without an id; JSON-RPC does.
            let named: Vec<_> = items.iter().filter(|item| item.get("id").is_some()).collect();
            wire_schema::check("2025-03-26", "JSONRPCBatchResponse", &json!(named));
            for item in items {
                self.check(item);
            }
        } else {
            self.check(&message);
        }
        self.sent.push(message);
    }

    fn check(&mut self, message: &Value) {
        let session = self.session.clone();
        if let Some(result) = message.get("result") {
            let id = message["id"].to_string();
            let asked = self.asked.get_mut(&id).and_then(VecDeque::pop_front);
            let asked = asked.or_else(|| self.cancelled.remove(&id));
            let (method, version) = asked.expect("an answer to nothing");
            if method == "initialize" {
                self.session = Some(result["protocolVersion"].as_str().unwrap().to_owned());
            }
            let version = if method == "initialize" { self.session.clone().unwrap() } else { version };
            wire_schema::check(&version, wire_schema::response_envelope(&version), message);
            wire_schema::check(&version, wire_schema::result_of(&method, result), result);
        } else if let Some(error) = message.get("error") {
            // Without an id, revisions before 2025-11-25 know no error at all.
            let mut version = "2025-11-25".to_owned();
            if let Some(id) = message.get("id") {
                let asked = self.asked.get_mut(&id.to_string());
                // A duplicate is refused before the first of its name is answered.
                let duplicate = error["message"].as_str().unwrap().contains("another request with this id");
                let asked = asked.and_then(|asked| if duplicate { asked.pop_back() } else { asked.pop_front() });
                version = asked.map_or(version, |(_, version)| version);
            }
            wire_schema::check(&version, wire_schema::error_envelope(&version), message);
            if error["code"] == -32022 {
                wire_schema::check(MODERN, "UnsupportedProtocolVersionError", message);
            }
        } else if let Some(id) = message.get("id") {
            let version = session.expect("a question before the handshake");
            assert_eq!(message["method"], "elicitation/create");
            assert!(self.questions.insert(id.as_str().unwrap().to_owned()), "a question of the same id");
            wire_schema::check(&version, "JSONRPCRequest", message);
            wire_schema::check(&version, "ElicitRequest", message);
        } else {
            let version = session.unwrap_or_else(|| MODERN.to_owned());
            let method = message["method"].as_str().unwrap();
            let tagged = message["params"]["_meta"].get("io.modelcontextprotocol/subscriptionId").is_some();
            let version = if tagged { MODERN } else { &version };
            wire_schema::check(version, "JSONRPCNotification", message);
            wire_schema::check(version, wire_schema::notification(method), message);
        }
    }
}

pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// `params` of a request that describes itself, of a client that can ask by form.
pub(crate) fn modern(params: Value) -> Value {
    modern_with(params, json!({"elicitation": {"form": {}}}))
}

pub(crate) fn modern_with(mut params: Value, capabilities: Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(MODERN);
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    params
}

pub(crate) fn notify(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

pub(crate) fn cancelled(id: impl Into<Value>) -> Value {
    notify("notifications/cancelled", json!({"requestId": id.into()}))
}

/// The code and the text of an error.
pub(crate) fn error(message: &Value) -> (i64, &str) {
    let error = message.get("error").unwrap_or_else(|| panic!("no error: {message}"));
    (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap())
}

pub(crate) fn result(message: &Value) -> &Value {
    message.get("result").unwrap_or_else(|| panic!("no result: {message}"))
}

/// The text of the one block of a result.
pub(crate) fn text(message: &Value) -> &str {
    let content = result(message)["content"].as_array().unwrap();
    assert_eq!(content.len(), 1, "{message}");
    content[0]["text"].as_str().unwrap()
}

/// The text of a result that is an error.
pub(crate) fn failure(message: &Value) -> &str {
    assert_eq!(result(message)["isError"], true, "{message}");
    text(message)
}
