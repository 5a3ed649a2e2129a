use std::time::Duration;

use mtb_bridge::{
    CallOptions, CallOutcome, CallRequest, Carrier, DeclineDetail, Failure, JsonSchema, Rejection, Tool, WithdrawDetail,
};
use mtb_core::{Principal, Reversibility, Sensitivity};
use serde_json::json;

use crate::lab::{FullDisk, Lab, Ran, Setup, dangerous, editor, governance, invoice_schema, invoices, reader, sends};
use mtb_audit::FailureMode;

fn rejection(outcome: &CallOutcome) -> Option<Rejection> {
    match outcome {
        CallOutcome::Rejected { rejection, .. } => Some(*rejection),
        _ => None,
    }
}

const INVALID: Option<Rejection> = Some(Rejection::ConfirmationInvalid);

#[tokio::test]
async fn a_sensitive_call_waits_and_a_mild_one_does_not() {
    let ran = Ran::default();
    let rows = [
        ("mild", Sensitivity::Medium, Reversibility::Reversible, false), // case 131
        ("none", Sensitivity::None, Reversibility::Irreversible, false),
        ("once", Sensitivity::Medium, Reversibility::Irreversible, true),
        ("high", Sensitivity::High, Reversibility::Reversible, true),
        ("worst", Sensitivity::Critical, Reversibility::Reversible, true),
    ];
    let tools = rows.map(|(name, level, undo, _)| sends(name, governance(level, undo, "reader"), &ran));
    let lab = Lab::new(tools);
    for (name, _, _, held) in rows {
        let before = ran.times();
        let outcome = lab.call(&reader(), name, json!({"invoiceId": "INV-1"})).await;
        assert_eq!(matches!(outcome, CallOutcome::ConfirmationRequired { .. }), held, "{name}");
        assert_eq!(ran.times() - before, usize::from(!held), "{name}");
    }
}

#[tokio::test]
async fn always_confirm_holds_even_a_harmless_tool() {
    let careful = Tool::declare("careful", "Careful.", JsonSchema::no_arguments(), crate::lab::harmless("reader"));
    let lab = Lab::new([careful.always_confirm().handler(|_, _| async { Ok("ran") })]);
    assert_eq!(lab.call(&reader(), "careful", json!({})).await.status(), "confirmation_required");
}

#[tokio::test]
async fn a_held_call_tells_the_host_what_it_would_do() {
    let (lab, ran) = invoices(Setup::default());
    let held = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-12"})).await; // case 132
    assert_eq!(held.tool.as_str(), "send_invoice");
    assert_eq!(held.summary, "Email invoice INV-12");
    assert_eq!(held.expires_at.to_string(), "2026-10-02T12:05:00.000Z");
    assert_eq!(ran.times(), 0);
    assert_eq!(lab.trail(), ["confirmation.issued"]);
}

#[tokio::test]
async fn invalid_arguments_are_refused_before_anybody_is_asked() {
    let (lab, _) = invoices(Setup::default());
    for arguments in [json!({}), json!({"invoiceId": "12"}), json!({"invoiceId": "INV-1", "x": 1})] {
        assert_eq!(lab.call(&reader(), "send_invoice", arguments).await.status(), "invalid_arguments"); // case 133
    }
    assert_eq!(lab.trail(), ["call.rejected"].repeat(3));
}

#[tokio::test]
async fn a_token_works_once() {
    let (lab, ran) = invoices(Setup::default());
    let issued = lab.call(&reader(), "send_invoice", json!({"invoiceId": "INV-12"})).await;
    let id = issued.call_id();
    let CallOutcome::ConfirmationRequired { confirmation, .. } = issued else { panic!() };
    let outcome = lab.bridge.execute_confirmed(&reader(), confirmation.token.expose()).await; // case 134
    assert_eq!((outcome.status(), outcome.call_id()), ("ok", id));
    for _ in 0..3 {
        let again = lab.bridge.execute_confirmed(&reader(), confirmation.token.expose()).await;
        assert_eq!(rejection(&again), INVALID);
    }
    assert_eq!(ran.times(), 1);
    let trail = ["confirmation.issued", "call.started", "call.succeeded", "call.rejected"];
    assert_eq!(lab.trail()[..4], trail);
    let started = &lab.events()[1];
    assert_eq!((&started["callId"], &started["confirmed"]), (&json!(id.to_string()), &json!(true)));
    // A replay is traced to the call it would have repeated.
    assert_eq!(lab.last()["callId"], json!(id.to_string()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_redemptions_at_once_exactly_one_runs() {
    for _ in 0..50 {
        let (lab, ran) = invoices(Setup::default());
        let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
        let redeem = || {
            let (bridge, token) = (lab.bridge.clone(), token.expose().to_owned());
            tokio::spawn(async move { bridge.execute_confirmed(&reader(), &token).await.status() })
        };
        let (first, second) = (redeem(), redeem());
        let mut statuses = [first.await.unwrap(), second.await.unwrap()];
        statuses.sort_unstable();
        assert_eq!(statuses, ["ok", "rejected"]); // case 135
        assert_eq!(ran.times(), 1);
    }
}

#[tokio::test]
async fn a_token_of_another_principal_is_refused_and_spent() {
    let (lab, ran) = invoices(Setup::default());
    for thief in [editor(), Principal::new("Alice", ["reader"]).unwrap(), Principal::new("alice2", ["reader"]).unwrap()]
    {
        let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
        assert_eq!(rejection(&lab.bridge.execute_confirmed(&thief, token.expose()).await), INVALID); // case 138
        assert_eq!(rejection(&lab.bridge.execute_confirmed(&reader(), token.expose()).await), INVALID);
    }
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn what_is_no_token_is_refused() {
    let (lab, ran) = invoices(Setup::default());
    lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await;
    let long = "mtb_".to_owned() + &"a".repeat(100_000);
    for text in ["", "mtb_", "mtb_nope", " ", "mtb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", &long] {
        assert_eq!(rejection(&lab.bridge.execute_confirmed(&reader(), text).await), INVALID); // case 139
    }
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn the_same_call_with_its_token_runs() {
    let (lab, ran) = invoices(Setup::default());
    let held = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1", "copyTo": "x"})).await;
    let text = r#"{ "copyTo":"x", "invoiceId":"INV-1" }"#;
    let again = CallRequest::new("send_invoice", mtb_bridge::RawArguments::text(text)).with_token(held.token.expose());
    assert_eq!(lab.bridge.call_tool(&reader(), again).await.status(), "ok"); // case 140
    assert_eq!(ran.arguments(), [json!({"invoiceId": "INV-1", "copyTo": "x"})]);
}

#[tokio::test]
async fn another_call_with_the_token_is_refused_and_spends_it() {
    let (lab, ran) = invoices(Setup::default());
    let rows = [
        ("send_invoice", json!({"invoiceId": "INV-13"})), // case 141
        ("send_invoice", json!({"invoiceId": "INV-12", "copyTo": "INV-12"})),
        ("send_reminder", json!({"invoiceId": "INV-12"})), // case 142
        ("send_invoice", json!({"invoiceId": 12})),        // case 143
        ("send_invoice", json!({})),
    ];
    for (tool, arguments) in rows {
        let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-12"})).await.token;
        let other = CallRequest::new(tool, arguments).with_token(token.expose());
        assert_eq!(rejection(&lab.bridge.call_tool(&reader(), other).await), INVALID, "{tool}");
        let right = CallRequest::new("send_invoice", json!({"invoiceId": "INV-12"})).with_token(token.expose());
        assert_eq!(rejection(&lab.bridge.call_tool(&reader(), right).await), INVALID);
        assert_eq!(rejection(&lab.bridge.execute_confirmed(&reader(), token.expose()).await), INVALID);
    }
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn a_token_that_came_with_one_carrier_is_refused_through_the_other() {
    let (lab, ran) = invoices(Setup::default());
    for (asked, shown) in [(Carrier::Host, Carrier::Elicited), (Carrier::Elicited, Carrier::Host)] {
        let options = |carrier| CallOptions::new().carrier(carrier);
        let call = || CallRequest::new("send_invoice", json!({"invoiceId": "INV-1"}));
        let held = lab.bridge.call_tool(&reader(), call().with_options(options(asked))).await;
        let CallOutcome::ConfirmationRequired { confirmation, .. } = held else { panic!() };
        let again = call().with_token(confirmation.token.expose()).with_options(options(shown));
        assert_eq!(rejection(&lab.bridge.call_tool(&reader(), again).await), INVALID);
        let held = lab.bridge.call_tool(&reader(), call().with_options(options(asked))).await;
        let CallOutcome::ConfirmationRequired { confirmation, .. } = held else { panic!() };
        let token = confirmation.token.expose();
        let executed = lab.bridge.execute_confirmed_with(&reader(), token, options(shown)).await;
        assert_eq!(rejection(&executed), INVALID);
    }
    assert_eq!(lab.refusals(), ["confirmation_invalid/carrier_mismatch"].repeat(4));
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn the_role_is_checked_again_at_redemption() {
    let (lab, ran) = invoices(Setup::default());
    let demoted = Principal::new("alice", ["guest"]).unwrap();
    let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
    let outcome = lab.bridge.execute_confirmed(&demoted, token.expose()).await; // case 144
    assert_eq!(rejection(&outcome), Some(Rejection::UnknownTool));
    assert_eq!(lab.last()["reason"], "forbidden");
    let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
    let repeat = CallRequest::new("send_invoice", json!({"invoiceId": "INV-1"})).with_token(token.expose());
    let outcome = lab.bridge.call_tool(&demoted, repeat).await; // case 145
    assert_eq!(rejection(&outcome), Some(Rejection::UnknownTool));
    // Presenting it spent it, although access came first.
    assert_eq!(rejection(&lab.bridge.execute_confirmed(&reader(), token.expose()).await), INVALID);
    let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
    lab.registry.unregister("send_invoice");
    let outcome = lab.bridge.execute_confirmed(&reader(), token.expose()).await; // case 146
    assert_eq!(rejection(&outcome), Some(Rejection::UnknownTool));
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn a_replaced_tool_is_another_tool() {
    let wider =
        || JsonSchema::value(json!({"type": "object", "properties": {"invoiceId": {"type": "string"}, "copyTo": {}}}));
    let replacements: [fn(&Ran, JsonSchema) -> mtb_bridge::ToolDraft; 4] = [
        |ran, _| sends("send_invoice", governance(Sensitivity::High, Reversibility::Reversible, "reader"), ran),
        |ran, _| sends("send_invoice", governance(Sensitivity::Low, Reversibility::Irreversible, "reader"), ran),
        |_, schema| {
            Tool::declare("send_invoice", "Emails an invoice.", schema, dangerous("reader"))
                .handler(|_, _| async { Ok("else") })
        },
        |_, _| {
            Tool::declare("send_invoice", "Does something else.", invoice_schema(), dangerous("reader"))
                .handler(|_, _| async { Ok("else") })
        },
    ];
    for replacement in replacements {
        let (lab, ran) = invoices(Setup::default());
        let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
        lab.registry.unregister("send_invoice");
        lab.registry.register(replacement(&ran, wider())).unwrap();
        assert_eq!(rejection(&lab.bridge.execute_confirmed(&reader(), token.expose()).await), INVALID); // case 147
        assert_eq!(lab.refusals(), ["confirmation_invalid/tool_changed"]);
        assert_eq!(ran.times(), 0);
    }
    // The same declaration registered anew is the same tool.
    let (lab, ran) = invoices(Setup::default());
    let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
    lab.registry.unregister("send_invoice");
    lab.registry.register(sends("send_invoice", dangerous("reader"), &ran)).unwrap();
    assert_eq!(lab.bridge.execute_confirmed(&reader(), token.expose()).await.status(), "ok");
}

#[tokio::test]
async fn a_no_spends_the_token() {
    let (lab, ran) = invoices(Setup::default());
    let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
    assert!(lab.bridge.revoke_confirmation(&reader(), token.expose()).await); // case 148
    assert!(!lab.bridge.revoke_confirmation(&reader(), token.expose()).await);
    assert_eq!(rejection(&lab.bridge.execute_confirmed(&reader(), token.expose()).await), INVALID);
    assert_eq!(ran.times(), 0);
    assert_eq!(lab.trail(), ["confirmation.issued", "confirmation.declined", "call.rejected", "call.rejected"]);
    assert_eq!(lab.refusals(), ["confirmation_invalid/consumed"].repeat(2));
    assert_eq!(lab.events()[1]["detail"], "revoked");
}

/// A transport says how a question ended, and hears whether there was one.
#[tokio::test]
async fn a_question_ends_once() {
    let arguments = json!({"invoiceId": "INV-1"});
    let (lab, ran) = invoices(Setup::default());
    let token = lab.hold(&reader(), "send_invoice", arguments.clone()).await.token;
    let withdraw = async || {
        let detail = WithdrawDetail::Cancelled;
        lab.bridge.withdraw(&reader(), token.expose(), detail, CallOptions::new()).await
    };
    assert!(withdraw().await);
    assert!(!withdraw().await);
    let token = lab.hold(&reader(), "send_invoice", arguments.clone()).await.token;
    let decline = async || {
        let request = CallRequest::new("send_invoice", arguments.clone()).with_token(token.expose());
        lab.bridge.decline_call(&reader(), request, DeclineDetail::Declined).await
    };
    assert!(decline().await);
    assert!(!decline().await);
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn only_the_owner_can_say_no_and_trying_spends_the_token() {
    let (lab, ran) = invoices(Setup::default());
    let token = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
    assert!(!lab.bridge.revoke_confirmation(&editor(), token.expose()).await); // case 149
    assert_eq!(rejection(&lab.bridge.execute_confirmed(&reader(), token.expose()).await), INVALID);
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn nobody_floods_the_store() {
    let (lab, _) = invoices(Setup { max_pending: 2, ..Setup::default() });
    let call = async |principal: &Principal| lab.call(principal, "send_invoice", json!({"invoiceId": "INV-1"})).await;
    let first = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await;
    assert_eq!(call(&reader()).await.status(), "confirmation_required");
    for _ in 0..3 {
        assert_eq!(rejection(&call(&reader()).await), Some(Rejection::TooManyPending));
    }
    assert_eq!(lab.refusals(), ["too_many_pending/principal_full"].repeat(3));
    // Nobody else is affected, the pending ones are still good, and an answer or the end of their life makes room.
    assert_eq!(call(&editor()).await.status(), "confirmation_required");
    assert_eq!(lab.bridge.execute_confirmed(&reader(), first.token.expose()).await.status(), "ok");
    assert_eq!(call(&reader()).await.status(), "confirmation_required");
    lab.clock.advance(Duration::from_secs(300));
    assert_eq!(call(&reader()).await.status(), "confirmation_required");
}

#[tokio::test]
async fn a_full_store_has_a_reason_of_its_own() {
    let limits = mtb_guard::MemoryLimits::new(1, 10, Duration::from_secs(60)).unwrap();
    let store = std::sync::Arc::new(mtb_guard::MemoryStore::new(limits));
    let (lab, ran) = invoices(Setup { store, ..Setup::default() });
    let held = lab.hold(&editor(), "send_invoice", json!({"invoiceId": "INV-1"})).await;
    let refused = lab.call(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await;
    assert_eq!(rejection(&refused), Some(Rejection::TooManyPending));
    assert_eq!(lab.refusals(), ["too_many_pending/store_full"]);
    assert_eq!(lab.bridge.execute_confirmed(&editor(), held.token.expose()).await.status(), "ok");
    assert_eq!(ran.times(), 1);
}

#[tokio::test]
async fn a_confirmation_that_was_not_recorded_is_taken_back() {
    let store = std::sync::Arc::new(mtb_guard::MemoryStore::default());
    let setup = Setup {
        sinks: vec![std::sync::Arc::new(FullDisk)],
        mode: FailureMode::Block,
        store: store.clone(),
        ..Setup::default()
    };
    let (lab, ran) = invoices(setup);
    let outcome = lab.call(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await; // case 152
    assert!(matches!(outcome, CallOutcome::ToolError { failure: Failure::AuditUnavailable, .. }), "{outcome:?}");
    assert_eq!(store.pending(), 0);
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn a_question_nobody_answered_is_asked_anew_with_a_fresh_token() {
    let (lab, ran) = invoices(Setup::default());
    let elicited = || CallOptions::new().carrier(Carrier::Elicited);
    let call = CallRequest::new("send_invoice", json!({"invoiceId": "INV-1"})).with_options(elicited());
    let held = lab.bridge.call_tool(&reader(), call).await;
    let id = held.call_id();
    let CallOutcome::ConfirmationRequired { confirmation: old, .. } = held else { panic!() };
    let detail = WithdrawDetail::ElicitationFailed;
    let anew = lab.bridge.reissue(&reader(), old.token.expose(), detail, Carrier::Host, elicited()).await;
    assert_eq!(anew.call_id(), id);
    let CallOutcome::ConfirmationRequired { confirmation: new, .. } = anew else { panic!("{anew:?}") };
    assert_eq!(new.summary, "Email invoice INV-1");
    assert_ne!(new.token.expose(), old.token.expose());
    assert_eq!(lab.trail(), ["confirmation.issued", "confirmation.withdrawn", "confirmation.issued"]);
    assert_eq!(rejection(&lab.bridge.execute_confirmed_with(&reader(), old.token.expose(), elicited()).await), INVALID);
    assert_eq!(lab.bridge.execute_confirmed(&reader(), new.token.expose()).await.status(), "ok");
    assert_eq!(ran.times(), 1);
    // A token that is not good is not asked anew.
    let again = lab.bridge.reissue(&reader(), old.token.expose(), detail, Carrier::Host, elicited()).await;
    assert_eq!(rejection(&again), INVALID);
    let strange = lab.bridge.reissue(&editor(), new.token.expose(), detail, Carrier::Host, elicited()).await;
    assert_eq!(rejection(&strange), INVALID);
}
