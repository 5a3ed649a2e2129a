use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::quoted;
use crate::schema::closest::closest;
use crate::schema::document::{Document, Node, names};
use crate::schema::engine::{Checks, Match};
use crate::schema::problem::SchemaProblem;

/// Every required property is declared by something that is applied to the same value.
pub(super) fn check(
    document: &Document,
    checks: &Checks,
    schemas: &BTreeSet<String>,
    problems: &mut Vec<SchemaProblem>,
) {
    let nodes: Vec<Node<'_>> = schemas
        .iter()
        .filter_map(|pointer| Some(Node { schema: document.root.pointer(pointer)?, pointer: pointer.clone() }))
        .collect();
    let mut applied_by: HashMap<String, Vec<&Node<'_>>> = HashMap::new();
    for node in &nodes {
        for (_, branch) in document.in_place(node) {
            applied_by.entry(branch.pointer).or_default().push(node);
        }
    }
    let declaring = Declaring { document, checks, applied_by };
    for node in &nodes {
        for name in declaring.undeclared(node) {
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
        }
        for (_, _, list) in node.dependent_names() {
            for name in names(Some(list.schema)).filter(|name| !declaring.is_declared(node, name)) {
                let problem = format!("requires {}, which is not declared", quoted(name));
                problems.push(SchemaProblem::new(
                    &list.pointer,
                    problem,
                    "declare it under `properties`, or remove it",
                ));
            }
        }
    }
}

struct Declaring<'d> {
    document: &'d Document,
    checks: &'d Checks,
    /// The schemas that apply a schema to the value they are applied to.
    applied_by: HashMap<String, Vec<&'d Node<'d>>>,
}

impl<'d> Declaring<'d> {
    fn undeclared(&self, node: &Node<'d>) -> impl Iterator<Item = &'d str> {
        node.names("required").filter(|name| !self.is_declared(node, name))
    }

    /// Looks in the schema itself, in what it applies to the same value, and in what applies it.
    fn is_declared(&self, node: &Node<'d>, name: &str) -> bool {
        let mut seen = HashSet::new();
        let mut above = vec![node.clone()];
        while let Some(node) = above.pop() {
            if self.declares(&node, name, &mut seen) {
                return true;
            }
            let appliers = self.applied_by.get(&node.pointer).into_iter().flatten();
            above.extend(appliers.filter(|applier| !seen.contains(&applier.pointer)).map(|applier| (*applier).clone()));
        }
        false
    }

    fn declares(&self, node: &Node<'d>, name: &str, seen: &mut HashSet<String>) -> bool {
        let mut pending = vec![node.clone()];
        while let Some(node) = pending.pop() {
            if !seen.insert(node.pointer.clone()) {
                continue;
            }
            let open = ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|keyword| node.get(keyword).is_some_and(|schema| *schema != Value::Bool(false)));
            if open || declares_itself(&node, name, self.checks) {
                return true;
            }
            pending.extend(self.document.in_place(&node).into_iter().map(|(_, branch)| branch));
        }
        false
    }
}

/// Whether `properties` or `patternProperties` of this very schema say something about the name.
pub(super) fn declares_itself(node: &Node<'_>, name: &str, checks: &Checks) -> bool {
    let named = node.get("properties").and_then(|properties| properties.get(name)).is_some();
    named || node.members("patternProperties").any(|(pattern, _)| checks.matches(pattern, name) != Match::No)
}
