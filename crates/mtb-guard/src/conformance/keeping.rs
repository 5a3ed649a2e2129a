use mtb_core::{CallId, Fingerprint, PrincipalId, Timestamp, ToolName};

use super::lab::{LIFE, Lab, per_principal};
use crate::carrier::Carrier;
use crate::record::{Record, Sealed};
use crate::store::{Put, Take};

pub(super) async fn check(lab: &mut Lab<'_>) {
    quota(lab).await;
    nothing_pending_is_evicted(lab).await;
    a_hash_is_kept_once(lab).await;
    exact_fields(lab).await;
}

async fn quota(lab: &mut Lab<'_>) {
    const PROMISE: &str = "quota";
    let (Some(full), Some(other)) = (lab.principal(), lab.record()) else { return };
    let records: Vec<Record> = (0..3).filter_map(|_| lab.record_of(&full)).collect();
    let [first, second, third] = records.as_slice() else { return };
    lab.put(PROMISE, first, 2, lab.now, Put::Stored).await;
    lab.put(PROMISE, second, 2, lab.now, Put::Stored).await;
    lab.put(PROMISE, third, 2, lab.now, Put::PrincipalFull).await;
    lab.take(PROMISE, &third.hash, lab.now, |take| *take == Take::Unknown).await;
    lab.put(PROMISE, &other, 2, lab.now, Put::Stored).await;
    lab.take(PROMISE, &first.hash, lab.now, |take| *take == Take::Taken(first.clone())).await;
    lab.put(PROMISE, third, 2, lab.now, Put::Stored).await;
    for record in [second, third, &other] {
        lab.take(PROMISE, &record.hash, lab.now, |take| *take == Take::Taken(record.clone())).await;
    }
}

async fn nothing_pending_is_evicted(lab: &mut Lab<'_>) {
    const PROMISE: &str = "nothing_pending_is_evicted";
    let records: Vec<Record> = (0..64).filter_map(|_| lab.record()).collect();
    for record in &records {
        lab.keep(PROMISE, record).await;
    }
    for record in &records {
        lab.take(PROMISE, &record.hash, lab.now, |take| *take == Take::Taken(record.clone())).await;
    }
}

async fn a_hash_is_kept_once(lab: &mut Lab<'_>) {
    const PROMISE: &str = "a_hash_is_kept_once";
    let (Some(first), Some(mut second)) = (lab.record(), lab.record()) else { return };
    second.hash = first.hash;
    lab.keep(PROMISE, &first).await;
    let again = lab.store.put(second, per_principal(100), lab.now).await;
    lab.expect(PROMISE, "a put of a pending hash", &again, again.is_err());
    lab.take(PROMISE, &first.hash, lab.now, |take| *take == Take::Taken(first.clone())).await;
}

/// The seal covers every field, so one that comes back rounded, trimmed or folded makes the confirmation useless.
async fn exact_fields(lab: &mut Lab<'_>) {
    const PROMISE: &str = "exact_fields";
    let Some(mut record) = lab.record() else { return };
    let long = format!("É'\"\\%_{}", "x".repeat(PrincipalId::MAX_BYTES.saturating_sub(7)));
    let Some(long) = lab.valid(PrincipalId::new(&long)) else { return };
    let Some(tool) = lab.valid(ToolName::new(&"T.t-_".repeat(25))) else { return };
    record.bound.principal = long;
    record.bound.tool = tool;
    record.bound.call_id = CallId::from_bytes([0xff; 16]);
    record.bound.fingerprint = Fingerprint::from_bytes([0; 32]);
    record.bound.carrier = Carrier::Elicited;
    // An odd number that a double cannot hold, where the time of the checks allows it.
    record.bound.issued_at = Timestamp::from_millis(lab.now.as_millis() | 1);
    record.bound.expires_at = Timestamp::from_millis(lab.now.after(LIFE).as_millis() | 1);
    record.sealed = Sealed::from_bytes([vec![0, b'\n', b'\'', 0xc3, 0xff], vec![7; 100_000]].concat());
    lab.keep(PROMISE, &record).await;
    lab.take(PROMISE, &record.hash, lab.now, |take| *take == Take::Taken(record.clone())).await;
}
