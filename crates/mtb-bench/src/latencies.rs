use std::time::Duration;

/// How long each of many requests took.
#[derive(Debug, Default)]
pub(crate) struct Latencies(Vec<Duration>);

impl Latencies {
    pub(crate) fn add(&mut self, latency: Duration) {
        self.0.push(latency);
    }

    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The shortest time within which so many of a hundred requests were answered. Nothing takes no time.
    pub(crate) fn percentile(&mut self, percent: usize) -> Duration {
        self.0.sort_unstable();
        let rank = (self.0.len() * percent).div_ceil(100).max(1);
        self.0.get(rank - 1).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Latencies;

    #[test]
    fn so_many_of_a_hundred_are_not_slower() {
        let check = |millis: &[u64], percent: usize, expect: u64| {
            let mut latencies = Latencies::default();
            for millis in millis {
                latencies.add(Duration::from_millis(*millis));
            }
            assert_eq!(latencies.percentile(percent), Duration::from_millis(expect), "{percent} of {millis:?}");
        };
        let hundred: Vec<u64> = (1..=100).rev().collect();
        for (percent, expect) in [(0, 1), (1, 1), (50, 50), (99, 99), (100, 100)] {
            check(&hundred, percent, expect);
        }
        check(&[3, 1, 2], 50, 2);
        check(&[3, 1, 2], 99, 3);
        check(&[], 50, 0);
    }
}
