use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use mtb_core::{PrincipalId, Timestamp};
use mtb_guard::{ConfirmationStore as _, MemoryLimits, MemoryStore, Put, Quota, Take};
use proptest::prelude::*;

use crate::memory::{hash, record};

const MAX_PENDING: usize = 4;
const MAX_CONSUMED: usize = 3;
const SHARE: usize = 2;

#[derive(Debug, Clone)]
enum Step {
    Put { letter: u8, principal: &'static str, life: i64 },
    Take { letter: u8 },
    Pass { millis: i64 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let put = (0..12_u8, prop::sample::select(vec!["a", "b", "c"]), 1..50_i64);
    let step = prop_oneof![
        3 => put.prop_map(|(letter, principal, life)| Step::Put { letter, principal, life }),
        3 => (0..12_u8).prop_map(|letter| Step::Take { letter }),
        1 => (0..40_i64).prop_map(|millis| Step::Pass { millis }),
    ];
    prop::collection::vec(step, 1..120)
}

/// What the steps so far amount to, by brute force: of each letter whose it is, until when, and whether it is spent.
#[derive(Default)]
struct Model(BTreeMap<u8, (&'static str, i64, bool)>);

impl Model {
    fn alive(&self, now: i64) -> impl Iterator<Item = &'static str> {
        self.0.values().filter(move |(_, end, spent)| !spent && *end > now).map(|(principal, ..)| *principal)
    }
}

proptest! {
    /// Whatever happens in whatever order: nothing that is pending is lost, nothing is taken twice or too late, and
    /// the bounds hold.
    #[test]
    fn the_memory_store_does_as_a_model_says(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let limits = MemoryLimits::new(MAX_PENDING, MAX_CONSUMED, Duration::from_millis(100)).unwrap();
        let (store, mut model, mut now) = (MemoryStore::new(limits), Model::default(), 0);
        let quota = Quota { per_principal: NonZeroUsize::new(SHARE).unwrap() };
        for step in steps {
            let at = Timestamp::from_millis(now);
            match step {
                Step::Pass { millis } => now += millis,
                Step::Put { letter, .. } if model.0.contains_key(&letter) => {}
                Step::Put { letter, principal, life } => {
                    let record = record(letter, &PrincipalId::new(principal).unwrap(), now + life);
                    let expected = if model.alive(now).filter(|one| *one == principal).count() >= SHARE {
                        Put::PrincipalFull
                    } else if model.alive(now).count() >= MAX_PENDING {
                        Put::StoreFull
                    } else {
                        model.0.insert(letter, (principal, now + life, false));
                        Put::Stored
                    };
                    prop_assert_eq!(runtime.block_on(store.put(record, quota, at)), Ok(expected));
                }
                Step::Take { letter } => {
                    let take = runtime.block_on(store.take(&hash(letter), at)).unwrap();
                    match model.0.get_mut(&letter) {
                        None => prop_assert_eq!(take, Take::Unknown),
                        Some((principal, end, spent @ false)) if *end > now => {
                            *spent = true;
                            prop_assert_eq!(take, Take::Taken(record(letter, &PrincipalId::new(principal).unwrap(), *end)));
                        }
                        Some((.., spent @ false)) => {
                            *spent = true;
                            prop_assert!(matches!(take, Take::Expired(_) | Take::Unknown));
                        }
                        Some((.., true)) => prop_assert!(matches!(take, Take::Consumed(_) | Take::Unknown)),
                    }
                }
            }
            prop_assert!(store.pending() <= MAX_PENDING && store.consumed() <= MAX_CONSUMED);
        }
    }
}
