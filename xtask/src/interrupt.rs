//! Being asked to stop: Ctrl-C, a hang-up, a termination.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// From now on a request to stop no longer ends this program: whoever waits sees [`is_requested`] and winds up.
///
/// # Errors
/// When the handler cannot be installed, or was before.
pub(crate) fn watch() -> Result<()> {
    ctrlc::set_handler(|| REQUESTED.store(true, Ordering::Relaxed)).context("signals cannot be watched")
}

pub(crate) fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
