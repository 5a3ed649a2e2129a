use std::collections::BTreeMap;
use std::time::Duration;

use mtb_core::{Reversibility, Sensitivity};
use thiserror::Error;

/// How long a confirmation lives where nothing else is said: five minutes.
pub const DEFAULT_LIFETIME: Duration = Duration::from_secs(5 * 60);

/// The longest life of a confirmation: 31 days.
pub const MAX_LIFETIME: Duration = Duration::from_secs(31 * 24 * 60 * 60);

/// How long confirmations live, by class of tool. The life of one is fixed when it is issued.
///
/// ```
/// use std::time::Duration;
/// use mtb_core::{Reversibility::Irreversible, Sensitivity::Critical};
/// use mtb_guard::Lifetimes;
///
/// let lifetimes = Lifetimes::table([((Critical, Irreversible), Duration::from_secs(60))]).unwrap();
/// assert_eq!(lifetimes.of(Critical, Irreversible), Duration::from_secs(60));
/// assert!(Lifetimes::one(Duration::ZERO).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifetimes {
    usual: Duration,
    special: BTreeMap<(Sensitivity, Reversibility), Duration>,
}

/// Lifetimes that are not usable, with everything that is wrong with them.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("confirmation lifetimes are not usable: {}", .problems.join("; "))]
pub struct LifetimesError {
    problems: Vec<String>,
}

impl Lifetimes {
    /// The same lifetime for every tool.
    ///
    /// # Errors
    /// When it is under 1 ms or over 31 days.
    pub fn one(lifetime: Duration) -> Result<Self, LifetimesError> {
        if in_range(lifetime) {
            Ok(Self { usual: lifetime, special: BTreeMap::new() })
        } else {
            Err(LifetimesError { problems: vec![out_of_range("the lifetime")] })
        }
    }

    /// A lifetime for each class named here, five minutes for the others.
    ///
    /// # Errors
    /// When a lifetime is under 1 ms or over 31 days, or a class is named twice; the error tells every one.
    pub fn table(
        entries: impl IntoIterator<Item = ((Sensitivity, Reversibility), Duration)>,
    ) -> Result<Self, LifetimesError> {
        let (mut special, mut problems) = (BTreeMap::new(), Vec::new());
        for ((level, undo), lifetime) in entries {
            let class = format!("`{level}` and `{undo}`");
            if !in_range(lifetime) {
                problems.push(out_of_range(&class));
            }
            if special.insert((level, undo), lifetime).is_some() {
                problems.push(format!("{class} is named twice, name it once"));
            }
        }
        if problems.is_empty() {
            Ok(Self { usual: DEFAULT_LIFETIME, special })
        } else {
            Err(LifetimesError { problems })
        }
    }

    /// How long a confirmation of a tool of this class lives.
    #[must_use]
    pub fn of(&self, sensitivity: Sensitivity, reversibility: Reversibility) -> Duration {
        self.special.get(&(sensitivity, reversibility)).copied().unwrap_or(self.usual)
    }
}

impl Default for Lifetimes {
    /// Five minutes for every tool.
    fn default() -> Self {
        Self { usual: DEFAULT_LIFETIME, special: BTreeMap::new() }
    }
}

fn in_range(lifetime: Duration) -> bool {
    (Duration::from_millis(1)..=MAX_LIFETIME).contains(&lifetime)
}

fn out_of_range(what: &str) -> String {
    format!("{what} is out of range, give it 1 ms to 31 days")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mtb_core::Reversibility::{Irreversible, Reversible};
    use mtb_core::Sensitivity::{Critical, High, Low};

    use super::{DEFAULT_LIFETIME, Lifetimes, MAX_LIFETIME};

    #[test]
    fn lifetimes_out_of_range_are_refused_all_at_once() {
        for lifetime in [Duration::ZERO, Duration::from_micros(999), MAX_LIFETIME + Duration::from_millis(1)] {
            assert!(Lifetimes::one(lifetime).is_err(), "{lifetime:?}"); // case 90
            let table =
                [((High, Irreversible), lifetime), ((Low, Reversible), lifetime), ((High, Reversible), MAX_LIFETIME)];
            let error = Lifetimes::table(table).unwrap_err().to_string(); // case 93
            assert!(error.contains("`high` and `irreversible`") && error.contains("`low` and `reversible`"), "{error}");
            assert!(!error.contains("`high` and `reversible`"), "{error}");
        }
    }

    #[test]
    fn a_class_has_one_lifetime() {
        let minute = Duration::from_secs(60);
        for second in [minute, 2 * minute] {
            let table = Lifetimes::table([((High, Irreversible), minute), ((High, Irreversible), second)]);
            let error = table.unwrap_err().to_string();
            assert!(error.contains("`high` and `irreversible` is named twice"), "{error}");
        }
        let hidden = Lifetimes::table([((High, Irreversible), Duration::ZERO), ((High, Irreversible), minute)]);
        assert!(hidden.unwrap_err().to_string().contains("out of range"));
    }

    #[test]
    fn what_the_table_does_not_name_lives_five_minutes() {
        let table = Lifetimes::table([((Critical, Irreversible), Duration::from_millis(1))]).unwrap();
        assert_eq!(table.of(Critical, Irreversible), Duration::from_millis(1));
        assert_eq!(table.of(Critical, Reversible), DEFAULT_LIFETIME);
        assert_eq!(Lifetimes::default().of(Low, Reversible), DEFAULT_LIFETIME);
    }
}
