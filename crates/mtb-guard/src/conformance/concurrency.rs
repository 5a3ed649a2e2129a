use futures_util::future::join_all;

use super::lab::{Lab, per_principal};
use crate::record::Record;
use crate::store::{Put, Take};

/// How many ask at once.
const AT_ONCE: usize = 16;

pub(super) async fn check(lab: &mut Lab<'_>) {
    one_take_wins(lab).await;
    the_quota_holds(lab).await;
}

async fn one_take_wins(lab: &mut Lab<'_>) {
    const PROMISE: &str = "one_take_wins";
    let Some(record) = lab.record() else { return };
    lab.keep(PROMISE, &record).await;
    let takes = join_all((0..AT_ONCE).map(|_| lab.store.take(&record.hash, lab.now))).await;
    let won = takes.iter().filter(|take| **take == Ok(Take::Taken(record.clone()))).count();
    let lost = takes.iter().filter(|take| matches!(take, Ok(Take::Consumed(_)))).count();
    lab.expect(PROMISE, "takes at once", &takes, won == 1 && lost == AT_ONCE.saturating_sub(1));
}

async fn the_quota_holds(lab: &mut Lab<'_>) {
    const PROMISE: &str = "the_quota_holds_at_once";
    let Some(principal) = lab.principal() else { return };
    let records: Vec<Record> = (0..AT_ONCE).filter_map(|_| lab.record_of(&principal)).collect();
    let puts = join_all(records.into_iter().map(|record| lab.store.put(record, per_principal(3), lab.now))).await;
    let stored = puts.iter().filter(|put| **put == Ok(Put::Stored)).count();
    let refused = puts.iter().filter(|put| **put == Ok(Put::PrincipalFull)).count();
    lab.expect(PROMISE, "puts at once", &puts, stored == 3 && refused == AT_ONCE.saturating_sub(3));
}
