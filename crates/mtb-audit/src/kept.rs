use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

/// The declared fields of arguments or of a result, reduced: each under the pointer that declared it, in declared
/// order.
///
/// A pointer without `*` holds the value it found, one with `*` an array of them; a pointer that found nothing is not
/// here. Only the reduction makes one. Its `Debug` names pointers and shows no value.
#[derive(Clone, PartialEq)]
pub struct Kept(Box<[(Box<str>, Value)]>);

impl Kept {
    /// `None` when nothing was found.
    pub(crate) fn unless_empty(fields: Vec<(Box<str>, Value)>) -> Option<Self> {
        if fields.is_empty() { None } else { Some(Self(fields.into())) }
    }

    /// What was kept for this pointer.
    #[must_use]
    pub fn get(&self, pointer: &str) -> Option<&Value> {
        self.iter().find_map(|(declared, value)| (declared == pointer).then_some(value))
    }

    /// Pointers and what was kept for each.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.0.iter().map(|(pointer, value)| (&**pointer, value))
    }
}

impl Serialize for Kept {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|(pointer, _)| pointer)).finish()
    }
}
