use std::time::{SystemTime, UNIX_EPOCH};

use mtb_core::Timestamp;

/// Tells the time. A host can replace it; tests move it by hand.
pub trait Clock: Send + Sync + 'static {
    /// The time now. If it panics, whatever wanted to know is refused.
    fn now(&self) -> Timestamp;
}

/// The clock of the operating system.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        // A clock before 1970 counts as 1970: then nothing has expired, and nothing expires late by much.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(0).after(since)
    }
}
