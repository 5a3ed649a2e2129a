//! What a declaration must say, and what follows from it.
#![allow(clippy::unwrap_used, reason = "what a test relies on fails the test")]

use std::time::Duration;

use serde_json::json;

use mtb_core::{
    ConfirmMode, DeclarationDraft, DefinitionCode, Dialect, Governance, Principal, Retain, Reversibility, SchemaSource,
    Sensitivity, UnknownArguments::Refuse, any_of, can_access,
};

fn draft() -> DeclarationDraft {
    let arguments = SchemaSource::value(json!({
        "type": "object",
        "properties": {"invoiceId": {"type": "string"}},
        "additionalProperties": false,
    }));
    let governance = Governance {
        sensitivity: Sensitivity::High,
        reversibility: Reversibility::Irreversible,
        roles: any_of(["billing", "admin"]),
    };
    DeclarationDraft::new("send_invoice", "Sends an invoice.", arguments, governance)
}

#[track_caller]
fn check(change: impl FnOnce(&mut DeclarationDraft), pointer: &str, code: DefinitionCode) {
    let mut draft = draft();
    change(&mut draft);
    let error = draft.check().unwrap_err();
    let found: Vec<_> = error.problems().iter().map(|problem| (problem.pointer.as_str(), problem.code)).collect();
    assert_eq!(found, [(pointer, code)], "{error}");
}

#[test]
fn each_bad_field_is_refused_at_its_place() {
    use DefinitionCode as Code;
    // cases 193-196
    for name in ["", "send invoice", "mail/send", &"a".repeat(129)] {
        check(|draft| name.clone_into(&mut draft.name), "/name", Code::InvalidName);
    }
    // cases 197-199
    for blank in ["", "  ", "\n"] {
        check(|draft| blank.clone_into(&mut draft.description), "/description", Code::InvalidDescription);
        check(|draft| draft.title = Some(blank.to_owned()), "/title", Code::InvalidTitle);
    }
    // cases 218-220
    for timeout in [Duration::ZERO, Duration::from_micros(999), Duration::from_millis(1 << 31)] {
        check(|draft| draft.timeout = Some(timeout), "/timeout", Code::InvalidTimeout);
    }
    // cases 207-209
    for roles in [any_of(Vec::<String>::new()), any_of([""]), any_of([" admin"])] {
        check(|draft| draft.governance.roles = roles, "/governance/roles", Code::InvalidRoles);
    }
    // cases 213, 216
    for pointer in ["", "/", "invoiceId", "/invoiceID"] {
        let retain = Retain::nothing().argument(pointer);
        check(|draft| draft.retain = retain, "/retain/arguments/0", Code::InvalidRetention);
    }
    let unknown = SchemaSource::value(json!({"type": "object", "minProps": 1}));
    check(|draft| draft.arguments = unknown, "/arguments/minProps", Code::InvalidSchema);
}

#[test]
fn every_problem_is_reported_at_once() {
    let mut draft = draft();
    draft.name = "send invoice".to_owned();
    draft.title = Some(" ".to_owned());
    draft.governance.roles = any_of(["", " x"]);
    draft.timeout = Some(Duration::ZERO);
    draft.retain = Retain::nothing().result("x");
    let error = draft.check().unwrap_err();
    assert_eq!(error.problems().len(), 6, "{error}");
}

#[test]
fn access_needs_one_of_the_roles_exactly() {
    let declaration = draft().check().unwrap();
    for (roles, allowed) in [
        (vec![], false),        // case 2
        (vec!["Admin"], false), // case 3
        (vec!["*"], false),
        (vec!["admin:read"], false),
        (vec!["reader", "editor"], false),
        (vec!["support", "admin"], true), // case 1
        (vec!["billing"], true),
    ] {
        let principal = Principal::new("alice", &roles).unwrap();
        assert_eq!(can_access(&declaration, &principal), allowed, "{roles:?}");
    }
}

#[test]
fn hints_follow_from_the_governance() {
    for (sensitivity, reversibility, read_only, destructive) in [
        (Sensitivity::None, Reversibility::Irreversible, true, false), // case 7
        (Sensitivity::None, Reversibility::Reversible, true, false),
        (Sensitivity::Low, Reversibility::Reversible, false, false), // case 8
        (Sensitivity::Low, Reversibility::Irreversible, false, true),
    ] {
        let mut draft = draft();
        draft.governance.sensitivity = sensitivity;
        draft.governance.reversibility = reversibility;
        let declaration = draft.check().unwrap();
        assert_eq!((declaration.read_only_hint(), declaration.destructive_hint()), (read_only, destructive));
    }
}

fn read_as(dialect: Dialect) -> SchemaSource {
    SchemaSource::value(json!({"type": "object", "$schema": "urn:mine"})).allow_dialect("urn:mine", dialect)
}

#[test]
fn the_fingerprint_covers_every_declared_field() {
    let changes: [fn(&mut DeclarationDraft); 16] = [
        |_| {},
        |draft| draft.name = "send_invoices".to_owned(),
        |draft| draft.description.push('!'),
        |draft| draft.title = Some("Send".to_owned()),
        |draft| draft.governance.sensitivity = Sensitivity::Critical,
        |draft| draft.governance.reversibility = Reversibility::Reversible,
        |draft| draft.governance.roles = any_of(["billing"]),
        |draft| draft.governance.roles = any_of(["billingadmin"]),
        |draft| draft.governance.roles = any_of(["billinga", "dmin"]),
        |draft| draft.confirm = ConfirmMode::Always,
        |draft| draft.retain = Retain::nothing().argument("/invoiceId"),
        |draft| draft.timeout = Some(Duration::from_secs(1)),
        |draft| draft.arguments = SchemaSource::value(json!({"type": "object"})),
        |draft| draft.arguments = read_as(Dialect::Draft4),
        |draft| draft.arguments = read_as(Dialect::Draft6),
        |draft| draft.arguments = SchemaSource::value(json!({"type": "object"})).unknown_arguments(Refuse),
    ];
    let fingerprint = |change: fn(&mut DeclarationDraft)| {
        let mut draft = draft();
        change(&mut draft);
        draft.check().unwrap().fingerprint()
    };
    let mut seen: Vec<_> = changes.into_iter().map(fingerprint).collect();
    seen.push(fingerprint(|draft| draft.output = Some(SchemaSource::value(json!({"type": "object"})))));
    seen.push(fingerprint(|draft| draft.retain = Retain::nothing().result("/invoiceId")));
    seen.push(fingerprint(|draft| draft.retain = Retain::nothing().errors()));
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), count);
    assert_eq!(fingerprint(|_| {}), fingerprint(|_| {}));
}
