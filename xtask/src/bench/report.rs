use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::case::{CASES, Target};
use super::machine::Machine;

/// The server that is ours; its program has this name.
pub(super) const GOVERNED: &str = "governed";
/// The official SDK's, without us.
pub(super) const BARE: &str = "bare";

/// A server that whoever measures has brought along.
pub(super) const OTHER: &str = "other";

/// Numbers by the names of what they count.
type Measured = BTreeMap<String, f64>;

/// What one round measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Round {
    pub(super) case: String,
    pub(super) server: String,
    /// The rounds of one number came one after the other.
    pub(super) pair: usize,
    pub(super) measured: Measured,
}

/// All rounds, and what follows from them.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) machine: Machine,
    /// Of each case and server.
    pub(super) medians: BTreeMap<String, BTreeMap<String, Measured>>,
    /// Of each case: the median of what is governed by each other server, round by round.
    pub(super) ratios: BTreeMap<String, BTreeMap<String, Measured>>,
    pub(super) rounds: Vec<Round>,
}

impl Report {
    pub(super) fn of(machine: Machine, rounds: Vec<Round>) -> Self {
        let mut all: BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<f64>>>> = BTreeMap::new();
        let mut pairs: BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<f64>>>> = BTreeMap::new();
        for round in &rounds {
            let of_server = all.entry(round.case.clone()).or_default().entry(round.server.clone()).or_default();
            for (name, number) in &round.measured {
                of_server.entry(name.clone()).or_default().push(*number);
            }
            let others = rounds.iter().filter(|other| {
                (other.case == round.case && other.pair == round.pair)
                    && (round.server == GOVERNED && other.server != GOVERNED)
            });
            for other in others {
                let of_case = pairs.entry(round.case.clone()).or_default();
                let of_other = of_case.entry(other.server.clone()).or_default();
                for (name, number) in &round.measured {
                    if let Some(theirs) = other.measured.get(name).filter(|theirs| **theirs > 0.0) {
                        of_other.entry(name.clone()).or_default().push(number / theirs);
                    }
                }
            }
        }
        let median_of_each = |of: BTreeMap<String, Vec<f64>>| -> Measured {
            of.into_iter().filter_map(|(name, numbers)| Some((name, median(numbers)?))).collect()
        };
        let by_case = |of: BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<f64>>>>| {
            let servers = |servers: BTreeMap<String, BTreeMap<String, Vec<f64>>>| {
                servers.into_iter().map(|(server, of)| (server, median_of_each(of))).collect()
            };
            of.into_iter().map(|(case, of)| (case, servers(of))).collect()
        };
        Self { machine, medians: by_case(all), ratios: by_case(pairs), rounds }
    }

    pub(super) fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(self).context("the report cannot be written")
    }

    /// What is governed by another server.
    pub(super) fn ratio(&self, case: &str, other: &str, name: &str) -> Option<f64> {
        self.ratios.get(case)?.get(other)?.get(name).copied()
    }

    /// Cases that there are and that were not measured.
    pub(super) fn lacking(&self) -> Vec<&'static str> {
        CASES.iter().map(|case| case.name).filter(|name| !self.medians.contains_key(*name)).collect()
    }

    /// How each target of the cases that were measured was met.
    pub(super) fn judged(&self) -> Vec<Judged> {
        let mut judged = Vec::new();
        for (case, medians) in CASES.iter().filter_map(|case| Some((case, self.medians.get(case.name)?))) {
            for target in case.targets {
                let (name, found, bound) = match target {
                    Target::TimesAtLeast(name, _) | Target::TimesAtMost(name, _) => {
                        (*name, self.ratio(case.name, BARE, name), target.bound())
                    }
                    Target::AtMost(name, _) => {
                        let found = medians.get(GOVERNED).and_then(|medians| medians.get(*name)).copied();
                        (*name, found, target.bound())
                    }
                };
                judged.push(Judged {
                    case: case.name,
                    name,
                    found,
                    bound,
                    is_met: found.is_some_and(|found| target.is_met_by(found)),
                });
            }
        }
        judged
    }

    /// The targets that were not reached.
    pub(super) fn missed(&self) -> Vec<String> {
        let missed = self.judged().into_iter().filter(|judged| !judged.is_met);
        missed.map(|judged| format!("missed: {judged}")).collect()
    }
}

/// What came of a target.
pub(super) struct Judged {
    case: &'static str,
    name: &'static str,
    found: Option<f64>,
    bound: String,
    pub(super) is_met: bool,
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { case, name, found, bound, .. } = self;
        match found {
            Some(found) => write!(f, "`{case}`: `{name}` is {found:.2}, {bound}"),
            None => write!(f, "`{case}`: `{name}` was not measured, {bound}"),
        }
    }
}

/// The middle one; of an even number, the mean of the two in the middle.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let upper = *numbers.get(numbers.len() / 2)?;
    let lower = *numbers.get((numbers.len() - 1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
pub(super) mod tests {
    use super::{BARE, GOVERNED, Machine, OTHER, Report, Round, median};

    pub(in super::super) fn machine() -> Machine {
        Machine { date: "2026-07-28".into(), cores: 2, processor: "A".into(), software: "rustc 1".into() }
    }

    pub(in super::super) fn round(case: &str, server: &str, pair: usize, measured: &[(&str, f64)]) -> Round {
        let measured = measured.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect();
        Round { case: case.to_owned(), server: server.to_owned(), pair, measured }
    }

    #[test]
    fn the_middle_is_the_median() {
        for (numbers, expect) in
            [(&[][..], None), (&[3.0], Some(3.0)), (&[9.0, 1.0, 2.0], Some(2.0)), (&[4.0, 1.0], Some(2.5))]
        {
            assert_eq!(median(numbers.to_vec()), expect, "{numbers:?}");
        }
    }

    /// The machine gets slower from pair to pair; the ratios do not mind.
    #[test]
    fn ratios_are_taken_pair_by_pair() {
        let mut rounds = Vec::new();
        for (pair, (governed, bare)) in [(30.0, 10.0), (8.0, 4.0), (1.0, 1.0)].into_iter().enumerate() {
            rounds.push(round("x", GOVERNED, pair, &[("speed", governed)]));
            rounds.push(round("x", BARE, pair, &[("speed", bare), ("other", 0.0)]));
            rounds.push(round("x", OTHER, pair, &[("speed", 2.0 * governed)]));
        }
        rounds.push(round("y", GOVERNED, 0, &[("speed", 7.0)]));
        let report = Report::of(machine(), rounds);
        let ratios = [("x", BARE), ("x", OTHER), ("y", BARE)].map(|(case, other)| report.ratio(case, other, "speed"));
        assert_eq!(ratios, [Some(2.0), Some(0.5), None]);
        assert_eq!(report.ratio("x", BARE, "other"), None);
        let median = |case: &str, server: &str| report.medians[case].get(server).map(|of| of["speed"]);
        let medians = [median("x", GOVERNED), median("x", BARE), median("y", GOVERNED), median("y", BARE)];
        assert_eq!(medians, [Some(8.0), Some(4.0), Some(7.0), None]);
        let read: Report = serde_json::from_str(&report.to_json().unwrap()).unwrap();
        assert_eq!(read, report);
    }

    #[test]
    fn a_target_that_is_missed_is_told() {
        let missed = |speed: f64, p99: f64, memory: f64| {
            let rounds = vec![
                round("http-64", GOVERNED, 0, &[("requests_per_second", speed), ("p99_us", p99)]),
                round("http-64", BARE, 0, &[("requests_per_second", 100.0), ("p99_us", 10.0)]),
                round("http-sessions", GOVERNED, 0, &[("peak_mib", memory)]),
            ];
            Report::of(machine(), rounds).missed().len()
        };
        assert_eq!(missed(150.0, 10.0, 200.0), 0);
        assert_eq!((missed(149.0, 10.0, 200.0), missed(150.0, 10.1, 200.0), missed(150.0, 10.0, 201.0)), (1, 1, 1));
        let rounds = vec![
            round("http-64", GOVERNED, 0, &[("requests_per_second", 149.0)]),
            round("http-64", BARE, 0, &[("requests_per_second", 100.0)]),
        ];
        let told = [
            "missed: `http-64`: `requests_per_second` is 1.49, times the bare server's at least 1.5",
            "missed: `http-64`: `p99_us` was not measured, times the bare server's at most 1",
        ];
        assert_eq!(Report::of(machine(), rounds).missed(), told);
        let nothing = vec![round("http-64", GOVERNED, 0, &[])];
        assert_eq!(Report::of(machine(), nothing).missed().len(), 2, "what was not measured is not met");
    }
}
