use std::num::NonZeroUsize;
use std::sync::Arc;

use mtb_core::{CallId, PrincipalId, Timestamp};
use mtb_guard::{Carrier, Guard, HeldCall, IssueError, Issued, MemoryLimits, MemoryStore};

use crate::lab::{CALL, LAST, MINUTE, NOON, alice, bob, guard, invoice, redeem, send_invoice};

async fn ask(guard: &Guard, principal: &PrincipalId, now: Timestamp) -> Result<Issued, IssueError> {
    let (declaration, arguments) = (send_invoice(), invoice());
    let call_id = CallId::from_bytes(CALL);
    let call =
        HeldCall { principal, declaration: &declaration, arguments: &arguments, call_id, carrier: Carrier::Host };
    guard.issue(&call, now).await
}

#[tokio::test]
async fn a_principal_has_at_most_its_share() {
    for (guard, share) in [(guard(), 100), (guard().with_max_pending(NonZeroUsize::new(2).unwrap()), 2)] {
        let mut issued = Vec::new();
        for _ in 0..share {
            issued.push(ask(&guard, &alice(), NOON).await.unwrap());
        }
        assert_eq!(ask(&guard, &alice(), NOON).await.unwrap_err(), IssueError::PrincipalFull);
        ask(&guard, &bob(), NOON).await.unwrap();
        // Every one of them is still good, and each that is answered makes room for one.
        for issued in issued {
            redeem(&guard, issued.token.expose(), NOON).await.map(drop).unwrap();
        }
        ask(&guard, &alice(), NOON).await.unwrap();
    }
}

#[tokio::test]
async fn what_expired_does_not_count() {
    let guard = guard().with_max_pending(NonZeroUsize::MIN);
    ask(&guard, &alice(), NOON).await.unwrap();
    assert_eq!(ask(&guard, &alice(), LAST).await.unwrap_err(), IssueError::PrincipalFull);
    ask(&guard, &alice(), NOON.after(5 * MINUTE)).await.unwrap();
}

#[tokio::test]
async fn a_full_store_refuses_and_evicts_nobody() {
    let store = Arc::new(MemoryStore::new(MemoryLimits::new(2, 10, MINUTE).unwrap()));
    let guard = Guard::new(store.clone());
    let first = ask(&guard, &alice(), NOON).await.unwrap();
    ask(&guard, &bob(), NOON).await.unwrap();
    for principal in [alice(), bob(), PrincipalId::new("carol").unwrap()] {
        assert_eq!(ask(&guard, &principal, NOON).await.unwrap_err(), IssueError::StoreFull);
    }
    assert_eq!(store.pending(), 2);
    redeem(&guard, first.token.expose(), NOON).await.map(drop).unwrap();
    ask(&guard, &bob(), NOON).await.unwrap();
}
