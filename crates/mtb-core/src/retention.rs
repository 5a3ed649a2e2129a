use crate::pointer::KeepPointer;

/// What the audit may keep of a tool's calls, as declared and not yet checked. Nothing, unless said here.
///
/// ```
/// use mtb_core::Retain;
///
/// let retain = Retain::nothing().argument("/messageId").result("/messages/*/id");
/// assert_ne!(retain, Retain::nothing());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retain {
    pub(crate) arguments: Vec<String>,
    pub(crate) result: Vec<String>,
    pub(crate) errors: bool,
}

impl Retain {
    /// Keeps no content.
    #[must_use]
    pub const fn nothing() -> Self {
        Self { arguments: Vec::new(), result: Vec::new(), errors: false }
    }

    /// Keeps what this JSON Pointer finds in the arguments. A segment `*` stands for every member or item.
    #[must_use]
    pub fn argument(mut self, pointer: &str) -> Self {
        self.arguments.push(pointer.to_owned());
        self
    }

    /// Keeps what this JSON Pointer finds in the structured result. A segment `*` stands for every member or item.
    #[must_use]
    pub fn result(mut self, pointer: &str) -> Self {
        self.result.push(pointer.to_owned());
        self
    }

    /// Keeps the text of failures, cut at 500 characters. Such text is often written from arguments.
    #[must_use]
    pub const fn errors(mut self) -> Self {
        self.errors = true;
        self
    }
}

/// What the audit may keep of a tool's calls, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retention {
    pub(crate) arguments: Box<[KeepPointer]>,
    pub(crate) result: Box<[KeepPointer]>,
    pub(crate) errors: bool,
}

impl Retention {
    /// Pointers into the arguments.
    #[must_use]
    pub fn arguments(&self) -> &[KeepPointer] {
        &self.arguments
    }

    /// Pointers into the structured result.
    #[must_use]
    pub fn result(&self) -> &[KeepPointer] {
        &self.result
    }

    /// Whether the text of failures is kept.
    #[must_use]
    pub fn keeps_errors(&self) -> bool {
        self.errors
    }
}
