use std::fmt;
use std::str::FromStr;

use crate::role::AnyOf;

/// What must be decided about every tool: how much harm it can do, whether that can be undone, and who may use it.
///
/// There is no default and no constructor that fills a field in: a tool nobody classified does not compile.
///
/// ```
/// use mtb_core::{Governance, Reversibility, Sensitivity, any_of};
///
/// let governance = Governance {
///     sensitivity: Sensitivity::High,
///     reversibility: Reversibility::Irreversible,
///     roles: any_of(["billing"]),
/// };
/// assert!(governance.sensitivity > Sensitivity::Medium);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Governance {
    /// How much harm one call can do.
    pub sensitivity: Sensitivity,
    /// Whether the effect of a call can be undone.
    pub reversibility: Reversibility,
    /// Whoever holds one of these roles may use the tool.
    pub roles: AnyOf,
}

/// How much harm one call can do, from nothing at all to a catastrophe. Ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sensitivity {
    /// No side effect at all.
    None,
    /// An effect nobody would mind.
    Low,
    /// An effect that somebody has to clean up.
    Medium,
    /// An effect that hurts: money, mail, other people's data.
    High,
    /// An effect that can end a business.
    Critical,
}

/// Whether the effect of a call can be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reversibility {
    /// The effect can be undone.
    Reversible,
    /// The effect cannot be undone.
    Irreversible,
}

impl Sensitivity {
    /// Every level, the mildest first.
    pub const ALL: [Self; 5] = [Self::None, Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The level as it is written in files: `none`, `low`, `medium`, `high` or `critical`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl Reversibility {
    /// Both values.
    pub const ALL: [Self; 2] = [Self::Reversible, Self::Irreversible];

    /// The value as it is written in files: `reversible` or `irreversible`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reversible => "reversible",
            Self::Irreversible => "irreversible",
        }
    }
}

impl fmt::Display for Sensitivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Reversibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that names none of the allowed values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected one of {expected}")]
pub struct UnknownValue {
    expected: &'static str,
}

impl FromStr for Sensitivity {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|level| level.as_str() == text);
        found.ok_or(UnknownValue { expected: "`none`, `low`, `medium`, `high`, `critical`" })
    }
}

impl FromStr for Reversibility {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|value| value.as_str() == text);
        found.ok_or(UnknownValue { expected: "`reversible`, `irreversible`" })
    }
}

#[cfg(test)]
mod tests {
    use super::{Reversibility, Sensitivity};

    #[test]
    fn unknown_words_are_refused() {
        for word in ["", "extreme", "High", "none ", "severe"] {
            assert!(word.parse::<Sensitivity>().is_err(), "{word:?}");
            assert!(word.parse::<Reversibility>().is_err(), "{word:?}");
        }
    }

    #[test]
    fn words_round_trip_and_levels_are_ordered() {
        for level in Sensitivity::ALL {
            assert_eq!(level.as_str().parse(), Ok(level));
        }
        for value in Reversibility::ALL {
            assert_eq!(value.as_str().parse(), Ok(value));
        }
        assert!(Sensitivity::ALL.is_sorted());
    }
}
