use std::time::Duration;

use mtb_bridge::{CallOutcome, CallRequest, Rejection};
use serde_json::json;

use crate::lab::{Lab, Ran, Setup, editor, invoices, reader};

/// Redeems somehow; says what the caller learns and what the audit keeps.
async fn check(redeem: impl AsyncFnOnce(&Lab, &str) -> CallOutcome, public: Rejection, detail: &str) {
    let (lab, ran): (Lab, Ran) = invoices(Setup::default());
    let held = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-12"})).await;
    let before = ran.times();
    let outcome = redeem(&lab, held.token.expose()).await;
    assert!(matches!(outcome, CallOutcome::Rejected { rejection, .. } if rejection == public), "{detail}: {outcome:?}");
    assert_eq!(lab.last()["detail"], detail);
    assert!(ran.times() - before <= usize::from(detail == "consumed"), "{detail}");
    assert!(!format!("{outcome:?}").contains(held.token.expose()), "{detail}");
}

#[tokio::test]
async fn a_refused_token_is_recorded_under_the_call_it_stood_for() {
    let (lab, ran) = invoices(Setup::default());
    for (tool, arguments) in [
        ("send_invoice", json!({"invoiceId": "INV-13"})),
        ("send_invoice", json!({})),
        ("send_reminder", json!({"invoiceId": "INV-12"})),
    ] {
        let held = lab.call(&reader(), "send_invoice", json!({"invoiceId": "INV-12"})).await;
        let id = held.call_id();
        let CallOutcome::ConfirmationRequired { confirmation, .. } = held else { panic!("{held:?}") };
        let call = CallRequest::new(tool, arguments).with_token(confirmation.token.expose());
        let refused = lab.bridge.call_tool(&reader(), call).await;
        assert_eq!((refused.call_id(), &lab.last()["callId"]), (id, &json!(id.to_string())), "{tool}");
        let replay = lab.bridge.execute_confirmed(&reader(), confirmation.token.expose()).await;
        assert_eq!((replay.call_id(), &lab.last()["callId"]), (id, &json!(id.to_string())), "{tool}");
    }
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn every_refused_token_leaves_its_reason_in_the_audit_only() {
    use Rejection::{ConfirmationExpired, ConfirmationInvalid};
    let unknown = format!("mtb_{}", "A".repeat(43));
    check(async |lab, _| lab.bridge.execute_confirmed(&reader(), &unknown).await, ConfirmationInvalid, "unknown").await; // case 161
    check(
        async |lab, token| {
            assert_eq!(lab.bridge.execute_confirmed(&reader(), token).await.status(), "ok");
            lab.bridge.execute_confirmed(&reader(), token).await
        },
        ConfirmationInvalid,
        "consumed", // case 162
    )
    .await;
    check(
        async |lab, token| {
            lab.clock.advance(Duration::from_secs(300));
            lab.bridge.execute_confirmed(&reader(), token).await
        },
        ConfirmationExpired,
        "expired", // case 163
    )
    .await;
    let mismatch = "principal_mismatch";
    check(async |lab, token| lab.bridge.execute_confirmed(&editor(), token).await, ConfirmationInvalid, mismatch).await; // case 164
    check(
        async |lab, token| {
            let call = CallRequest::new("send_reminder", json!({"invoiceId": "INV-12"})).with_token(token);
            lab.bridge.call_tool(&reader(), call).await
        },
        ConfirmationInvalid,
        "tool_mismatch", // case 165
    )
    .await;
    for arguments in [json!({"invoiceId": "INV-13"}), json!({"invoiceId": 12}), json!({})] {
        check(
            async |lab, token| {
                let call = CallRequest::new("send_invoice", arguments).with_token(token);
                lab.bridge.call_tool(&reader(), call).await
            },
            ConfirmationInvalid,
            "arguments_mismatch", // case 166
        )
        .await;
    }
    check(
        async |lab, token| {
            lab.clock.advance(Duration::from_secs(300));
            lab.bridge.execute_confirmed(&editor(), token).await
        },
        ConfirmationInvalid,
        mismatch, // case 167
    )
    .await;
}
