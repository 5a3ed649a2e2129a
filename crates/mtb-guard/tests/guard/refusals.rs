use std::collections::BTreeSet;

use base64::Engine as _;
use mtb_core::{CallId, Digest};
use mtb_guard::{Carrier, Guard, Issued, Refusal, RefusalReason};

use crate::lab::{
    CALL, MINUTE, NOON, Rigged, alice, bob, check_reason, guard, invoice, issue, issue_for, json, name, redeem,
    send_invoice, send_invoice_changed,
};

/// What somebody does wrong with a token that was just issued, and how it is refused.
async fn misuse(guard: &Guard, issued: &Issued, reason: RefusalReason) -> Result<(), Refusal> {
    let token = issued.token.expose();
    let now = if reason == RefusalReason::Expired { NOON.after(5 * MINUTE) } else { NOON };
    let presented = guard.take(token, now).await;
    let principal = if reason == RefusalReason::PrincipalMismatch { bob() } else { alice() };
    let carrier = if reason == RefusalReason::CarrierMismatch { Carrier::Elicited } else { Carrier::Host };
    let tool = if reason == RefusalReason::ToolMismatch { "send_reminder" } else { "send_invoice" };
    let claimed = presented.claim(&principal, carrier, Some(&name(tool)), now)?;
    let declaration = if reason == RefusalReason::ToolChanged { send_invoice_changed() } else { send_invoice() };
    let other = reason == RefusalReason::ArgumentsMismatch;
    let arguments = if other { json(r#"{"invoiceId":"INV-13"}"#) } else { invoice() };
    claimed.confirm(&declaration, Some(&arguments)).map(drop)
}

#[tokio::test]
async fn every_misuse_has_its_reason_and_spends_the_token() {
    for reason in [
        RefusalReason::Expired,           // case 163
        RefusalReason::PrincipalMismatch, // cases 138, 164
        RefusalReason::CarrierMismatch,
        RefusalReason::ToolMismatch, // cases 142, 165
        RefusalReason::ToolChanged,
        RefusalReason::ArgumentsMismatch, // cases 141, 166
    ] {
        let guard = guard();
        let issued = issue(&guard).await;
        let refusal = misuse(&guard, &issued, reason).await.unwrap_err();
        assert_eq!(refusal.reason, reason);
        let traced = (refusal.call_id, refusal.tool);
        assert_eq!(traced, (Some(CallId::from_bytes(CALL)), Some(name("send_invoice"))), "{reason}");
        // The owner, doing everything right, comes too late.
        check_reason(redeem(&guard, issued.token.expose(), NOON).await, RefusalReason::Consumed);
    }
}

#[tokio::test]
async fn what_is_no_token_is_unknown() {
    let guard = guard();
    let elsewhere = issue(&self::guard()).await;
    let issued = issue(&guard).await;
    let good = issued.token.expose();
    let (cut, long) = (&good[..good.len() - 1], format!("{good}A"));
    let (padded, bare) = (format!("{good}="), &good[4..]);
    let upper = good.replacen("mtb_", "MTB_", 1);
    let spaced = format!(" {good}");
    for token in ["", "mtb_nope", elsewhere.token.expose(), cut, &long, &padded, bare, &upper, &spaced, "mtb_é"] {
        let refusal = redeem(&guard, token, NOON).await.unwrap_err(); // cases 139, 161
        assert_eq!(refusal, Refusal { reason: RefusalReason::Unknown, call_id: None, tool: None });
    }
    redeem(&guard, good, NOON).await.map(drop).unwrap();
}

#[tokio::test]
async fn a_replay_is_traced_to_its_call() {
    let guard = guard();
    let issued = issue(&guard).await;
    redeem(&guard, issued.token.expose(), NOON).await.map(drop).unwrap();
    for _ in 0..2 {
        let refusal = redeem(&guard, issued.token.expose(), NOON).await.unwrap_err(); // case 162
        let traced = Refusal {
            reason: RefusalReason::Consumed,
            call_id: Some(CallId::from_bytes(CALL)),
            tool: Some(name("send_invoice")),
        };
        assert_eq!(refusal, traced);
    }
}

#[tokio::test]
async fn each_carrier_refuses_the_tokens_of_the_other() {
    for issued_for in Carrier::ALL {
        for presented_by in Carrier::ALL {
            let guard = guard();
            let issued = issue_for(&guard, &alice(), issued_for).await;
            let claim = guard.take(issued.token.expose(), NOON).await.claim(&alice(), presented_by, None, NOON);
            assert_eq!(claim.is_ok(), issued_for == presented_by, "{issued_for:?} {presented_by:?}");
        }
    }
}

#[tokio::test]
async fn a_good_token_gives_the_confirmed_arguments_once() {
    let guard = guard();
    let issued = issue(&guard).await;
    let token = issued.token.expose();
    let claimed = guard.take(token, NOON).await.claim(&alice(), Carrier::Host, None, NOON).unwrap();
    assert_eq!((claimed.tool(), claimed.call_id()), (&name("send_invoice"), CallId::from_bytes(CALL)));
    let confirmed = claimed.confirm(&send_invoice(), None).unwrap();
    assert_eq!((confirmed.call_id(), confirmed.expires_at()), (CallId::from_bytes(CALL), issued.expires_at));
    assert_eq!(confirmed.into_arguments(), invoice());
    check_reason(redeem(&guard, token, NOON).await, RefusalReason::Consumed);
}

#[tokio::test]
async fn the_order_of_members_does_not_matter_to_a_confirmation() {
    for (sent, good) in [
        (r#"{"a":1,"b":2}"#, true),
        (r#"{ "b": 2.0, "\u0061": 1 }"#, true), // case 140
        (r#"{"a":1,"b":3}"#, false),
        (r#"{"a":1,"b":"2"}"#, false),
        (r#"{"a":1}"#, false),
        (r#"{"a":1,"b":2,"c":null}"#, false),
        (r#"{"a":9007199254740993,"b":2}"#, false),
    ] {
        let guard = guard();
        let (declaration, arguments) = (send_invoice(), json(r#"{"b":2,"a":1}"#));
        let call = mtb_guard::HeldCall {
            principal: &alice(),
            declaration: &declaration,
            arguments: &arguments,
            call_id: CallId::from_bytes(CALL),
            carrier: Carrier::Host,
        };
        let issued = guard.issue(&call, NOON).await.unwrap();
        let claimed = guard.take(issued.token.expose(), NOON).await.claim(&alice(), Carrier::Host, None, NOON).unwrap();
        assert_eq!(claimed.confirm(&declaration, Some(&json(sent))).is_ok(), good, "{sent}");
    }
}

#[tokio::test]
async fn arguments_that_fit_no_schema_are_not_the_confirmed_ones() {
    for (declaration, reason) in [
        (send_invoice(), RefusalReason::ArgumentsMismatch), // case 143
        (send_invoice_changed(), RefusalReason::ToolChanged),
    ] {
        let guard = guard();
        let issued = issue(&guard).await;
        let claimed = guard.take(issued.token.expose(), NOON).await.claim(&alice(), Carrier::Host, None, NOON).unwrap();
        assert_eq!(claimed.mismatch(&declaration).reason, reason);
        check_reason(redeem(&guard, issued.token.expose(), NOON).await, RefusalReason::Consumed);
    }
}

#[tokio::test]
async fn the_store_gets_the_hash_and_not_the_token() {
    let store = Rigged::honest();
    let issued = issue(&Guard::new(store.clone())).await;
    let record = store.record(0); // case 150
    assert_eq!(record.hash.as_bytes(), Digest::of(issued.token.expose().as_bytes()).as_bytes());
    assert!(!format!("{record:?}").contains(&issued.token.expose()[4..]));
}

#[tokio::test]
async fn every_byte_of_a_token_is_random() {
    let guard = guard();
    let mut seen = vec![BTreeSet::new(); 32];
    for _ in 0..64 {
        let issued = issue(&guard).await;
        let bytes = base64::prelude::BASE64_URL_SAFE_NO_PAD.decode(&issued.token.expose()[4..]).unwrap();
        assert_eq!(bytes.len(), seen.len());
        for (seen, byte) in seen.iter_mut().zip(bytes) {
            seen.insert(byte);
        }
    }
    // Of 64 random bytes hardly any two are equal.
    assert!(seen.iter().all(|seen| seen.len() > 32), "{seen:?}");
}

#[tokio::test]
async fn nothing_prints_a_token_or_an_argument() {
    let guard = guard();
    let issued = issue(&guard).await;
    let token = issued.token.expose();
    let mut printed = vec![format!("{issued:?} {guard:?}")];
    let presented = guard.take(token, NOON).await;
    printed.push(format!("{presented:?}"));
    let claimed = presented.claim(&alice(), Carrier::Host, None, NOON).unwrap();
    printed.push(format!("{claimed:?}"));
    let confirmed = claimed.confirm(&send_invoice(), None).unwrap();
    printed.push(format!("{confirmed:?}"));
    let unconfirmed = issue(&guard).await;
    let presented = guard.take(unconfirmed.token.expose(), NOON).await;
    printed.push(format!("{:?}", presented.claim_unanswered(&alice(), Carrier::Host).unwrap()));
    let refusal = redeem(&guard, token, NOON).await.unwrap_err();
    printed.push(format!("{refusal:?} {refusal}"));
    let printed = printed.concat();
    for shown in ["Issued", "Token(…)", "Guard", "Presented", "Claimed", "Confirmed", "Unanswered", "Refusal"] {
        assert!(printed.contains(shown), "{shown}: {printed}");
    }
    for secret in [&token[4..], "INV-12", "invoiceId"] {
        assert!(!printed.contains(secret), "{printed}");
    }
}

#[test]
fn reasons_have_the_names_of_the_audit() {
    use RefusalReason as Reason;
    for (reason, text) in [
        (Reason::Unknown, "unknown"),
        (Reason::Consumed, "consumed"),
        (Reason::Expired, "expired"),
        (Reason::PrincipalMismatch, "principal_mismatch"),
        (Reason::CarrierMismatch, "carrier_mismatch"),
        (Reason::ToolMismatch, "tool_mismatch"),
        (Reason::ToolChanged, "tool_changed"),
        (Reason::ArgumentsMismatch, "arguments_mismatch"),
        (Reason::RecordInvalid, "record_invalid"),
        (Reason::StoreUnavailable, "store_unavailable"),
    ] {
        assert_eq!((reason.as_str(), reason.to_string().as_str()), (text, text));
    }
}
