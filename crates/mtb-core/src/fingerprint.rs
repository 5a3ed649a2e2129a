use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::declaration::Declaration;
use crate::digest::Digest;
use crate::pointer::KeepPointer;

/// What makes a tool this tool and no other: SHA-256 of every declared field, schemas included. The code of the
/// handler, the summary function and the policy are not part of it. Equal across processes and builds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(Digest);

impl Fingerprint {
    pub(crate) const UNSET: Self = Self(Digest::from_bytes([0; 32]));

    /// A fingerprint read back from where it was stored.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Digest::from_bytes(bytes))
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    pub(crate) fn of(declaration: &Declaration) -> Self {
        let mut fields = Fields(Sha256::new());
        fields.text("mcp-tool-bridge/declaration/1");
        fields.text(declaration.name().as_str());
        fields.optional(declaration.title());
        fields.text(declaration.description());
        fields.text(declaration.sensitivity().as_str());
        fields.text(declaration.reversibility().as_str());
        fields.list(declaration.roles().as_slice(), |role| role.as_str());
        fields.text(declaration.confirm().as_str());
        fields.list(declaration.retention().arguments(), KeepPointer::as_str);
        fields.list(declaration.retention().result(), KeepPointer::as_str);
        fields.text(if declaration.retention().keeps_errors() { "errors" } else { "no errors" });
        fields.optional(declaration.timeout().map(|limit| limit.as_nanos().to_string()).as_deref());
        for schema in [Some(declaration.arguments()), declaration.output()] {
            fields.optional(schema.map(|schema| schema.identity().to_string()).as_deref());
            fields.optional(schema.map(|schema| schema.allowances().to_string()).as_deref());
        }
        Self(Digest::from_bytes(fields.0.finalize().into()))
    }
}

/// Fields written so that no two sequences of fields give the same bytes: each with its length before it.
struct Fields(Sha256);

impl Fields {
    fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn optional(&mut self, text: Option<&str>) {
        self.count(usize::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn list<T>(&mut self, items: &[T], text: impl Fn(&T) -> &str) {
        self.count(items.len());
        for item in items {
            self.text(text(item));
        }
    }

    fn count(&mut self, count: usize) {
        self.0.update(u64::try_from(count).unwrap_or(u64::MAX).to_le_bytes());
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
