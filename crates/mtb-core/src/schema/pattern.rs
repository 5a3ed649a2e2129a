//! Patterns, as the engine has to be told them.
//!
//! JSON Schema means regular expressions of ECMA-262 with flag `u`. The engine reads another syntax, in which much looks
//! the same and means something else. So each pattern is read here by the rules of ECMA-262, and written anew with
//! nothing but what both read alike. What ECMA-262 does not know is refused, and so is what its readers disagree about.
//! Where flag `u` forbids what has one plain meaning without it (an escaped `-` or `_`, a brace that counts nothing), it
//! has that meaning.

mod class;
mod cursor;
mod escape;
mod property;
mod quantifier;
mod read;
mod write;

#[cfg(test)]
mod tests;

use super::strict::quoted;

/// Why a pattern is not accepted.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) problem: String,
    pub(super) remedy: String,
}

impl Refusal {
    /// The problem follows the piece of the pattern that it is about.
    fn of(piece: &str, problem: &str, remedy: impl Into<String>) -> Self {
        Self { problem: format!("in the pattern, {} {problem}", quoted(piece)), remedy: remedy.into() }
    }

    /// What the engine does not take, although ECMA-262 has it.
    pub(super) fn by_engine() -> Self {
        Self {
            problem: "the pattern does not compile: it is too large, or repeats what only looks and takes no text"
                .to_owned(),
            remedy: "lower its counts, or remove the quantifier".to_owned(),
        }
    }
}

/// The pattern in the syntax of the engine, with the meaning that ECMA-262 gives it.
pub(super) fn translate(pattern: &str) -> Result<String, Refusal> {
    read::read(pattern)
}
