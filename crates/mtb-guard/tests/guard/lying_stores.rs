use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mtb_core::{CallId, Timestamp};
use mtb_guard::{
    Carrier, ConfirmationStore, Guard, HeldCall, IssueError, Put, Quota, Record, Refusal, RefusalReason, StoreError,
    Take, TokenHash, Tombstone,
};

use crate::lab::{CALL, NOON, Rigged, alice, bob, check_reason, invoice, issue, issue_for, name, redeem, send_invoice};

fn down() -> StoreError {
    StoreError::new("the connection was lost")
}

/// A store that is broken in one way.
#[derive(Clone, Copy)]
enum Broken {
    Errs,
    PanicsAtOnce,
    PanicsWhenPolled,
    PanicsAfterWaiting,
}

impl Broken {
    const ALL: [Self; 4] = [Self::Errs, Self::PanicsAtOnce, Self::PanicsWhenPolled, Self::PanicsAfterWaiting];

    fn answer<T: Send + 'static>(self) -> Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>> {
        match self {
            Self::Errs => Box::pin(async { Err(down()) }),
            Self::PanicsAtOnce => panic!("on purpose"),
            Self::PanicsWhenPolled => Box::pin(async { panic!("on purpose") }),
            Self::PanicsAfterWaiting => Box::pin(async {
                tokio::task::yield_now().await;
                panic!("on purpose")
            }),
        }
    }
}

impl ConfirmationStore for Broken {
    fn put<'s, 'a>(
        &'s self,
        _record: Record,
        _quota: Quota,
        _now: Timestamp,
    ) -> Pin<Box<dyn Future<Output = Result<Put, StoreError>> + Send + 'a>>
    where
        's: 'a,
        Self: 'a,
    {
        self.answer()
    }

    fn take<'s, 'h, 'a>(
        &'s self,
        _hash: &'h TokenHash,
        _now: Timestamp,
    ) -> Pin<Box<dyn Future<Output = Result<Take, StoreError>> + Send + 'a>>
    where
        's: 'a,
        'h: 'a,
        Self: 'a,
    {
        self.answer()
    }
}

#[tokio::test]
async fn a_broken_store_issues_nothing_and_confirms_nothing() {
    let token = issue(&crate::lab::guard()).await.token;
    for broken in Broken::ALL {
        let guard = Guard::new(Arc::new(broken));
        let (declaration, arguments) = (send_invoice(), invoice());
        let (principal, call_id) = (&alice(), CallId::from_bytes(CALL));
        let call =
            HeldCall { principal, declaration: &declaration, arguments: &arguments, call_id, carrier: Carrier::Host };
        assert_eq!(guard.issue(&call, NOON).await.unwrap_err(), IssueError::StoreUnavailable);
        let refusal = redeem(&guard, token.expose(), NOON).await.unwrap_err();
        assert_eq!(refusal, Refusal { reason: RefusalReason::StoreUnavailable, call_id: None, tool: None });
    }
}

/// Issues two confirmations to alice and one to bob, and redeems alice's first through a store that lies.
async fn check(lie: impl Fn(&Rigged, Take) -> Take + Send + Sync + 'static, reason: RefusalReason) {
    let store = Rigged::new(move |store, answer| Ok(lie(store, answer?)));
    let guard = Guard::new(store);
    let issued = issue(&guard).await;
    issue(&guard).await;
    issue_for(&guard, &bob(), Carrier::Host).await;
    check_reason(redeem(&guard, issued.token.expose(), NOON).await, reason);
}

#[tokio::test]
async fn a_store_that_lies_confirms_nothing() {
    use RefusalReason as Reason;
    // Another confirmation of the same call, and one of somebody else.
    check(|store, _| Take::Taken(store.record(1)), Reason::RecordInvalid).await;
    check(|store, _| Take::Taken(store.record(2)), Reason::RecordInvalid).await;
    check(|store, _| Take::Expired(Some(store.record(1))), Reason::RecordInvalid).await;
    // Somebody else's content under this hash, and this content under somebody else's hash.
    check(|store, _| Take::Taken(Record { hash: store.record(0).hash, ..store.record(1) }), Reason::RecordInvalid)
        .await;
    check(|store, _| Take::Taken(Record { hash: store.record(1).hash, ..store.record(0) }), Reason::RecordInvalid)
        .await;
    check(|store, _| Take::Taken(Record { sealed: store.record(1).sealed, ..store.record(0) }), Reason::RecordInvalid)
        .await;
    // Answers that give away nothing are believed: they only refuse.
    check(|store, _| Take::Expired(Some(store.record(0))), Reason::Expired).await;
    check(|_, _| Take::Expired(None), Reason::Expired).await;
    check(|_, _| Take::Unknown, Reason::Unknown).await;
    check(|store, _| Take::Consumed(Tombstone::from(&store.record(2).bound)), Reason::Consumed).await;
}

/// A lie about the row is passed on to nobody.
#[tokio::test]
async fn a_row_that_does_not_open_is_not_quoted() {
    let store = Rigged::new(|store, _| Ok(Take::Taken(store.record(1))));
    let guard = Guard::new(store);
    let issued = issue(&guard).await;
    issue_for(&guard, &bob(), Carrier::Host).await;
    let refusal = guard.take(issued.token.expose(), NOON).await.refuse(RefusalReason::StoreUnavailable);
    assert_eq!(refusal, Refusal { reason: RefusalReason::StoreUnavailable, call_id: None, tool: None });
    let refusal = redeem(&guard, issued.token.expose(), NOON).await.unwrap_err();
    assert_eq!(refusal, Refusal { reason: RefusalReason::RecordInvalid, call_id: None, tool: None });
}

/// The caller's clock failed: the token is spent, and the refusal says whose call it was.
#[tokio::test]
async fn a_caller_can_refuse_for_a_reason_of_its_own() {
    let guard = crate::lab::guard();
    let issued = issue(&guard).await;
    let refusal = guard.take(issued.token.expose(), NOON).await.refuse(RefusalReason::StoreUnavailable);
    assert_eq!(refusal.reason, RefusalReason::StoreUnavailable);
    assert_eq!((refusal.call_id, refusal.tool), (Some(CallId::from_bytes(CALL)), Some(name("send_invoice"))));
    check_reason(redeem(&guard, issued.token.expose(), NOON).await, RefusalReason::Consumed);
}

/// What the documentation admits: whoever writes to the store can bring a spent record back, and nothing else.
#[tokio::test]
async fn a_store_writer_can_revive_only_the_exact_call() {
    let store = Rigged::new(|store, _| Ok(Take::Taken(store.record(0))));
    let guard = Guard::new(store);
    let issued = issue(&guard).await;
    for _ in 0..2 {
        assert_eq!(redeem(&guard, issued.token.expose(), NOON).await.unwrap().into_arguments(), invoice());
    }
    check_reason(redeem(&guard, issued.token.expose(), issued.expires_at).await, RefusalReason::Expired);
}
