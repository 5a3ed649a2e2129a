use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mtb_bridge::{CallOutcome, JsonSchema, Rejection, Tool};
use mtb_core::{Reversibility, Sensitivity, Timestamp};
use mtb_guard::{ConfirmationStore, Lifetimes, MemoryStore, Put, Quota, Record, StoreError, Take, TokenHash};
use serde_json::json;

use crate::lab::{Lab, START, Setup, governance, invoices, reader};

const HOUR: Duration = Duration::from_secs(3_600);

fn table() -> Lifetimes {
    use Reversibility::{Irreversible, Reversible};
    Lifetimes::table([
        ((Sensitivity::Medium, Reversible), 24 * HOUR),
        ((Sensitivity::Medium, Irreversible), 12 * HOUR),
        ((Sensitivity::High, Reversible), 12 * HOUR),
        ((Sensitivity::High, Irreversible), 4 * HOUR),
        ((Sensitivity::Critical, Reversible), 4 * HOUR),
        ((Sensitivity::Critical, Irreversible), HOUR),
    ])
    .unwrap()
}

#[tokio::test]
async fn lifetimes_follow_the_class_of_the_tool() {
    use Reversibility::{Irreversible, Reversible};
    for (level, undo, seconds) in [
        (Sensitivity::Critical, Irreversible, 3_600), // case 153
        (Sensitivity::Critical, Reversible, 14_400),  // case 154
        (Sensitivity::High, Irreversible, 14_400),    // case 155
        (Sensitivity::High, Reversible, 43_200),      // case 156
        (Sensitivity::Medium, Irreversible, 43_200),  // case 157
        (Sensitivity::Low, Reversible, 300),          // case 158
    ] {
        let tool = Tool::declare("tool", "A tool.", JsonSchema::no_arguments(), governance(level, undo, "reader"));
        let tool = tool.always_confirm().handler(|_, _| async { Ok("ran") });
        let lab = Lab::with(Setup { lifetimes: table(), ..Setup::default() }, [tool]);
        let held = lab.hold(&reader(), "tool", json!({})).await;
        assert_eq!(held.expires_at.as_millis() - START, seconds * 1_000, "{level} {undo}");
    }
}

#[tokio::test]
async fn a_token_dies_at_its_expiry() {
    for (millis, alive) in [(0, true), (59_999, true), (60_000, false), (60_001, false), (3_600_000, false)] {
        let lifetimes = Lifetimes::one(Duration::from_secs(60)).unwrap();
        let (lab, ran) = invoices(Setup { lifetimes, ..Setup::default() });
        let held = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await;
        lab.clock.advance(Duration::from_millis(millis));
        let outcome = lab.bridge.execute_confirmed(&reader(), held.token.expose()).await; // cases 137, 163
        let expired = matches!(outcome, CallOutcome::Rejected { rejection: Rejection::ConfirmationExpired, .. });
        assert_eq!((ran.times() == 1, expired), (alive, !alive), "{millis}");
    }
}

#[tokio::test]
async fn the_lifetime_that_counts_is_the_one_at_issue() {
    let store = Arc::new(MemoryStore::default());
    let issuing = invoices(Setup { store: store.clone(), lifetimes: table(), ..Setup::default() }).0;
    let lifetimes = Lifetimes::one(HOUR).unwrap();
    let redeeming = invoices(Setup { store, lifetimes, ..Setup::default() }).0;
    let held = issuing.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await;
    redeeming.clock.advance(2 * HOUR);
    let outcome = redeeming.bridge.execute_confirmed(&reader(), held.token.expose()).await;
    assert_eq!(outcome.status(), "ok"); // case 159
}

/// A store that forgets to look at the time.
struct Timeless(MemoryStore);

#[async_trait]
impl ConfirmationStore for Timeless {
    async fn put(&self, record: Record, quota: Quota, now: Timestamp) -> Result<Put, StoreError> {
        self.0.put(record, quota, now).await
    }

    async fn take(&self, hash: &TokenHash, _now: Timestamp) -> Result<Take, StoreError> {
        self.0.take(hash, Timestamp::from_millis(START)).await
    }
}

#[tokio::test]
async fn an_expired_token_is_refused_even_if_the_store_forgot_to_check() {
    let (lab, ran) = invoices(Setup { store: Arc::new(Timeless(MemoryStore::default())), ..Setup::default() });
    let held = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await;
    lab.clock.advance(Duration::from_secs(300));
    let outcome = lab.bridge.execute_confirmed(&reader(), held.token.expose()).await; // case 160
    assert!(matches!(outcome, CallOutcome::Rejected { rejection: Rejection::ConfirmationExpired, .. }));
    assert_eq!(lab.last()["detail"], "expired");
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn a_clock_that_was_set_back_does_not_lengthen_a_life() {
    for (back, alive) in [(0, true), (60_000, true), (60_001, false), (3_600_000, false)] {
        let (lab, ran) = invoices(Setup::default());
        lab.clock.advance(Duration::from_secs(7_200));
        let held = lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await;
        lab.clock.set_back(Duration::from_millis(back));
        assert_eq!(
            lab.bridge.execute_confirmed(&reader(), held.token.expose()).await.status() == "ok",
            alive,
            "{back}"
        );
        assert_eq!(ran.times() == 1, alive, "{back}");
    }
}
