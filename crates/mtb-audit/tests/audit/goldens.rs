use expect_test::{Expect, expect};
use mtb_audit::{
    DeclineDetail, DigestKey, ErrorRecord, EventKind, FailureKind, IssueRef, MemorySink, RejectReason, Trail,
    WithdrawDetail, error_record, result_record,
};
use mtb_core::{Declaration, Digest, Principal, Retain, Timestamp, Transport};
use serde_json::json;

use super::fixture::{
    NOON, STARTED, alice, block_on, call_id, json, line, mail, remembered, scope, send_mail, shared, trail,
};

#[track_caller]
fn check(retain: Retain, kind: impl FnOnce(&Declaration) -> EventKind, expect: &Expect) {
    let declaration = send_mail(retain);
    let (trail, sink) = remembered();
    block_on(trail.record(&scope(&trail, &declaration), NOON, kind(&declaration))).unwrap();
    expect.assert_eq(&line(&sink.events()[0]));
}

#[test]
fn rejected_calls() {
    let rejected = |reason, detail| EventKind::CallRejected { reason, detail, issues: Vec::new() };
    check(
        Retain::nothing(),
        |_| rejected(RejectReason::Forbidden, None),
        &expect![[r#"
        {"type":"call.rejected","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","reason":"forbidden"}
    "#]],
    );
    check(
        Retain::nothing(),
        |_| rejected(RejectReason::ConfirmationInvalid, Some("tool_changed")),
        &expect![[r#"
        {"type":"call.rejected","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","reason":"confirmation_invalid","detail":"tool_changed"}
    "#]],
    );
}

#[test]
fn confirmations() {
    let expires_at = Timestamp::from_millis(NOON.as_millis() + 300_000);
    check(
        Retain::nothing(),
        |_| EventKind::ConfirmationIssued { expires_at },
        &expect![[r#"
        {"type":"confirmation.issued","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","expiresAt":"2026-10-02T12:05:00.000Z"}
    "#]],
    );
    check(
        Retain::nothing(),
        |_| EventKind::ConfirmationDeclined { detail: DeclineDetail::NotConfirmed },
        &expect![[r#"
        {"type":"confirmation.declined","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","detail":"not_confirmed"}
    "#]],
    );
    check(
        Retain::nothing(),
        |_| EventKind::ConfirmationWithdrawn { detail: WithdrawDetail::ElicitationTimeout },
        &expect![[r#"
            {"type":"confirmation.withdrawn","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","detail":"elicitation_timeout"}
        "#]],
    );
}

#[test]
fn started_calls() {
    check(
        Retain::nothing(),
        |_| STARTED,
        &expect![[r#"
        {"type":"call.started","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","confirmed":false}
    "#]],
    );
    check(
        Retain::nothing().argument("/to").argument("/password"),
        |_| EventKind::CallStarted { confirmed: true },
        &expect![[r#"
            {"type":"call.started","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","args":{"/to":"ada@example.com","/password":"[REDACTED]"},"confirmed":true}
        "#]],
    );
}

#[test]
fn succeeded_calls() {
    let value = json!({"messageId": "m-1", "log": "private body"});
    let succeeded = |declaration: &Declaration| EventKind::CallSucceeded {
        confirmed: false,
        duration_ms: 25,
        result: result_record(declaration, Some(&value), false),
    };
    check(
        Retain::nothing(),
        succeeded,
        &expect![[r#"
        {"type":"call.succeeded","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","confirmed":false,"durationMs":25,"result":{"isError":false}}
    "#]],
    );
    check(
        Retain::nothing().result("/messageId"),
        succeeded,
        &expect![[r#"
        {"type":"call.succeeded","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","confirmed":false,"durationMs":25,"result":{"isError":false,"kept":{"/messageId":"m-1"}}}
    "#]],
    );
}

#[test]
fn failed_calls() {
    let failed = |declaration: &Declaration| EventKind::CallFailed {
        confirmed: true,
        duration_ms: 3,
        error: error_record(declaration, FailureKind::ToolError, Some("No invoice INV-12.")),
    };
    check(
        Retain::nothing(),
        failed,
        &expect![[r#"
        {"type":"call.failed","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","confirmed":true,"durationMs":3,"error":{"kind":"tool_error"}}
    "#]],
    );
    check(
        Retain::nothing().errors(),
        failed,
        &expect![[r#"
        {"type":"call.failed","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"stdio","principal":{"id":"alice","roles":["reader"]},"tool":"send_mail","argsDigest":"eedf2f6c9f8caae18a9e0dec8b1283ea00ba2a61b155134ed2b2d3470e01f358","confirmed":true,"durationMs":3,"error":{"kind":"tool_error","message":"No invoice INV-12."}}
    "#]],
    );
}

#[test]
fn unknown_tools() {
    let rejected = || EventKind::CallRejected { reason: RejectReason::UnknownTool, detail: None, issues: Vec::new() };
    let check = |adjust: fn(Trail) -> Trail, expect: Expect| {
        let sink = MemorySink::default();
        let trail = adjust(trail([shared(sink.clone())]));
        let scope = trail.unknown_scope(call_id(), Transport::HTTP, &alice(), "rm -rf\u{202e} /");
        block_on(trail.record(&scope, NOON, rejected())).unwrap();
        expect.assert_eq(&line(&sink.events()[0]));
    };
    check(
        |trail| trail,
        expect![[r#"
        {"type":"call.rejected","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"http","principal":{"id":"alice","roles":["reader"]},"tool":{"unknown":{"bytes":11,"digest":"c8b17e0e9ea293af2bba1b019df0ac9b366bb537fc4b2b63cbbbede7082278ba"}},"reason":"unknown_tool"}
    "#]],
    );
    check(
        |trail| trail.with_digest_key(DigestKey::new(&[7; 32]).unwrap()),
        expect![[r#"
        {"type":"call.rejected","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"http","principal":{"id":"alice","roles":["reader"]},"tool":{"unknown":{"bytes":11,"digest":"3992f6b0b80162fcdf5032d829093c449e44f9c5681608a1924a3cf8940aeb38"}},"reason":"unknown_tool"}
    "#]],
    );
    check(
        Trail::keep_unknown_names,
        expect![[r#"
        {"type":"call.rejected","id":"<id>","at":"2026-10-02T12:00:00.000Z","callId":"07070707-0707-0707-0707-070707070707","transport":"http","principal":{"id":"alice","roles":["reader"]},"tool":{"unknown":{"name":"rm -rf /"}},"reason":"unknown_tool"}
    "#]],
    );
}

#[test]
fn refused_arguments_are_told_by_keyword_and_declared_place() {
    let declaration = send_mail(Retain::nothing());
    let invented = json!({"to": 7, "invented-name": true});
    let issues = declaration.arguments().validate(&invented).unwrap_err();
    let issues: Vec<_> = issues.iter().map(IssueRef::of).collect();
    let (trail, sink) = remembered();
    let scope = trail.scope(call_id(), Transport::STDIO, &alice(), &declaration);
    let kind = EventKind::CallRejected { reason: RejectReason::InvalidArguments, detail: None, issues };
    block_on(trail.record(&scope, NOON, kind)).unwrap();
    let told = json(&sink.events()[0]);
    assert!(!told.to_string().contains("invented"), "{told}");
    let issues = told["issues"].as_array().unwrap();
    let keywords: Vec<_> = issues.iter().map(|issue| issue["keyword"].as_str().unwrap()).collect();
    assert!(keywords.contains(&"type") && keywords.contains(&"additionalProperties"), "{told}");
    for issue in issues {
        assert_eq!(issue.as_object().unwrap().len(), 2);
        let place = issue["path"].as_str().unwrap();
        assert!(declaration.arguments().value().pointer(place).is_some(), "{place}");
    }
}

#[test]
fn every_word_of_the_audit() {
    let reasons = [
        RejectReason::UnknownTool,
        RejectReason::Forbidden,
        RejectReason::InvalidArguments,
        RejectReason::ConfirmationInvalid,
        RejectReason::ConfirmationExpired,
        RejectReason::TooManyPending,
    ];
    let declined =
        [DeclineDetail::Declined, DeclineDetail::Dismissed, DeclineDetail::NotConfirmed, DeclineDetail::Revoked];
    let withdrawn = [
        WithdrawDetail::ElicitationFailed,
        WithdrawDetail::ElicitationTimeout,
        WithdrawDetail::Cancelled,
        WithdrawDetail::Closed,
        WithdrawDetail::Misused,
    ];
    let failures = [
        FailureKind::ToolError,
        FailureKind::Exception,
        FailureKind::Timeout,
        FailureKind::Aborted,
        FailureKind::AuditUnavailable,
        FailureKind::Context,
        FailureKind::ResultTooLarge,
        FailureKind::InvalidOutput,
        FailureKind::Overloaded,
    ];
    expect![[r#"[["unknown_tool","forbidden","invalid_arguments","confirmation_invalid","confirmation_expired","too_many_pending"],["declined","dismissed","not_confirmed","revoked"],["elicitation_failed","elicitation_timeout","cancelled","closed","misused"],["tool_error","exception","timeout","aborted","audit_unavailable","context","result_too_large","invalid_output","overloaded"]]"#]].assert_eq(&json!([reasons, declined, withdrawn, failures]).to_string());
}

#[test]
fn getters_tell_what_the_line_tells() {
    let declaration = send_mail(Retain::nothing().argument("/to"));
    let (trail, sink) = remembered();
    block_on(trail.record(&scope(&trail, &declaration), NOON, STARTED)).unwrap();
    let event = &sink.events()[0];
    let told = json(event);
    assert_eq!(told["id"], event.id().to_string());
    assert_eq!(told["at"], event.at().to_string());
    assert_eq!(told["callId"], event.call_id().to_string());
    assert_eq!(told["transport"], event.transport().as_str());
    assert_eq!(told["principal"], json!({"id": event.principal().id().as_str(), "roles": ["reader"]}));
    assert_eq!(told["tool"], event.tool().name().unwrap().as_str());
    assert_eq!(told["argsDigest"], event.args_digest().unwrap().to_string());
    assert_eq!(told["args"]["/to"], *event.args().unwrap().get("/to").unwrap());
    assert_eq!(told["type"], event.kind().as_str());
}

#[test]
fn digests_are_plain_or_keyed() {
    let declaration = send_mail(Retain::nothing());
    let digest = |trail: Trail| scope(&trail, &declaration).args_digest().unwrap();
    let plain = digest(remembered().0);
    assert_eq!(plain, Digest::of(mail().as_str().as_bytes())); // case 74
    let keyed = |byte| digest(remembered().0.with_digest_key(DigestKey::new(&[byte; 16]).unwrap()));
    assert_ne!(keyed(1), plain);
    assert_ne!(keyed(1), keyed(2));
    assert_eq!(keyed(1), keyed(1));
}

#[test]
fn a_clone_of_a_scope_keeps_what_it_was() {
    let declaration = send_mail(Retain::nothing());
    let (trail, _) = remembered();
    let mut scope = trail.scope(call_id(), Transport::DIRECT, &alice(), &declaration);
    let before = scope.clone();
    trail.arguments(&mut scope, &declaration, &mail());
    assert!(before.args_digest().is_none() && scope.args_digest().is_some());
}

#[test]
fn results_are_told_without_content() {
    let nothing = send_mail(Retain::nothing());
    let value = json!({"messages": [{"id": "m1", "text": "x"}, {"id": "m2", "text": "y"}], "data": "AAAA"});
    let told = |declaration: &Declaration, structured, is_error| {
        serde_json::to_string(&result_record(declaration, structured, is_error)).unwrap()
    };
    assert_eq!(told(&nothing, Some(&value), false), r#"{"isError":false}"#); // case 71
    assert_eq!(told(&nothing, None, true), r#"{"isError":true}"#); // case 71
    let ids = send_mail(Retain::nothing().result("/messages/*/id"));
    assert_eq!(told(&ids, Some(&value), false), r#"{"isError":false,"kept":{"/messages/*/id":["m1","m2"]}}"#); // case 72
    // Content blocks are no structured result: a pointer cannot reach them.
    let data = send_mail(Retain::nothing().result("/data"));
    assert_eq!(told(&data, None, false), r#"{"isError":false}"#); // case 73
}

#[test]
fn failures_are_told_by_kind_unless_texts_are_kept() {
    let long = "x".repeat(2000);
    let nothing = send_mail(Retain::nothing());
    let error = error_record(&nothing, FailureKind::Exception, Some(&long));
    assert_eq!(error, ErrorRecord::without_text(FailureKind::Exception));
    let errors = send_mail(Retain::nothing().errors());
    let error = error_record(&errors, FailureKind::Exception, Some(&long));
    assert_eq!(error.message().unwrap().chars().count(), 501); // case 79
    assert!(error.message().unwrap().ends_with('…'));
    assert_eq!(error_record(&errors, FailureKind::Timeout, None).message(), None);
}

#[test]
fn a_principal_without_roles_is_told_as_such() {
    let (trail, sink) = remembered();
    let eve = Principal::new("eve", Vec::<String>::new()).unwrap();
    let scope = trail.scope(call_id(), Transport::DIRECT, &eve, &send_mail(Retain::nothing()));
    block_on(trail.record_end(&scope, NOON, STARTED));
    assert_eq!(json(&sink.events()[0])["principal"], json!({"id": "eve", "roles": []}));
    assert_eq!(json(&sink.events()[0])["transport"], "direct");
}
