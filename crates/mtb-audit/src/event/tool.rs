use std::fmt;

use mtb_core::{Digest, ToolName, cut, printable};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// The longest unknown name that is kept, in characters.
const MAX_UNKNOWN_CHARS: usize = 128;

/// The tool of an event: a declared name, or what is told of a name that nobody declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditedTool {
    /// A declared tool, whether or not the principal may use it.
    Declared(ToolName),
    /// The caller named a tool that does not exist.
    Unknown(UnknownTool),
}

impl AuditedTool {
    /// The declared name.
    #[must_use]
    pub fn name(&self) -> Option<&ToolName> {
        match self {
            Self::Declared(name) => Some(name),
            Self::Unknown(_) => None,
        }
    }
}

/// What is told of a name that nobody declared. The caller invented it, so it is content like an argument.
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownTool(Told);

#[derive(Clone, PartialEq, Eq)]
enum Told {
    Measured { bytes: usize, digest: Digest },
    Kept { name: Box<str> },
}

impl UnknownTool {
    pub(crate) fn measured(name: &str, digest: Digest) -> Self {
        Self(Told::Measured { bytes: name.len(), digest })
    }

    pub(crate) fn kept(name: &str) -> Self {
        Self(Told::Kept { name: cut(&printable(name), MAX_UNKNOWN_CHARS).into() })
    }

    /// The name, cut to 128 characters and printable, if the trail keeps such names.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            Told::Kept { name } => Some(name),
            Told::Measured { .. } => None,
        }
    }

    /// Length in bytes and digest, if the trail does not keep such names.
    #[must_use]
    pub fn measure(&self) -> Option<(usize, Digest)> {
        match self.0 {
            Told::Measured { bytes, digest } => Some((bytes, digest)),
            Told::Kept { .. } => None,
        }
    }
}

impl fmt::Debug for UnknownTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Told::Measured { bytes, digest } => {
                f.debug_struct("Measured").field("bytes", bytes).field("digest", digest).finish()
            }
            Told::Kept { name } => f.debug_struct("Kept").field("bytes", &name.len()).finish_non_exhaustive(),
        }
    }
}

impl Serialize for UnknownTool {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.0 {
            Told::Measured { bytes, digest } => {
                map.serialize_entry("bytes", bytes)?;
                map.serialize_entry("digest", &format_args!("{digest}"))?;
            }
            Told::Kept { name } => map.serialize_entry("name", name)?,
        }
        map.end()
    }
}

impl Serialize for AuditedTool {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Declared(name) => serializer.serialize_str(name.as_str()),
            Self::Unknown(unknown) => serializer.collect_map([("unknown", unknown)]),
        }
    }
}
