use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use mtb_audit::{
    AuditEvent, DeclineDetail, EventKind, FailureKind, FailureMode, IssueRef, MemorySink, RejectReason, Trail,
    WithdrawDetail, error_record, result_record,
};
use mtb_core::json::Limits;
use mtb_core::{CanonicalJson, Declaration, Retain, Transport};
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::fixture::{Failing, NOON, STARTED, alice, block_on, call_id, json, send_mail, shared, trail};

const CANARY: &str = "canary-4711";

/// Everything a subscriber is told, at every level.
#[derive(Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<String>>);

impl Heard {
    /// What is said through `tracing` while the future runs.
    pub(crate) fn during<T>(future: impl Future<Output = T>) -> (T, String) {
        let heard = Self::default();
        let done = tracing::subscriber::with_default(heard.clone(), || block_on(future));
        let said = heard.0.lock().unwrap().clone();
        (done, said)
    }
}

impl Subscriber for Heard {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut Said(&mut self.0.lock().unwrap()));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Said(&mut self.0.lock().unwrap()));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut heard = self.0.lock().unwrap();
        write!(heard, "{} ", event.metadata().level()).unwrap();
        event.record(&mut Said(&mut heard));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Said<'h>(&'h mut String);

impl Visit for Said<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, "{field}={value:?} ").unwrap();
    }
}

fn arguments() -> CanonicalJson {
    let value = json!({"to": CANARY, "subject": CANARY, "body": CANARY, "password": CANARY});
    CanonicalJson::from_value(&value, &Limits::default()).unwrap()
}

/// Every kind of event, each made from content that holds the canary wherever content can be.
fn kinds(declaration: &Declaration) -> Vec<EventKind> {
    let invented = json!({"to": [CANARY], CANARY: CANARY, "body": {CANARY: CANARY}});
    let issues = declaration.arguments().validate(&invented).unwrap_err();
    let result = json!({"messageId": CANARY, CANARY: [CANARY], "deep": {"token": CANARY}});
    let text = format!("no such mailbox: {CANARY}");
    let failures = [FailureKind::ToolError, FailureKind::Exception, FailureKind::InvalidOutput];
    let mut kinds = vec![
        EventKind::CallRejected {
            reason: RejectReason::InvalidArguments,
            detail: None,
            issues: issues.iter().map(IssueRef::of).collect(),
        },
        EventKind::ConfirmationIssued { expires_at: NOON },
        EventKind::ConfirmationDeclined { detail: DeclineDetail::Declined },
        EventKind::ConfirmationWithdrawn { detail: WithdrawDetail::Closed },
        STARTED,
    ];
    kinds.extend([true, false].map(|is_error| EventKind::CallSucceeded {
        confirmed: true,
        duration_ms: 1,
        result: result_record(declaration, Some(&result), is_error),
    }));
    kinds.extend(failures.map(|kind| EventKind::CallFailed {
        confirmed: true,
        duration_ms: 1,
        error: error_record(declaration, kind, Some(&text)),
    }));
    kinds
}

/// Records every kind of event under a declared and an invented tool, with every sink that misbehaves beside the one
/// that remembers; answers with the events, and with everything said about them.
fn recorded(retain: Retain, adjust: impl FnOnce(Trail) -> Trail) -> (Vec<AuditEvent>, String) {
    let declaration = send_mail(retain);
    let sink = MemorySink::default();
    let failing = [Failing::Erring, Failing::PanickingAtOnce, Failing::PanickingLater];
    let failing = failing.into_iter().map(shared);
    let trail = adjust(trail(failing.chain([shared(sink.clone())]))).with_failure_mode(FailureMode::Block);
    let mut scope = trail.scope(call_id(), Transport::DIRECT, &alice(), &declaration);
    trail.arguments(&mut scope, &declaration, &arguments());
    let unknown = trail.unknown_scope(call_id(), Transport::DIRECT, &alice(), CANARY);
    let (mut said, heard) = Heard::during(async {
        let mut said = format!("{trail:?} {scope:?} {unknown:?} {sink:?} ");
        for kind in kinds(&declaration) {
            for scope in [&scope, &unknown] {
                let error = trail.record(scope, NOON, kind.clone()).await.unwrap_err();
                write!(said, "{error} {error:?} ").unwrap();
                trail.record_end(scope, NOON, kind.clone()).await;
            }
        }
        said
    });
    assert!(heard.contains("disk full") && heard.contains("panicked"), "the sinks were not heard of");
    said.push_str(&heard);
    let events = sink.events();
    assert_eq!(events.len(), 4 * kinds(&declaration).len());
    for event in &events {
        write!(said, "{event:?} {event:#?} ").unwrap();
    }
    (events, said)
}

/// The places of the canary in an event, as JSON Pointers.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Array(items) => (0..).zip(items).for_each(|(n, item)| places(item, &format!("{at}/{n}"), out)),
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            places(&json!(name), &format!("{at}/(name)"), out);
            places(member, &format!("{at}/{}", mtb_core::escape_token(name)), out);
        }),
        leaf if leaf.to_string().contains(CANARY) => out.push(at.to_owned()),
        _ => {}
    }
}

#[track_caller]
fn check(retain: Retain, adjust: impl FnOnce(Trail) -> Trail, expect: &[&str]) {
    let (events, said) = recorded(retain, adjust);
    assert!(!said.contains(CANARY), "{said}");
    for shown in ["Trail", "CallScope", "MemorySink", "ErrorRecord"] {
        assert!(said.contains(shown), "{shown}: {said}");
    }
    let mut found = Vec::new();
    for event in &events {
        places(&json(event), "", &mut found);
    }
    found.sort();
    found.dedup();
    assert_eq!(found, expect);
}

#[test]
fn no_content_reaches_an_event_a_log_or_an_error() {
    check(Retain::nothing(), |trail| trail, &[]); // cases 74, 76
}

#[test]
fn declared_arguments_reach_the_event_and_nothing_else() {
    let retain = Retain::nothing().argument("/to").argument("/password");
    check(retain, |trail| trail, &["/args/~1to"]); // case 75
}

#[test]
fn declared_results_reach_the_event_and_nothing_else() {
    check(Retain::nothing().result("/messageId").result("/deep"), |trail| trail, &["/result/kept/~1messageId"]);
}

#[test]
fn declared_error_texts_reach_the_event_and_nothing_else() {
    check(Retain::nothing().errors(), |trail| trail, &["/error/message"]);
}

#[test]
fn kept_unknown_names_reach_the_event_and_nothing_else() {
    check(Retain::nothing(), Trail::keep_unknown_names, &["/tool/unknown/name"]);
}
