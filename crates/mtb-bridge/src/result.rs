use std::fmt;

use serde_json::Value;

use crate::content::ContentBlock;

/// What a tool answers.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolResult {
    /// What the model reads, in order.
    pub content: Vec<ContentBlock>,
    /// The same for programs.
    pub structured: Option<Value>,
    /// Whether the tool says that it could not do what was asked.
    pub is_error: bool,
}

/// An answer of one text block.
#[must_use]
pub fn text(text: impl Into<String>) -> ToolResult {
    ToolResult { content: vec![ContentBlock::Text(text.into())], structured: None, is_error: false }
}

/// A structured answer, with its JSON as the text block that clients without structured content read.
#[must_use]
pub fn json(value: Value) -> ToolResult {
    ToolResult { content: vec![ContentBlock::Text(value.to_string())], structured: Some(value), is_error: false }
}

impl ToolResult {
    /// An answer of these blocks.
    #[must_use]
    pub fn blocks(content: Vec<ContentBlock>) -> Self {
        Self { content, structured: None, is_error: false }
    }

    /// The same answer with structured content.
    #[must_use]
    pub fn with_structured(mut self, value: Value) -> Self {
        self.structured = Some(value);
        self
    }

    /// The same answer, marked as a failure that the model reads.
    #[must_use]
    pub fn as_error(mut self) -> Self {
        self.is_error = true;
        self
    }

    /// Whether the content is at most so many bytes. Stops counting as soon as it is not.
    pub(crate) fn fits(&self, limit: usize) -> bool {
        let blocks = self.content.iter().map(ContentBlock::bytes).fold(0, usize::saturating_add);
        let Some(left) = limit.checked_sub(blocks) else { return false };
        let structured = self.structured.as_ref();
        structured.is_none_or(|value| serde_json::to_writer(Budget { left }, value).is_ok())
    }
}

/// A writer that keeps nothing and fails once more than the budget was written.
struct Budget {
    left: usize,
}

impl std::io::Write for Budget {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.left = self.left.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::FileTooLarge)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl From<&str> for ToolResult {
    fn from(answer: &str) -> Self {
        text(answer)
    }
}

impl From<String> for ToolResult {
    fn from(answer: String) -> Self {
        text(answer)
    }
}

impl From<Value> for ToolResult {
    fn from(answer: Value) -> Self {
        json(answer)
    }
}

/// Says how much there is, never what it holds.
impl fmt::Debug for ToolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolResult")
            .field("content", &self.content)
            .field("structured", &self.structured.is_some())
            .field("is_error", &self.is_error)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ToolResult, text};

    #[test]
    fn counts_content_up_to_the_limit() {
        for (result, bytes) in [
            (text("12345"), 5),
            (ToolResult::blocks(vec![]), 0),
            (text("ab").with_structured(json!({"a": [1, 2]})), 13),
            (super::json(json!("x")), 6),
        ] {
            assert!(result.fits(bytes), "{result:?}");
            assert!(!bytes.checked_sub(1).is_some_and(|less| result.fits(less)), "{result:?}");
        }
    }
}
