/// One reason why a schema is refused at start-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaProblem {
    /// JSON Pointer into the schema; empty for the root.
    pub pointer: String,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

impl SchemaProblem {
    pub(super) fn new(pointer: impl Into<String>, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), problem: problem.into(), remedy: remedy.into() }
    }
}
