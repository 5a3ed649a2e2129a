use std::collections::HashMap;

use super::graph::{Graph, Place};
use crate::schema::limits::MAX_APPLICATIONS;
use crate::schema::problem::SchemaProblem;

/// How often a schema may come to be applied to one value below the one it is asked about, when two ways lead from a
/// value to the same member, and two from there: forty such levels are more than any engine ends with. Told once, at
/// the first place that is over the limit. What leads back to itself counts once, since the engine remembers it.
pub(super) fn check(graph: &Graph<'_>, problems: &mut Vec<SchemaProblem>) {
    let mut paths = Paths { graph, seen: vec![Seen::Not; graph.nodes().len()] };
    for number in graph.numbers() {
        paths.count(number);
        if paths.most(number) > MAX_APPLICATIONS
            && let Some(node) = graph.node(number)
        {
            let problem = format!("applies schemas to one value in more than {MAX_APPLICATIONS} ways");
            let remedy = "do not describe the same member in several branches that all lead to the same subschemas";
            return problems.push(SchemaProblem::new(&node.pointer, problem, remedy));
        }
    }
}

/// In how many ways schemas come to be applied to the members of a value, by member.
#[derive(Clone, Default)]
struct Ways<'d>(HashMap<Place<'d>, usize>);

impl<'d> Ways<'d> {
    fn add(&mut self, place: Place<'d>, ways: usize) {
        let sum = self.0.entry(place).or_default();
        *sum = sum.saturating_add(ways);
    }

    fn merge(&mut self, other: &Self) {
        for (place, ways) in &other.0 {
            self.add(*place, *ways);
        }
    }

    /// The most ways to any one member, or to what lies below it.
    fn most(&self) -> usize {
        let of = |place| self.0.get(&place).copied().unwrap_or(0);
        let (members, items) = (of(Place::OtherMembers), of(Place::OtherItems));
        let all = self.0.iter().map(|(place, ways)| match place {
            Place::Name(_) => ways.saturating_add(members),
            Place::Position(_) => ways.saturating_add(items),
            Place::OtherMembers | Place::OtherItems => *ways,
        });
        all.max().unwrap_or(1)
    }
}

/// How far the search has come with a schema.
#[derive(Clone)]
enum Seen<'d> {
    Not,
    /// It is being searched: whoever leads here leads back.
    Open,
    Known(Ways<'d>),
}

struct Paths<'g, 'd> {
    graph: &'g Graph<'d>,
    seen: Vec<Seen<'d>>,
}

impl<'d> Paths<'_, 'd> {
    /// References may form long chains, so this does not recurse.
    fn count(&mut self, start: usize) {
        let mut pending = vec![start];
        while let Some(&number) = pending.last() {
            match self.seen.get(number) {
                Some(Seen::Not) => {
                    self.set(number, Seen::Open);
                    let below = self.graph.applied(number).map(|(_, below)| below);
                    let members = self.graph.members(number).iter().map(|(_, member)| *member);
                    let unseen = below.chain(members).filter(|below| matches!(self.seen.get(*below), Some(Seen::Not)));
                    pending.extend(unseen);
                }
                Some(Seen::Open) => {
                    let ways = self.ways(number);
                    self.set(number, Seen::Known(ways));
                    pending.pop();
                }
                _ => {
                    pending.pop();
                }
            }
        }
    }

    fn set(&mut self, number: usize, state: Seen<'d>) {
        if let Some(seen) = self.seen.get_mut(number) {
            *seen = state;
        }
    }

    fn ways(&self, number: usize) -> Ways<'d> {
        let mut ways = Ways::default();
        for (place, member) in self.graph.members(number) {
            ways.add(*place, self.most(*member));
        }
        for (_, below) in self.graph.applied(number) {
            if let Some(Seen::Known(below)) = self.seen.get(below) {
                ways.merge(below);
            }
        }
        ways
    }

    fn most(&self, number: usize) -> usize {
        match self.seen.get(number) {
            Some(Seen::Known(ways)) => ways.most(),
            _ => 1,
        }
    }
}
