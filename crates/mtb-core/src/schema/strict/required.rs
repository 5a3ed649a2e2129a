use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::graph::Graph;
use super::quoted;
use crate::schema::closest::closest;
use crate::schema::document::{Node, names};
use crate::schema::engine::{Checks, Match};
use crate::schema::problem::SchemaProblem;

/// Required properties that nothing declares: the pointer of the schema that requires one, and its name.
pub(super) type Undeclared<'d> = BTreeSet<(String, &'d str)>;

/// Every required property is declared by something that is applied to the same value.
pub(super) fn check<'d>(graph: &Graph<'d>, checks: &Checks, problems: &mut Vec<SchemaProblem>) -> Undeclared<'d> {
    let mut undeclared = BTreeSet::new();
    let declaring = Declaring { graph, checks, appliers: graph.appliers() };
    for (number, node) in graph.nodes().iter().enumerate() {
        for name in node.names("required").filter(|name| !declaring.is_declared(number, name)) {
            let place = format!("{}/required", node.pointer);
            let declared = node.members("properties").map(|(name, _)| name);
            let remedy = match closest(name, declared) {
                Some(known) => format!("the closest declared property is {}; correct it", quoted(known)),
                None => "declare it under `properties`, or remove it from `required`".to_owned(),
            };
            problems.push(SchemaProblem::new(
                place,
                format!("requires {}, which is not declared", quoted(name)),
                remedy,
            ));
            undeclared.insert((node.pointer.clone(), name));
        }
        for (_, _, list) in node.dependent_names() {
            for name in names(Some(list.schema)).filter(|name| !declaring.is_declared(number, name)) {
                let problem = format!("requires {}, which is not declared", quoted(name));
                problems.push(SchemaProblem::new(
                    &list.pointer,
                    problem,
                    "declare it under `properties`, or remove it",
                ));
            }
        }
    }
    undeclared
}

struct Declaring<'g, 'd> {
    graph: &'g Graph<'d>,
    checks: &'g Checks,
    /// The schemas that apply a schema to the value they are applied to.
    appliers: Vec<Vec<usize>>,
}

impl Declaring<'_, '_> {
    /// Looks in the schema itself, in what it applies to the same value, and in what applies it.
    fn is_declared(&self, number: usize, name: &str) -> bool {
        if self.graph.node(number).is_some_and(|node| declares_itself(node, name, self.checks)) {
            return true;
        }
        let mut seen = HashSet::new();
        let mut above = vec![number];
        while let Some(number) = above.pop() {
            if self.declares(number, name, &mut seen) {
                return true;
            }
            let appliers = self.appliers.get(number).into_iter().flatten().copied();
            above.extend(appliers.filter(|applier| !seen.contains(applier)));
        }
        false
    }

    fn declares(&self, number: usize, name: &str, seen: &mut HashSet<usize>) -> bool {
        let mut pending = vec![number];
        while let Some(number) = pending.pop() {
            let Some(node) = self.graph.node(number).filter(|_| seen.insert(number)) else { continue };
            let open = ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|keyword| node.get(keyword).is_some_and(|schema| *schema != Value::Bool(false)));
            if open || declares_itself(node, name, self.checks) {
                return true;
            }
            pending.extend(self.graph.applied(number).map(|(_, below)| below));
        }
        false
    }
}

/// Whether `properties` or `patternProperties` of this very schema say something about the name.
pub(super) fn declares_itself(node: &Node<'_>, name: &str, checks: &Checks) -> bool {
    let named = node.get("properties").and_then(|properties| properties.get(name)).is_some();
    named || node.members("patternProperties").any(|(pattern, _)| checks.matches(pattern, name) != Match::No)
}
