use std::time::Duration;

use super::lab::Lab;
use crate::record::{Record, Tombstone};
use crate::store::{Put, Take};

pub(super) async fn check(lab: &mut Lab<'_>) {
    unknown(lab).await;
    single_use(lab).await;
    expiry_in_the_same_step(lab).await;
    expired_leaves_a_tombstone(lab).await;
    consumed_stays_consumed(lab).await;
}

async fn unknown(lab: &mut Lab<'_>) {
    let hash = lab.hash();
    lab.take("unknown", &hash, lab.now, |take| *take == Take::Unknown).await;
}

async fn single_use(lab: &mut Lab<'_>) {
    let Some(record) = lab.record() else { return };
    lab.keep("single_use", &record).await;
    lab.take("single_use", &record.hash, lab.now, |take| *take == Take::Taken(record.clone())).await;
    for at in [lab.now, lab.end()] {
        lab.take("single_use", &record.hash, at, |take| is_consumed(take, &record)).await;
    }
}

async fn expiry_in_the_same_step(lab: &mut Lab<'_>) {
    const PROMISE: &str = "expiry_in_the_same_step";
    let Some(mut record) = lab.record() else { return };
    record.bound.expires_at = lab.now.after(Duration::from_millis(1));
    lab.keep(PROMISE, &record).await;
    lab.take(PROMISE, &record.hash, lab.now, |take| *take == Take::Taken(record.clone())).await;
    for late in [Duration::ZERO, Duration::from_millis(1), Duration::from_secs(60)] {
        let Some(record) = lab.record() else { return };
        lab.keep(PROMISE, &record).await;
        let at = lab.end().after(late);
        lab.take(PROMISE, &record.hash, at, |take| is_expired(take, &record)).await;
        // It was spent by that, even for somebody whose clock is behind.
        lab.take(PROMISE, &record.hash, lab.now, |take| is_consumed(take, &record)).await;
    }
}

/// Whether or not the second put clears the first record away, it was expired and is then consumed.
async fn expired_leaves_a_tombstone(lab: &mut Lab<'_>) {
    const PROMISE: &str = "expired_leaves_a_tombstone";
    let Some(expired) = lab.record() else { return };
    let Some(mut next) = lab.record_of(&expired.bound.principal) else { return };
    lab.keep(PROMISE, &expired).await;
    next.bound.expires_at = lab.end().after(Duration::from_secs(60));
    // The expired one no longer counts against the quota.
    lab.put(PROMISE, &next, 1, lab.end(), Put::Stored).await;
    lab.take(PROMISE, &expired.hash, lab.end(), |take| is_expired(take, &expired)).await;
    lab.take(PROMISE, &expired.hash, lab.end(), |take| is_consumed(take, &expired)).await;
    lab.take(PROMISE, &next.hash, lab.end(), |take| *take == Take::Taken(next.clone())).await;
}

async fn consumed_stays_consumed(lab: &mut Lab<'_>) {
    const PROMISE: &str = "consumed_stays_consumed";
    let Some(record) = lab.record() else { return };
    lab.keep(PROMISE, &record).await;
    lab.take(PROMISE, &record.hash, lab.now, |take| matches!(take, Take::Taken(_))).await;
    let again = lab.store.put(record.clone(), super::lab::per_principal(100), lab.now).await;
    lab.expect(PROMISE, "a put of a consumed hash", &again, again.is_err());
    lab.take(PROMISE, &record.hash, lab.now, |take| is_consumed(take, &record)).await;
}

pub(super) async fn deletes_the_payload(lab: &mut Lab<'_>, contents: impl AsyncFn() -> Vec<u8>) {
    const PROMISE: &str = "payload_deleted";
    for at in [lab.now, lab.end()] {
        let Some(record) = lab.record() else { return };
        let payload = record.sealed.as_bytes();
        let holds = |contents: Vec<u8>| contents.windows(payload.len()).any(|window| window == payload);
        lab.keep(PROMISE, &record).await;
        let before = holds(contents().await);
        lab.expect(PROMISE, "looking for the payload before the take", &before, before);
        lab.take(PROMISE, &record.hash, at, |take| matches!(take, Take::Taken(_) | Take::Expired(_))).await;
        let after = holds(contents().await);
        lab.expect(PROMISE, "looking for the payload after the take", &after, !after);
    }
}

fn is_expired(take: &Take, record: &Record) -> bool {
    match take {
        Take::Expired(found) => found.as_ref().is_none_or(|found| found == record),
        _ => false,
    }
}

fn is_consumed(take: &Take, record: &Record) -> bool {
    *take == Take::Consumed(Tombstone::from(&record.bound))
}
