use super::graph::Graph;
use crate::schema::limits::{MAX_SCHEMA_CHAIN, MAX_SUBSCHEMAS};
use crate::schema::problem::SchemaProblem;

/// A schema may be small and still apply far more subschemas to one value than it has, when references meet: twice the
/// same one at each of thirty levels is a thousand million. Told once, at the first place that is over the limit. No
/// schema leads back to itself here.
pub(super) fn check(graph: &Graph<'_>, problems: &mut Vec<SchemaProblem>) {
    let mut counts: Vec<Option<Applied>> = vec![None; graph.nodes().len()];
    for start in graph.numbers() {
        count(graph, start, &mut counts);
        let Some(node) = graph.node(start) else { continue };
        let Some(applied) = counts.get(start).copied().flatten() else { continue };
        if applied.count > MAX_SUBSCHEMAS {
            let problem = format!("applies more than {MAX_SUBSCHEMAS} subschemas to one value");
            let remedy = "refer to each shared subschema once, not from several branches that meet again";
            return problems.push(SchemaProblem::new(&node.pointer, problem, remedy));
        }
        if applied.chain > MAX_SCHEMA_CHAIN {
            let problem = format!("is the first of more than {MAX_SCHEMA_CHAIN} schemas that apply the next one");
            let remedy = "refer to the last one without going through the others";
            return problems.push(SchemaProblem::new(&node.pointer, problem, remedy));
        }
    }
}

/// What is applied to a value that a schema is applied to, itself included.
#[derive(Clone, Copy)]
struct Applied {
    count: usize,
    /// The longest way from one to the next.
    chain: usize,
}

/// References may form long chains, so this does not recurse.
fn count(graph: &Graph<'_>, start: usize, counts: &mut [Option<Applied>]) {
    let known = |counts: &[Option<Applied>], number: usize| counts.get(number).copied().flatten();
    let mut pending = vec![start];
    while let Some(&number) = pending.last() {
        let open: Vec<usize> =
            graph.applied(number).map(|(_, below)| below).filter(|below| known(counts, *below).is_none()).collect();
        if open.is_empty() {
            let below: Vec<_> = graph.applied(number).filter_map(|(_, below)| known(counts, below)).collect();
            let applied = Applied {
                count: below.iter().map(|below| below.count).fold(1, usize::saturating_add),
                chain: below.iter().map(|below| below.chain).max().unwrap_or(0).saturating_add(1),
            };
            if let Some(count) = counts.get_mut(number) {
                *count = Some(applied);
            }
            pending.pop();
        } else {
            pending.extend(open);
        }
    }
}
