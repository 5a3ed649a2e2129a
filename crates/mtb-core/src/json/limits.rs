use thiserror::Error;

/// The deepest nesting that any [`Limits`] can allow: readers recurse no further than this.
pub const MAX_DEPTH: usize = 128;

/// The longest text of one number, in bytes. The exact digits of every double fit.
pub const MAX_NUMBER_BYTES: usize = 2_048;

/// Bounds on one JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Deepest nesting of arrays and objects. A scalar has depth 0, `[]` has depth 1. Never more than [`MAX_DEPTH`],
    /// whatever is written here.
    pub depth: usize,
    /// Most values in all, counting every object, array and scalar, and every member name.
    pub nodes: usize,
    /// Longest string or member name, in bytes of its decoded text.
    pub string_bytes: usize,
}

impl Limits {
    pub(super) fn too_deep(&self, depth: usize) -> bool {
        depth > self.depth.min(MAX_DEPTH)
    }
}

impl Default for Limits {
    /// Depth 64, 50,000 nodes, strings of 512 KiB.
    fn default() -> Self {
        Self { depth: 64, nodes: 50_000, string_bytes: 512 * 1024 }
    }
}

/// Why a text or value is not acceptable JSON. Never holds any of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
#[error("{fault} (byte {offset})")]
pub struct JsonError {
    /// What is wrong.
    pub fault: JsonFault,
    /// Where, as a byte offset into the text; 0 for a value that was never text.
    pub offset: usize,
}

/// What can be wrong with a JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum JsonFault {
    /// Not JSON at all. An escape of half a surrogate pair is not JSON either: no text holds it.
    #[error("not valid JSON")]
    Syntax,
    /// Not UTF-8.
    #[error("not valid UTF-8")]
    Encoding,
    /// A message has too many bytes.
    #[error("too many bytes")]
    Oversize,
    /// Nested too deep.
    #[error("nested too deep")]
    TooDeep,
    /// Too many values.
    #[error("too many values")]
    TooManyNodes,
    /// A string is too long.
    #[error("a string is too long")]
    StringTooLong,
    /// An integer that 64 bits do not hold.
    #[error("an integer has more than 64 bits")]
    IntegerTooWide,
    /// A number beyond the range of a double, or one written in more than [`MAX_NUMBER_BYTES`].
    #[error("a number is out of range")]
    NumberOutOfRange,
    /// An object names a member twice.
    #[error("an object has the same member twice")]
    DuplicateKey,
}

impl JsonFault {
    /// Whether nothing after it can be understood.
    pub(super) fn is_fatal(self) -> bool {
        matches!(self, Self::Syntax | Self::Encoding)
    }
}
