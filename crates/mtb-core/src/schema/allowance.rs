use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::dialect::Dialect;

/// Single points in which a schema goes beyond what is checked, because its host allows that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowances {
    pub(super) formats: BTreeSet<String>,
    pub(super) keywords: BTreeSet<String>,
    pub(super) dialects: BTreeMap<String, Dialect>,
}

/// What is done about arguments of which a schema says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownArguments {
    /// The schema decides: without `additionalProperties`, its root accepts them.
    #[default]
    AsDeclared,
    /// They are refused, and the schema that clients see says so.
    Refuse,
}

impl Allowances {
    /// Formats that nothing checks.
    pub fn formats(&self) -> impl Iterator<Item = &str> {
        self.formats.iter().map(String::as_str)
    }

    /// Keywords that nothing enforces.
    pub fn keywords(&self) -> impl Iterator<Item = &str> {
        self.keywords.iter().map(String::as_str)
    }

    /// Foreign dialects, and the known one that each is read as.
    pub fn dialects(&self) -> impl Iterator<Item = (&str, Dialect)> {
        self.dialects.iter().map(|(uri, dialect)| (uri.as_str(), *dialect))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.formats.is_empty() && self.keywords.is_empty() && self.dialects.is_empty()
    }
}

/// One line for a review: `formats`, `keywords` and `dialects`, each followed by its names.
impl fmt::Display for Allowances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted =
            |names: &BTreeSet<String>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let dialects = self.dialects.iter().map(|(uri, dialect)| format!("`{uri}` as {dialect}"));
        let parts = [
            ("formats", quoted(&self.formats)),
            ("keywords", quoted(&self.keywords)),
            ("dialects", dialects.collect::<Vec<_>>().join(", ")),
        ];
        let said: Vec<_> = parts
            .iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(what, names)| format!("{what} {names}"))
            .collect();
        f.write_str(&said.join("; "))
    }
}
