use std::fmt;
use std::sync::Arc;

use mtb_bridge::Arguments;
use mtb_core::ToolName;

/// A host's way to say what a call would do. Two are equal when they are the same function, not when they say the same.
#[derive(Clone)]
pub(crate) struct Summarize(Arc<Function>);

type Function = dyn Fn(&ToolName, &Arguments) -> Option<String> + Send + Sync;

impl Summarize {
    pub(super) fn new(summarize: impl Fn(&ToolName, &Arguments) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(summarize))
    }

    /// What the host says, else the title, else the name, as for a tool that is not imported.
    pub(crate) fn of(&self, name: &ToolName, title: Option<&str>, arguments: &Arguments) -> String {
        (self.0)(name, arguments).unwrap_or_else(|| title.unwrap_or(name.as_str()).to_owned())
    }
}

impl PartialEq for Summarize {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Summarize {}

impl fmt::Debug for Summarize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Summarize")
    }
}
