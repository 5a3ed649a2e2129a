use super::graph::Graph;
use crate::schema::limits::MAX_SUBSCHEMAS;
use crate::schema::problem::SchemaProblem;

/// A schema may be small and still apply far more subschemas to one value than it has, when references meet: twice the
/// same one at each of thirty levels is a thousand million. Told once, at the first place that is over the limit. No
/// schema leads back to itself here.
pub(super) fn check(graph: &Graph<'_>, problems: &mut Vec<SchemaProblem>) {
    let mut counts: Vec<Option<usize>> = vec![None; graph.nodes().len()];
    for start in graph.numbers() {
        count(graph, start, &mut counts);
        let Some(node) = graph.node(start) else { continue };
        if counts.get(start).copied().flatten().is_some_and(|count| count > MAX_SUBSCHEMAS) {
            let problem = format!("applies more than {MAX_SUBSCHEMAS} subschemas to one value");
            let remedy = "refer to each shared subschema once, not from several branches that meet again";
            return problems.push(SchemaProblem::new(&node.pointer, problem, remedy));
        }
    }
}

/// How many subschemas are applied to a value that this one is applied to, itself included. References may form long
/// chains, so this does not recurse.
fn count(graph: &Graph<'_>, start: usize, counts: &mut [Option<usize>]) {
    let known = |counts: &[Option<usize>], number: usize| counts.get(number).copied().flatten();
    let mut pending = vec![start];
    while let Some(&number) = pending.last() {
        let open: Vec<usize> =
            graph.applied(number).map(|(_, below)| below).filter(|below| known(counts, *below).is_none()).collect();
        if open.is_empty() {
            let below = graph.applied(number).map(|(_, below)| known(counts, below).unwrap_or(0));
            let sum = below.fold(1, usize::saturating_add);
            if let Some(count) = counts.get_mut(number) {
                *count = Some(sum);
            }
            pending.pop();
        } else {
            pending.extend(open);
        }
    }
}
