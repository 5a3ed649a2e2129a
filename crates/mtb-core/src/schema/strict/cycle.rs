use super::graph::Graph;
use crate::schema::problem::SchemaProblem;

/// How far the search has come with a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    /// It is being searched: whoever leads here leads back.
    Open,
    Done,
}

/// A schema that applies itself to the same value says nothing about it: an engine ends there as it likes. Whether
/// there is none.
pub(super) fn check(graph: &Graph<'_>, problems: &mut Vec<SchemaProblem>) -> bool {
    let before = problems.len();
    let mut seen = vec![Seen::Not; graph.nodes().len()];
    // References may form long chains, so this does not recurse.
    let mut pending: Vec<usize> = graph.numbers().rev().collect();
    while let Some(&number) = pending.last() {
        let Some(state) = seen.get_mut(number) else { break };
        match *state {
            Seen::Not => {
                *state = Seen::Open;
                pending.extend(graph.applied(number).map(|(_, below)| below));
                if graph.applied(number).any(|(_, below)| seen.get(below) == Some(&Seen::Open))
                    && let Some(node) = graph.node(number)
                {
                    let problem = "leads back to itself and to the same value, so that it says nothing";
                    let remedy = "refer to itself only below a property or an item";
                    problems.push(SchemaProblem::new(&node.pointer, problem, remedy));
                }
            }
            Seen::Open | Seen::Done => {
                *state = Seen::Done;
                pending.pop();
            }
        }
    }
    problems.len() == before
}
