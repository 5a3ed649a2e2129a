use std::sync::{Arc, Barrier};

use mtb_guard::{Guard, MemoryStore, RefusalReason};

use crate::lab::{NOON, issue, redeem};

const THREADS: usize = 8;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

#[test]
fn of_redemptions_at_once_exactly_one_confirms() {
    for _ in 0..50 {
        let guard = Guard::new(Arc::new(MemoryStore::default()));
        let issued = block_on(issue(&guard));
        let (start, token) = (Barrier::new(THREADS), issued.token.expose());
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let redeeming = |_| {
                scope.spawn(|| {
                    start.wait();
                    block_on(redeem(&guard, token, NOON)).map(drop).map_err(|refusal| refusal.reason)
                })
            };
            let threads: Vec<_> = (0..THREADS).map(redeeming).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let confirmed = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        let replays = outcomes.iter().filter(|outcome| **outcome == Err(RefusalReason::Consumed)).count();
        assert_eq!((confirmed, replays), (1, THREADS - 1)); // case 135
    }
}
