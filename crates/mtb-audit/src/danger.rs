//! What weakens the audit, under a name that a review can search for.

use crate::trail::Trail;

/// A trail that keeps nothing at all: calls leave no record anywhere.
///
/// [`Trail::new`] refuses an empty list of sinks, because a forgotten sink looks exactly like a working audit.
///
/// ```
/// let trail = mtb_audit::danger::trail_without_sinks();
/// assert_eq!(format!("{trail:?}"), "Trail { sinks: [], failure_mode: Continue, digest_key: None, .. }");
/// ```
#[must_use]
pub fn trail_without_sinks() -> Trail {
    Trail::over(Vec::new())
}
