use std::fmt;

/// A failure whose text the model may read, for example "no invoice INV-12".
///
/// It deliberately does not implement [`std::error::Error`]: every other error is for the operator, and the two must
/// not be mixed up by a `?`.
#[derive(Clone, PartialEq, Eq)]
pub struct ToolError(String);

impl ToolError {
    /// A failure with a text for the model.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text for the model.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Its text may be written from arguments, so it is not shown.
impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolError({} bytes)", self.0.len())
    }
}
