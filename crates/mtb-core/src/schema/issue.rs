use std::fmt;

use crate::pointer::escape_token;
use crate::text::{cut, printable};

/// At most so many problems are reported about one value.
pub const MAX_ISSUES: usize = 20;

/// Longest segment of a path, in characters.
const MAX_SEGMENT: usize = 128;

/// One reason why a value does not fit a schema. Holds no value.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Issue {
    /// JSON Pointer into the value, empty for the root. May hold a member name that the caller invented, each segment
    /// cut at 128 characters and escaped: for the caller only.
    pub path: String,
    /// What was expected and what kind of value came, for the caller.
    pub message: String,
    /// The keyword that refused, for example `required`: for the audit.
    pub keyword: String,
    /// JSON Pointer into the schema as declared: for the audit.
    pub declared: String,
}

/// One segment of a path, with its slash: cut, then escaped.
pub(super) fn segment(name: &str) -> String {
    format!("/{}", escape_token(&cut(&printable(name), MAX_SEGMENT)))
}

/// Shows what the audit may know: a path may hold a name that the caller invented.
impl fmt::Debug for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Issue({} at `{}`)", self.keyword, self.declared)
    }
}
