use std::time::Duration;

/// A duration for people: `4.2 s` under a minute, `3 m 07 s` above.
pub(crate) fn spoken(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if seconds < 60 {
        format!("{seconds}.{} s", duration.subsec_millis() / 100)
    } else {
        format!("{} m {:02} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::spoken;

    #[test]
    fn speaks_in_seconds_and_minutes() {
        for (millis, text) in [(0, "0.0 s"), (4_250, "4.2 s"), (59_999, "59.9 s"), (187_000, "3 m 07 s")] {
            assert_eq!(spoken(Duration::from_millis(millis)), text);
        }
    }
}
