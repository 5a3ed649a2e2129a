use std::sync::Arc;

use mtb_audit::{AuditEvent, AuditSink, CallScope, EventKind, MemorySink, SinkError, Trail};
use mtb_core::json::Limits;
use mtb_core::{
    CallId, CanonicalJson, Declaration, DeclarationDraft, Governance, Principal, Retain, Reversibility, SchemaSource,
    Sensitivity, Timestamp, Transport, any_of,
};
use serde_json::{Value, json};

/// The tool of most tests: its password is not for anybody.
pub(crate) fn send_mail(retain: Retain) -> Declaration {
    let arguments = json!({
        "type": "object",
        "properties": {
            "to": {"type": "string"},
            "subject": {"type": "string"},
            "body": {"type": "string"},
            "password": {"type": "string"},
        },
        "required": ["to"],
        "additionalProperties": false,
    });
    let governance = Governance {
        sensitivity: Sensitivity::High,
        reversibility: Reversibility::Irreversible,
        roles: any_of(["reader"]),
    };
    let mut draft = DeclarationDraft::new("send_mail", "Sends a mail.", SchemaSource::value(arguments), governance);
    draft.retain = retain;
    draft.check().unwrap()
}

pub(crate) fn mail() -> CanonicalJson {
    let mail = json!({"to": "ada@example.com", "subject": "Invoice 12", "body": "private body", "password": "hunter2"});
    CanonicalJson::from_value(&mail, &Limits::default()).unwrap()
}

pub(crate) fn alice() -> Principal {
    Principal::new("alice", ["reader"]).unwrap()
}

pub(crate) fn call_id() -> CallId {
    CallId::from_bytes([7; 16])
}

/// 2026-10-02T12:00:00Z, the moment of every test.
pub(crate) const NOON: Timestamp = Timestamp::from_millis(1_790_942_400_000);

pub(crate) const STARTED: EventKind = EventKind::CallStarted { confirmed: false };

pub(crate) fn shared(sink: impl AuditSink) -> Arc<dyn AuditSink> {
    Arc::new(sink)
}

pub(crate) fn trail(sinks: impl IntoIterator<Item = Arc<dyn AuditSink>>) -> Trail {
    Trail::new(sinks).unwrap()
}

/// A trail into memory, and the memory.
pub(crate) fn remembered() -> (Trail, MemorySink) {
    let sink = MemorySink::default();
    (Trail::to(sink.clone()), sink)
}

pub(crate) fn scope(trail: &Trail, declaration: &Declaration) -> CallScope {
    let mut scope = trail.scope(call_id(), Transport::STDIO, &alice(), declaration);
    trail.arguments(&mut scope, declaration, &mail());
    scope
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// The event's line, its id replaced: it is random.
pub(crate) fn line(event: &AuditEvent) -> String {
    let line = String::from_utf8(mtb_audit::json_line(event).unwrap()).unwrap();
    line.replace(&event.id().to_string(), "<id>")
}

pub(crate) fn json(event: &AuditEvent) -> Value {
    serde_json::to_value(event).unwrap()
}

/// A sink that misbehaves.
pub(crate) enum Failing {
    Erring,
    PanickingAtOnce,
    PanickingLater,
}

impl AuditSink for Failing {
    fn record<'s, 'e, 'f>(
        &'s self,
        event: &'e AuditEvent,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<(), SinkError>> + Send + 'f>>
    where
        's: 'f,
        'e: 'f,
        Self: 'f,
    {
        match self {
            Self::Erring => Box::pin(async { Err(SinkError::new("disk full")) }),
            Self::PanickingAtOnce => panic!("quoting {}", json(event)),
            Self::PanickingLater => Box::pin(async move {
                tokio::task::yield_now().await;
                panic!("quoting {}", json(event))
            }),
        }
    }
}
