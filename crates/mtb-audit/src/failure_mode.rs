use thiserror::Error;

/// What happens to a call whose event a sink could not record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureMode {
    /// A warning; the call goes on.
    Continue,
    /// A warning; what was about to happen does not happen. An event about what already happened can only be reported.
    Block,
}

/// An event that at least one sink did not record, in mode [`FailureMode::Block`].
///
/// Names sinks by their place in the trail; their own words are in the warning only.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the audit trail did not record the event: {} of {of} sinks failed (first: sink {first})", failed.len())]
pub struct NotRecorded {
    first: usize,
    failed: Vec<usize>,
    of: usize,
}

impl NotRecorded {
    pub(crate) fn unless_empty(failed: Vec<usize>, of: usize) -> Result<(), Self> {
        match failed.first() {
            Some(&first) => Err(Self { first, failed, of }),
            None => Ok(()),
        }
    }

    /// Which sinks failed, counted from 0 in the order the trail was given them. Never empty.
    #[must_use]
    pub fn failed_sinks(&self) -> &[usize] {
        &self.failed
    }
}
