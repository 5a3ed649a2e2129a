use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::runtime::Builder;

use super::part::{Part, Parts};
use super::stand::Stand;

/// Rounds, each of which does all there is to compare.
const ROUNDS: usize = 201;
/// How often a round does each.
const REPEATED: u32 = 100;
const FEW: usize = 10;
const MANY: usize = 10_000;

/// What was measured in this process. Times are those of one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// A governed call of a handler that does nothing.
    pub call: Duration,
    /// What it is made of at least, each alone.
    pub parts: Vec<(&'static str, Duration)>,
    /// The call by the sum of its parts.
    pub times_parts: f64,
    /// The call among 10,000 tools by the call among 10.
    pub times_few: f64,
}

impl Figures {
    /// A call costs at most so many times the sum of its parts.
    pub const MOST_TIMES_PARTS: f64 = 1.5;
    /// A call among 10,000 tools costs at most so many times the call among 10.
    pub const MOST_TIMES_FEW: f64 = 1.1;

    /// Measures, on one worker of a runtime.
    ///
    /// # Errors
    /// When there is no thread, or a call does not run.
    pub fn measure() -> Result<Self> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let (few, many) = (Arc::new(Stand::new(FEW)?), Arc::new(Stand::new(MANY)?));
        runtime.block_on(async { tokio::spawn(measured(few, many)).await })?
    }

    /// The parts, each alone, one after another.
    #[must_use]
    pub fn sum(&self) -> Duration {
        self.parts.iter().map(|(_, time)| *time).sum()
    }

    /// Whether both limits are kept.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.times_parts <= Self::MOST_TIMES_PARTS && self.times_few <= Self::MOST_TIMES_FEW
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { call, parts, times_parts, times_few } = self;
        for (name, time) in parts {
            writeln!(f, "{name:15} {time:?}")?;
        }
        writeln!(f, "{:15} {:?}", "together", self.sum())?;
        let most = Self::MOST_TIMES_PARTS;
        writeln!(f, "{:15} {call:?}, {times_parts:.2} times that, and at most {most}", "governed call")?;
        let most = Self::MOST_TIMES_FEW;
        write!(f, "among {MANY} tools: {times_few:.2} times a call among {FEW}, and at most {most}")
    }
}

async fn measured(few: Arc<Stand>, many: Arc<Stand>) -> Result<Figures> {
    let parts = Parts::new(&few).await?;
    let mut rounds = Vec::new();
    for at in 0..ROUNDS {
        rounds.push(Round::of(&few, &many, &parts, at).await?);
    }
    let times: Vec<_> = Part::ALL
        .iter()
        .enumerate()
        .map(|(at, part)| {
            let time = median(rounds.iter().filter_map(|round| round.parts.get(at)).map(Duration::as_secs_f64))?;
            Some((part.name(), Duration::from_secs_f64(time)))
        })
        .collect::<Option<_>>()
        .context("no rounds")?;
    let of = |figure: fn(&Round) -> f64| median(rounds.iter().map(figure)).context("no rounds");
    Ok(Figures {
        call: Duration::from_secs_f64(of(|round| round.few.as_secs_f64())?),
        parts: times,
        times_parts: of(|round| round.few.as_secs_f64() / round.parts.iter().sum::<Duration>().as_secs_f64())?,
        times_few: of(|round| round.many.as_secs_f64() / round.few.as_secs_f64())?,
    })
}

/// The times of one of each.
struct Round {
    few: Duration,
    many: Duration,
    parts: Vec<Duration>,
}

impl Round {
    /// Who comes first in one round comes second in the next.
    async fn of(few: &Stand, many: &Stand, parts: &Parts, at: usize) -> Result<Self> {
        let (few, many) = if at.is_multiple_of(2) {
            let few = calls(few, parts).await?;
            (few, calls(many, parts).await?)
        } else {
            let many = calls(many, parts).await?;
            (calls(few, parts).await?, many)
        };
        let mut alone = Vec::new();
        for part in Part::ALL {
            let begun = Instant::now();
            for _ in 0..REPEATED {
                parts.run(part).await;
            }
            alone.push(begun.elapsed() / REPEATED);
        }
        Ok(Self { few, many, parts: alone })
    }
}

async fn calls(stand: &Stand, parts: &Parts) -> Result<Duration> {
    let begun = Instant::now();
    for _ in 0..REPEATED {
        parts.scan();
        if !stand.call().await {
            bail!("a call did not run");
        }
    }
    Ok(begun.elapsed() / REPEATED)
}

fn median(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Figures, median};

    #[test]
    fn both_limits_count() {
        let is_met = |times_parts: f64, times_few: f64| {
            let part = ("a", Duration::from_micros(2));
            let figures = Figures { call: Duration::from_micros(5), parts: vec![part; 2], times_parts, times_few };
            assert_eq!(figures.sum(), Duration::from_micros(4));
            figures.is_met()
        };
        assert!(is_met(1.5, 1.1) && !is_met(1.51, 1.1) && !is_met(1.5, 1.11));
    }

    #[test]
    fn the_middle_is_the_median() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), Some(2.0));
        assert_eq!(median([].into_iter()), None);
    }
}
