use std::collections::BTreeSet;

use serde_json::Value;

use super::graph::Graph;
use crate::schema::document::Document;
use crate::schema::problem::SchemaProblem;

/// A root that was closed for the host must be closed in effect, and nothing else with it.
pub(super) fn check(document: &Document, graph: &Graph<'_>, problems: &mut Vec<SchemaProblem>) {
    let mut refuse = |place: String, problem: &str| {
        let problem = format!("unknown arguments cannot be refused: {problem}");
        let remedy = "declare in the schema itself which arguments there are, with `additionalProperties`";
        problems.push(SchemaProblem::new(place, problem, remedy));
    };
    if let Some((from, keyword)) = document.targets.iter().filter(|(_, to)| to.is_empty()).map(|(from, _)| from).min() {
        refuse(format!("{from}/{keyword}"), "the root is also the schema of what this refers to it for");
    }
    let mut seen = BTreeSet::new();
    let mut pending: Vec<usize> = graph.applied(0).map(|(_, below)| below).collect();
    while let Some(number) = pending.pop() {
        let Some(node) = graph.node(number).filter(|_| seen.insert(number)) else { continue };
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if node.get(keyword).is_some_and(|schema| *schema != Value::Bool(false)) {
                refuse(node.at(keyword), "this accepts others");
            }
        }
        pending.extend(graph.applied(number).map(|(_, below)| below));
    }
}
