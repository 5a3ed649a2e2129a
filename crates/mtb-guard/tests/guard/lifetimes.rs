use std::sync::Arc;
use std::time::Duration;

use mtb_core::Reversibility::{Irreversible, Reversible};
use mtb_core::Sensitivity::{Critical, High, Low, Medium};
use mtb_core::{CallId, Timestamp};
use mtb_guard::{Carrier, Guard, HeldCall, Lifetimes, MemoryStore, RefusalReason, Take};

use crate::lab::{CALL, LAST, MINUTE, NOON, Rigged, alice, always, check_reason, guard, invoice, issue, redeem};

const HOUR: Duration = Duration::from_secs(3_600);

fn table() -> Lifetimes {
    Lifetimes::table([
        ((Medium, Reversible), 24 * HOUR),
        ((Medium, Irreversible), 12 * HOUR),
        ((High, Reversible), 12 * HOUR),
        ((High, Irreversible), 4 * HOUR),
        ((Critical, Reversible), 4 * HOUR),
        ((Critical, Irreversible), HOUR),
    ])
    .unwrap()
}

#[tokio::test]
async fn a_confirmation_dies_at_its_expiry() {
    for (millis, alive) in [(0, true), (59_999, true), (60_000, false), (60_001, false), (86_400_000, false)] {
        let guard = guard().with_lifetimes(Lifetimes::one(MINUTE).unwrap());
        let issued = issue(&guard).await;
        assert_eq!(issued.expires_at, NOON.after(MINUTE));
        let now = NOON.after(Duration::from_millis(millis)); // case 137
        let redeemed = redeem(&guard, issued.token.expose(), now).await;
        assert_eq!(
            redeemed.map(drop).map_err(|refusal| refusal.reason),
            if alive { Ok(()) } else { Err(RefusalReason::Expired) }
        );
    }
}

/// A minute is what clocks may differ by.
#[tokio::test]
async fn a_clock_that_was_set_back_gives_no_second_life() {
    for (back, reason) in
        [(60_000, None), (60_001, Some(RefusalReason::Expired)), (3_600_000, Some(RefusalReason::Expired))]
    {
        let guard = guard();
        let issued = issue(&guard).await;
        let now = Timestamp::from_millis(NOON.as_millis() - back);
        let redeemed = redeem(&guard, issued.token.expose(), now).await;
        assert_eq!(redeemed.err().map(|refusal| refusal.reason), reason, "{back}");
    }
}

#[test]
fn no_confirmation_lives_longer_than_31_days() {
    let month = Duration::from_secs(2_678_400);
    let millisecond = Duration::from_millis(1);
    for (lifetime, accepted) in
        [(Duration::ZERO, false), (millisecond, true), (month, true), (month + millisecond, false)]
    {
        assert_eq!(Lifetimes::one(lifetime).is_ok(), accepted, "{lifetime:?}");
    }
}

/// Between the take and the claim time may pass.
#[tokio::test]
async fn a_claim_looks_at_the_time_again() {
    let guard = guard();
    let issued = issue(&guard).await;
    let presented = guard.take(issued.token.expose(), LAST).await;
    check_reason(presented.claim(&alice(), Carrier::Host, None, NOON.after(5 * MINUTE)), RefusalReason::Expired);
}

#[tokio::test]
async fn a_store_that_forgets_the_time_changes_nothing() {
    let timeless = Rigged::new(|_, answer| match answer? {
        Take::Expired(Some(record)) => Ok(Take::Taken(record)),
        other => Ok(other),
    });
    let guard = Guard::new(timeless);
    let issued = issue(&guard).await;
    let late = NOON.after(5 * MINUTE);
    check_reason(redeem(&guard, issued.token.expose(), late).await, RefusalReason::Expired); // case 160
}

#[tokio::test]
async fn an_expired_confirmation_that_was_cleared_away_is_expired_and_then_consumed() {
    let guard = guard();
    let issued = issue(&guard).await;
    let late = NOON.after(5 * MINUTE);
    let (declaration, arguments) = (always(Low, Reversible), invoice());
    let call_id = CallId::from_bytes(CALL);
    let call = HeldCall {
        principal: &alice(),
        declaration: &declaration,
        arguments: &arguments,
        call_id,
        carrier: Carrier::Host,
    };
    guard.issue(&call, late).await.unwrap();
    check_reason(redeem(&guard, issued.token.expose(), late).await, RefusalReason::Expired);
    check_reason(redeem(&guard, issued.token.expose(), late).await, RefusalReason::Consumed);
}

#[tokio::test]
async fn lifetimes_follow_the_class_of_the_tool() {
    for (level, undo, seconds) in [
        (Critical, Irreversible, 3_600), // case 153
        (Critical, Reversible, 14_400),  // case 154
        (High, Irreversible, 14_400),    // case 155
        (High, Reversible, 43_200),      // case 156
        (Medium, Irreversible, 43_200),  // case 157
        (Medium, Reversible, 86_400),
        (Low, Reversible, 300), // case 158
    ] {
        let (declaration, arguments) = (always(level, undo), invoice());
        let call_id = CallId::from_bytes(CALL);
        let principal = &alice();
        let call =
            HeldCall { principal, declaration: &declaration, arguments: &arguments, call_id, carrier: Carrier::Host };
        let issued = guard().with_lifetimes(table()).issue(&call, NOON).await.unwrap();
        assert_eq!(issued.expires_at.since(NOON), Duration::from_secs(seconds), "{level} {undo}");
    }
}

#[tokio::test]
async fn the_lifetime_that_counts_is_the_one_at_issue() {
    for (issuing, redeeming, at, alive) in [
        (table(), Lifetimes::one(HOUR).unwrap(), 2 * HOUR, true), // case 159
        (Lifetimes::one(HOUR).unwrap(), table(), 2 * HOUR, false),
    ] {
        let store = Arc::new(MemoryStore::default());
        let issued = issue(&Guard::new(store.clone()).with_lifetimes(issuing)).await;
        let guard = Guard::new(store).with_lifetimes(redeeming);
        assert_eq!(redeem(&guard, issued.token.expose(), NOON.after(at)).await.is_ok(), alive);
    }
}

#[tokio::test]
async fn at_the_end_of_time_nothing_lives() {
    let guard = guard();
    let (declaration, arguments) = (always(Low, Reversible), invoice());
    let (call_id, end) = (CallId::from_bytes(CALL), Timestamp::from_millis(i64::MAX));
    let principal = &alice();
    let call =
        HeldCall { principal, declaration: &declaration, arguments: &arguments, call_id, carrier: Carrier::Host };
    let issued = guard.issue(&call, end).await.unwrap();
    check_reason(redeem(&guard, issued.token.expose(), end).await, RefusalReason::Expired);
}
