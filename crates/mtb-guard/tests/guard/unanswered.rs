use std::sync::Arc;

use mtb_core::CallId;
use mtb_guard::{Carrier, Guard, MemoryStore, RefusalReason};

use crate::lab::{
    CALL, MINUTE, NOON, alice, bob, check_reason, guard, invoice, issue, issue_for, name, redeem, send_invoice,
    send_invoice_changed,
};

#[tokio::test]
async fn a_no_spends_the_token() {
    let guard = guard();
    let issued = issue(&guard).await;
    let token = issued.token.expose();
    let no = guard.take(token, NOON).await.claim_unanswered(&alice(), Carrier::Host).unwrap(); // case 148
    assert_eq!((no.tool(), no.call_id()), (&name("send_invoice"), CallId::from_bytes(CALL)));
    let again = guard.take(token, NOON).await.claim_unanswered(&alice(), Carrier::Host);
    check_reason(again, RefusalReason::Consumed);
    check_reason(redeem(&guard, token, NOON).await, RefusalReason::Consumed);
}

#[tokio::test]
async fn nobody_can_say_no_for_another_or_through_another_carrier() {
    for (principal, carrier, reason) in [
        (bob(), Carrier::Host, RefusalReason::PrincipalMismatch), // case 149
        (bob(), Carrier::Elicited, RefusalReason::PrincipalMismatch),
        (alice(), Carrier::Elicited, RefusalReason::CarrierMismatch),
    ] {
        let guard = guard();
        let issued = issue(&guard).await;
        let no = guard.take(issued.token.expose(), NOON).await.claim_unanswered(&principal, carrier);
        check_reason(no, reason);
        check_reason(redeem(&guard, issued.token.expose(), NOON).await, RefusalReason::Consumed);
    }
}

/// A question that ran out of time ends like any other.
#[tokio::test]
async fn a_no_may_come_late() {
    let guard = guard();
    let issued = issue(&guard).await;
    let late = NOON.after(5 * MINUTE);
    let late = guard.take(issued.token.expose(), late).await;
    late.claim_unanswered(&alice(), Carrier::Host).map(drop).unwrap();
}

#[tokio::test]
async fn a_question_is_asked_again_only_about_the_same_tool() {
    for (declaration, good) in [(send_invoice_changed(), false), (send_invoice(), true)] {
        let guard = guard();
        let issued = issue_for(&guard, &alice(), Carrier::Elicited).await;
        let presented = guard.take(issued.token.expose(), NOON).await;
        let unanswered = presented.claim_unanswered(&alice(), Carrier::Elicited).unwrap();
        match unanswered.into_arguments(&declaration) {
            Ok(arguments) => assert!(good && arguments == invoice()),
            Err(refusal) => assert_eq!((good, refusal.reason), (false, RefusalReason::ToolChanged)),
        }
    }
}

#[tokio::test]
async fn an_issued_confirmation_can_be_taken_back() {
    let store = Arc::new(MemoryStore::default());
    let guard = Guard::new(store.clone());
    let issued = issue(&guard).await;
    assert_eq!((store.pending(), store.consumed()), (1, 0));
    drop(guard.take(issued.token.expose(), NOON).await); // case 152
    assert_eq!((store.pending(), store.consumed()), (0, 1));
}
