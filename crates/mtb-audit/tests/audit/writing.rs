use std::io::{self, Write};
use std::process::Command;
use std::sync::{Arc, Mutex};

use mtb_audit::{AuditSink as _, FailureMode, StderrSink, Trail, WriterSink};
use mtb_core::{Principal, Retain, Transport};
use serde_json::Value;

use super::fixture::{Failing, NOON, STARTED, block_on, call_id, scope, send_mail, shared, trail};

/// A pipe that remembers each write and flush, and fails when told to.
#[derive(Clone, Default)]
struct Pipe(Arc<Mutex<Piped>>);

#[derive(Default)]
struct Piped {
    writes: Vec<String>,
    flushes: usize,
    trouble: Option<Trouble>,
}

#[derive(Clone, Copy)]
enum Trouble {
    Full,
    Panic,
    Unflushed,
}

impl Pipe {
    fn set(&self, trouble: Option<Trouble>) {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).trouble = trouble;
    }

    fn text(&self) -> String {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).writes.concat()
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut pipe = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match pipe.trouble {
            // Half of the line gets out before the trouble shows.
            Some(Trouble::Full) if bytes.len() > 20 => {
                pipe.writes.push(String::from_utf8_lossy(&bytes[..20]).into_owned());
                Ok(20)
            }
            Some(Trouble::Full) => Err(io::Error::other("no space left")),
            Some(Trouble::Panic) => panic!("the pipe burst"),
            _ => {
                pipe.writes.push(String::from_utf8(bytes.to_vec()).unwrap());
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut pipe = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        pipe.flushes += 1;
        if matches!(pipe.trouble, Some(Trouble::Unflushed)) { Err(io::Error::other("not flushed")) } else { Ok(()) }
    }
}

fn piped() -> (Trail, Pipe) {
    let pipe = Pipe::default();
    let trail = trail([shared(WriterSink::new(pipe.clone()))]);
    (trail.with_failure_mode(FailureMode::Block), pipe)
}

#[test]
fn each_event_is_one_write_and_one_flush() {
    let (trail, pipe) = piped();
    let scope = scope(&trail, &send_mail(Retain::nothing()));
    block_on(async {
        trail.record(&scope, NOON, STARTED).await.unwrap();
        trail.record(&scope, NOON, STARTED).await.unwrap();
    });
    let pipe = pipe.0.lock().unwrap();
    assert_eq!((pipe.writes.len(), pipe.flushes), (2, 2));
    for line in &pipe.writes {
        assert_eq!(line.find('\n'), Some(line.len() - 1));
        let event: Value = serde_json::from_str(line).unwrap();
        assert_eq!(event["callId"], call_id().to_string());
    }
}

#[test]
fn trouble_of_the_writer_is_a_failure_and_the_next_line_stands_alone() {
    // How much of the text is broken lines, and how many whole ones follow.
    for (trouble, broken, whole) in [(Trouble::Full, 1, 2), (Trouble::Panic, 1, 2), (Trouble::Unflushed, 0, 3)] {
        let (trail, pipe) = piped();
        let scope = scope(&trail, &send_mail(Retain::nothing()));
        block_on(async {
            pipe.set(Some(trouble));
            assert!(trail.record(&scope, NOON, STARTED).await.is_err());
            pipe.set(None);
            trail.record(&scope, NOON, STARTED).await.unwrap();
            trail.record(&scope, NOON, STARTED).await.unwrap();
        });
        let text = pipe.text();
        let is_event = |line: &&str| serde_json::from_str::<Value>(line).is_ok();
        assert_eq!(text.lines().filter(is_event).count(), whole, "{text}");
        assert_eq!(text.lines().filter(|line| !is_event(line)).count(), broken, "{text}");
        assert!(text.ends_with('\n'));
    }
}

#[test]
fn nothing_in_a_line_commands_a_terminal() {
    let (trail, pipe) = piped();
    let mallory = Principal::new("mal\u{202e}lory\u{2028}", ["\u{2066}r"]).unwrap();
    let declaration = send_mail(Retain::nothing().argument("/to"));
    let mut scope = trail.scope(call_id(), Transport::DIRECT, &mallory, &declaration);
    let to = "a\u{9b}31m\u{7f}\u{1b}[2J\nß\u{1f600}\u{85}";
    let arguments = serde_json::json!({"to": to});
    let arguments = mtb_core::CanonicalJson::from_value(&arguments, &mtb_core::json::Limits::default()).unwrap();
    trail.arguments(&mut scope, &declaration, &arguments);
    block_on(trail.record(&scope, NOON, STARTED)).unwrap();
    let text = pipe.text();
    let active = |c: char| c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c) || c == '\u{2066}';
    assert!(!text.trim_end_matches('\n').contains(active), "{text}");
    assert!(text.contains("ß\u{1f600}"), "{text}");
    let event: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(event["args"]["/to"], to);
    assert_eq!(event["principal"]["id"], "mal\u{202e}lory\u{2028}");
}

const CHILD: &str = "MTB_AUDIT_TEST_CHILD";

/// What `child` writes to stdout and stderr when it alone runs in a process of its own.
fn child(name: &str) -> (String, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("audit::writing::{name}"), "--nocapture"]).env(CHILD, "1");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

#[test]
fn by_default_events_go_to_stderr_and_never_to_stdout() {
    if is_child() {
        let trail = Trail::default();
        let scope = scope(&trail, &send_mail(Retain::nothing()));
        block_on(async {
            trail.record(&scope, NOON, STARTED).await.unwrap();
            trail.record_end(&scope, NOON, STARTED).await;
        });
        return;
    }
    assert!(StderrSink::new().name().ends_with("StderrSink"));
    let (stdout, stderr) = child("by_default_events_go_to_stderr_and_never_to_stdout"); // case 84
    assert!(!stdout.contains("callId"), "{stdout}");
    let events: Vec<Value> = stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.len(), 2);
    assert!(events.iter().all(|event| event["callId"] == call_id().to_string()));
    assert!(stderr.ends_with('\n'));
}

#[test]
fn without_a_subscriber_warnings_go_to_stderr() {
    if is_child() {
        let trail = trail([shared(Failing::Erring)]);
        let scope = scope(&trail, &send_mail(Retain::nothing()));
        return block_on(trail.record(&scope, NOON, STARTED)).unwrap();
    }
    let (stdout, stderr) = child("without_a_subscriber_warnings_go_to_stderr");
    assert!(!stdout.contains("disk full"), "{stdout}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains("did not record `call.started`") && stderr.ends_with(": disk full\n"), "{stderr}"); // case 81
}
