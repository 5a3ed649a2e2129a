use crate::json::number::Number;
use crate::json::{JsonFault, Limits, escape};

/// The canonical text as it grows, and the account of what was read for it.
pub(super) struct Writer<'l> {
    pub(super) text: String,
    limits: &'l Limits,
    nodes: usize,
}

impl<'l> Writer<'l> {
    pub(super) fn new(limits: &'l Limits, capacity: usize) -> Self {
        Self { text: String::with_capacity(capacity), limits, nodes: 0 }
    }

    /// Accounts for one value or member name.
    pub(super) fn node(&mut self) -> Result<(), JsonFault> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes { Err(JsonFault::TooManyNodes) } else { Ok(()) }
    }

    /// Starts an array or object at this depth, the outermost being at 1.
    pub(super) fn open(&mut self, bracket: char, depth: usize) -> Result<(), JsonFault> {
        if self.limits.too_deep(depth) {
            return Err(JsonFault::TooDeep);
        }
        self.text.push(bracket);
        Ok(())
    }

    pub(super) fn fits(&self, string_bytes: usize) -> Result<(), JsonFault> {
        if string_bytes > self.limits.string_bytes { Err(JsonFault::StringTooLong) } else { Ok(()) }
    }

    /// Writes a string whose length was checked.
    pub(super) fn string(&mut self, text: &str) {
        escape::write_string(&mut self.text, text);
    }

    pub(super) fn number(&mut self, number: Number) {
        number.write(&mut self.text);
    }
}
