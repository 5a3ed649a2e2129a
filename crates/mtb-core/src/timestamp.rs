use std::fmt;
use std::time::Duration;

/// A moment: milliseconds since 1970-01-01T00:00:00Z. Printed as RFC 3339 in UTC with milliseconds.
///
/// ```
/// use mtb_core::Timestamp;
///
/// assert_eq!(Timestamp::from_millis(1_790_942_400_000).to_string(), "2026-10-02T12:00:00.000Z");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// A moment so many milliseconds after the start of 1970, UTC.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the start of 1970, UTC.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// The moment a duration later; the last one that can be told if that is out of range.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(millis))
    }

    /// How long ago `earlier` was; zero if it is not earlier.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The years that RFC 3339 can write are fewer than the milliseconds that 64 bits hold.
        let moment = jiff::Timestamp::from_millisecond(self.0);
        let moment = moment.unwrap_or(if self.0 < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX });
        write!(f, "{moment:.3}")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Timestamp;

    #[test]
    fn prints_every_moment_with_milliseconds() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1, "1970-01-01T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (1_790_942_400_025, "2026-10-02T12:00:00.025Z"),
        ] {
            assert_eq!(Timestamp::from_millis(millis).to_string(), text);
        }
        assert!(Timestamp::from_millis(i64::MAX).to_string().starts_with("9999-"));
    }

    #[test]
    fn arithmetic_stops_at_the_ends() {
        let now = Timestamp::from_millis(5);
        assert_eq!(now.after(Duration::from_millis(3)).as_millis(), 8);
        assert_eq!(now.after(Duration::MAX).as_millis(), i64::MAX);
        assert_eq!(now.since(Timestamp::from_millis(2)), Duration::from_millis(3));
        assert_eq!(now.since(Timestamp::from_millis(9)), Duration::ZERO);
    }
}
