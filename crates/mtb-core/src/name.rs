use std::fmt;
use std::sync::Arc;

use thiserror::Error;

/// The name of a declared tool: 1 to 128 of the characters `A-Z a-z 0-9 _ - .`, case-sensitive.
///
/// ```
/// use mtb_core::ToolName;
///
/// assert_eq!(ToolName::new("send_invoice").unwrap().as_str(), "send_invoice");
/// assert!(ToolName::new("send invoice").is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolName(Arc<str>);

/// Why a text is not a tool name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a tool name has 1 to 128 characters out of `A-Z a-z 0-9 _ - .`")]
pub struct ToolNameError;

impl ToolName {
    /// The longest name, in characters.
    pub const MAX_CHARS: usize = 128;

    /// Checks a name.
    ///
    /// # Errors
    /// When it is empty, longer than 128 characters or holds any other character.
    pub fn new(name: &str) -> Result<Self, ToolNameError> {
        let fits = (1..=Self::MAX_CHARS).contains(&name.len());
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        if fits && name.bytes().all(plain) { Ok(Self(name.into())) } else { Err(ToolNameError) }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl std::borrow::Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::ToolName;

    #[test]
    fn refuses_what_is_no_tool_name() {
        for name in ["", " ", "send invoice", "mail/send", "é", "a\n", &"a".repeat(129)] {
            assert!(ToolName::new(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn accepts_the_characters_of_the_protocol() {
        for name in ["a", "A.b-c_9", &"a".repeat(128)] {
            assert_eq!(ToolName::new(name).unwrap().as_str(), name);
        }
    }
}
