use std::sync::atomic::{AtomicU8, Ordering};

/// How far a run has come, shared by the run and by whoever watches over it, so that exactly one of them decides
/// whether it starts.
#[derive(Debug, Default)]
pub(super) struct Stage(AtomicU8);

const PREPARING: u8 = 0;
const STARTING: u8 = 1;
const RUNNING: u8 = 2;
const CLOSED: u8 = 3;

impl Stage {
    /// The run is about to record its start. `false` if it was closed before.
    pub(super) fn starting(&self) -> bool {
        self.step(PREPARING, STARTING)
    }

    /// The start is recorded, the handler is about to run. `false` if it was closed before.
    pub(super) fn running(&self) -> bool {
        self.step(STARTING, RUNNING)
    }

    /// Nothing may start any more. `true` if the start is being recorded at this moment.
    pub(super) fn close(&self) -> bool {
        self.0.swap(CLOSED, Ordering::SeqCst) == STARTING
    }

    fn step(&self, from: u8, to: u8) -> bool {
        self.0.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }
}
