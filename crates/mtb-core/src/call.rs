use std::fmt;

use uuid::Uuid;

/// Names one call in every event and answer about it, from the question to the result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(Uuid);

impl CallId {
    /// An id made by the host's source of ids.
    #[must_use]
    pub const fn new(id: Uuid) -> Self {
        Self(id)
    }

    /// The 16 bytes, for stores.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }

    /// An id read back from where it was stored.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The channel through which a call arrived, as the audit names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transport(&'static str);

impl Transport {
    /// The host called the bridge itself.
    pub const DIRECT: Self = Self("direct");
    /// MCP over stdin and stdout.
    pub const STDIO: Self = Self("stdio");
    /// MCP over Streamable HTTP.
    pub const HTTP: Self = Self("http");

    /// A channel of the host's own.
    #[must_use]
    pub const fn named(name: &'static str) -> Self {
        Self(name)
    }

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}
