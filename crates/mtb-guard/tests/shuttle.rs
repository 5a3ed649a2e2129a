//! Interleavings of the guard and its memory store, chosen by a model checker:
//! `RUSTFLAGS="--cfg shuttle" cargo test -p mtb-guard --test shuttle`.
#![cfg(shuttle)]
#![allow(clippy::unwrap_used, reason = "what a test relies on fails the test")]

use std::num::NonZeroUsize;
use std::sync::Arc;

use mtb_core::{
    CallId, CanonicalJson, Declaration, DeclarationDraft, Governance, PrincipalId, Reversibility, SchemaSource,
    Sensitivity, Timestamp, any_of,
};
use mtb_guard::{Carrier, Guard, HeldCall, IssueError, Issued, MemoryLimits, MemoryStore, RefusalReason};
use shuttle::future::block_on;
use shuttle::thread;

const SCHEDULES: usize = 2_000;
const NOON: Timestamp = Timestamp::from_millis(1_790_942_400_000);
const LATE: Timestamp = Timestamp::from_millis(1_790_942_700_000);

fn declaration() -> Declaration {
    let governance = Governance {
        sensitivity: Sensitivity::High,
        reversibility: Reversibility::Irreversible,
        roles: any_of(["reader"]),
    };
    DeclarationDraft::new("tool", "A tool.", SchemaSource::text(r#"{"type": "object"}"#), governance).check().unwrap()
}

fn issue(guard: &Guard, declaration: &Declaration, now: Timestamp) -> Result<Issued, IssueError> {
    let (principal, arguments) = (PrincipalId::new("alice").unwrap(), CanonicalJson::empty_object());
    let (principal, arguments) = (&principal, &arguments);
    let call =
        HeldCall { principal, declaration, arguments, call_id: CallId::from_bytes([7; 16]), carrier: Carrier::Host };
    block_on(guard.issue(&call, now))
}

fn redeem(guard: &Guard, declaration: &Declaration, token: &str, now: Timestamp) -> Result<(), RefusalReason> {
    let alice = PrincipalId::new("alice").unwrap();
    let claimed = block_on(guard.take(token, now)).claim(&alice, Carrier::Host, None, now);
    claimed.and_then(|claimed| claimed.confirm(declaration, None)).map(drop).map_err(|refusal| refusal.reason)
}

/// Runs the jobs on threads of their own and gives what they return.
fn at_once<T: Send + 'static>(jobs: Vec<Box<dyn FnOnce() -> T + Send>>) -> Vec<T> {
    let threads: Vec<_> = jobs.into_iter().map(thread::spawn).collect();
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

#[test]
fn of_redemptions_at_once_exactly_one_confirms() {
    let declaration = Arc::new(declaration());
    let run = move || {
        let guard = Guard::new(Arc::new(MemoryStore::default()));
        let issued = Arc::new(issue(&guard, &declaration, NOON).unwrap());
        let job = |_| -> Box<dyn FnOnce() -> Result<(), RefusalReason> + Send> {
            let (guard, declaration, issued) = (guard.clone(), declaration.clone(), issued.clone());
            Box::new(move || redeem(&guard, &declaration, issued.token.expose(), NOON))
        };
        let outcomes = at_once((0..3).map(job).collect());
        let replays = outcomes.iter().filter(|outcome| **outcome == Err(RefusalReason::Consumed)).count();
        assert_eq!((outcomes.iter().filter(|outcome| outcome.is_ok()).count(), replays), (1, 2));
    };
    shuttle::check_random(run.clone(), SCHEDULES);
    shuttle::check_pct(run, SCHEDULES, 3);
}

#[test]
fn the_share_of_a_principal_holds_at_once() {
    let declaration = Arc::new(declaration());
    let run = move || {
        let store = Arc::new(MemoryStore::default());
        let guard = Guard::new(store.clone()).with_max_pending(NonZeroUsize::new(2).unwrap());
        let job = |_| -> Box<dyn FnOnce() -> Result<(), IssueError> + Send> {
            let (guard, declaration) = (guard.clone(), declaration.clone());
            Box::new(move || issue(&guard, &declaration, NOON).map(drop))
        };
        let outcomes = at_once((0..4).map(job).collect());
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 2);
        assert_eq!(store.pending(), 2);
    };
    shuttle::check_random(run, SCHEDULES);
}

/// One thread redeems in time while another, later, clears expired records away: the token is good or expired, and
/// spent in either case.
#[test]
fn clearing_away_and_redeeming_do_not_both_get_it() {
    let declaration = Arc::new(declaration());
    let run = move || {
        let limits = MemoryLimits::new(1, 10, std::time::Duration::from_secs(60)).unwrap();
        let guard = Guard::new(Arc::new(MemoryStore::new(limits)));
        let issued = Arc::new(issue(&guard, &declaration, NOON).unwrap());
        let redeeming = {
            let (guard, declaration, issued) = (guard.clone(), declaration.clone(), issued.clone());
            thread::spawn(move || redeem(&guard, &declaration, issued.token.expose(), NOON))
        };
        let clearing = {
            let (guard, declaration) = (guard.clone(), declaration.clone());
            thread::spawn(move || issue(&guard, &declaration, LATE).map(drop))
        };
        let redeemed = redeeming.join().unwrap();
        assert_eq!(clearing.join().unwrap(), Ok(()));
        assert!(matches!(redeemed, Ok(()) | Err(RefusalReason::Expired)), "{redeemed:?}");
        assert_eq!(redeem(&guard, &declaration, issued.token.expose(), NOON), Err(RefusalReason::Consumed));
    };
    shuttle::check_random(run, SCHEDULES);
}
