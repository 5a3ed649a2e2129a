use super::graph::{Graph, Place};
use crate::schema::document::Node;
use crate::schema::engine::Checks;

/// Per schema, by number: with how many patterns that backtrack it may match one text of its value, the names of members
/// included. What leads back to itself counts as all such patterns there are.
pub(super) fn most(graph: &Graph<'_>, checks: &Checks) -> Vec<usize> {
    let own = |number: usize| graph.node(number).map_or(0, |node| own(node, checks));
    let all = graph.numbers().map(own).fold(0, usize::saturating_add);
    let mut matched = Matched { graph, all, most: vec![Seen::Not; graph.nodes().len()] };
    for number in graph.numbers() {
        matched.count(number, &own);
    }
    matched.most.iter().map(|seen| seen.most(all)).collect()
}

/// The patterns of one schema that backtrack.
fn own(node: &Node<'_>, checks: &Checks) -> usize {
    let pattern = node.get("pattern").and_then(serde_json::Value::as_str);
    let names = node.members("patternProperties").map(|(pattern, _)| pattern);
    pattern.into_iter().chain(names).filter(|pattern| !checks.is_linear(pattern)).count()
}

#[derive(Clone, Copy)]
enum Seen {
    Not,
    /// It is being counted: whoever leads here leads back.
    Open,
    Known(usize),
}

impl Seen {
    fn most(self, all: usize) -> usize {
        match self {
            Self::Known(most) => most,
            Self::Not | Self::Open => all,
        }
    }
}

struct Matched<'g, 'd> {
    graph: &'g Graph<'d>,
    all: usize,
    most: Vec<Seen>,
}

impl Matched<'_, '_> {
    /// References may form long chains, so this does not recurse.
    fn count(&mut self, start: usize, own: &impl Fn(usize) -> usize) {
        let mut pending = vec![start];
        while let Some(&number) = pending.last() {
            match self.most.get(number) {
                Some(Seen::Not) => {
                    self.set(number, Seen::Open);
                    let below = self.graph.applied(number).map(|(_, below)| below);
                    let members = self.graph.members(number).iter().map(|(_, member)| *member);
                    let below = below.chain(members).chain(self.graph.names(number));
                    pending.extend(below.filter(|below| matches!(self.most.get(*below), Some(Seen::Not))));
                }
                Some(Seen::Open) => {
                    let most = self.below(number, own(number));
                    self.set(number, Seen::Known(most));
                    pending.pop();
                }
                _ => {
                    pending.pop();
                }
            }
        }
    }

    fn set(&mut self, number: usize, seen: Seen) {
        if let Some(most) = self.most.get_mut(number) {
            *most = seen;
        }
    }

    fn of(&self, number: usize) -> usize {
        self.most.get(number).map_or(0, |seen| seen.most(self.all))
    }

    /// A text is the value, the name of a member or in one member, and whatever is applied in place sees it too.
    fn below(&self, number: usize, own: usize) -> usize {
        let names = self.graph.names(number).map_or(0, |names| self.of(names));
        let (mut most, mut others) = (0, 0_usize);
        for (place, member) in self.graph.members(number) {
            match place {
                Place::Name(_) | Place::Position(_) => most = self.of(*member).max(most),
                Place::OtherMembers | Place::OtherItems => others = others.saturating_add(self.of(*member)),
            }
        }
        let here = own.saturating_add(names).max(most.saturating_add(others));
        let in_place = self.graph.applied(number).map(|(_, below)| self.of(below));
        in_place.fold(here, usize::saturating_add)
    }
}
