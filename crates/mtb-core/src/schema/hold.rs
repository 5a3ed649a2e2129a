use std::collections::HashSet;

use serde_json::Value;

use super::document::{Document, InPlace, Node};
use super::engine::{Checks, Match};

/// Schemas looked at before the answer is "it may".
const MAX_STEPS: usize = 20_000;

/// Whether a value that fits the schema may hold something at these segments; `None` stands for any.
pub(super) fn may_hold(document: &Document, checks: &Checks, segments: &[Option<&str>]) -> bool {
    let mut search = Search { document, checks, seen: HashSet::new() };
    search.holds(&document.root(), segments)
}

struct Search<'d> {
    document: &'d Document,
    checks: &'d Checks,
    seen: HashSet<(String, usize)>,
}

impl<'d> Search<'d> {
    fn holds(&mut self, node: &Node<'d>, segments: &[Option<&str>]) -> bool {
        if segments.is_empty() || !self.says_what_is_inside(node, &mut HashSet::new()) {
            return *node.schema != Value::Bool(false);
        }
        self.holds_inside(node, segments)
    }

    fn holds_inside(&mut self, node: &Node<'d>, segments: &[Option<&str>]) -> bool {
        let Some((first, rest)) = segments.split_first() else { return true };
        if self.seen.len() >= MAX_STEPS {
            return true;
        }
        if !self.seen.insert((node.pointer.clone(), segments.len())) {
            return false;
        }
        let branches = self.document.in_place(node).into_iter();
        let applied: Vec<_> = branches.filter(|(how, _)| *how != InPlace::Negated).map(|(_, node)| node).collect();
        self.below(node, *first).iter().any(|child| self.holds(child, rest))
            || applied.iter().any(|branch| self.holds_inside(branch, segments))
    }

    /// The schemas of what stands at this segment.
    fn below(&self, node: &Node<'d>, segment: Option<&str>) -> Vec<Node<'d>> {
        let mut found = Vec::new();
        let mut others = Vec::new();
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            others.extend(node.child(keyword));
        }
        match segment {
            None => {
                found.extend(node.members("properties").map(|(_, node)| node));
                found.extend(node.members("patternProperties").map(|(_, node)| node));
                found.extend(others);
                found.extend(node.first_items());
                found.extend(other_items(node));
            }
            Some(name) => {
                found.extend(node.member("properties", name));
                let patterns = node.members("patternProperties");
                found.extend(
                    patterns.filter(|(it, _)| self.checks.matches(it, name) != Match::No).map(|(_, node)| node),
                );
                if found.is_empty() {
                    found.extend(others);
                }
                if let Ok(index) = name.parse::<usize>() {
                    let item = node.first_items().nth(index);
                    found.extend(item.map_or_else(|| other_items(node), |item| vec![item]));
                }
            }
        }
        found
    }

    /// Whether the schema, or one it applies to the same value, tells what the value may hold. One that does not
    /// leaves it open, unless only scalars fit.
    fn says_what_is_inside(&self, node: &Node<'d>, seen: &mut HashSet<String>) -> bool {
        const INSIDE: [&str; 8] = [
            "additionalProperties",
            "const",
            "enum",
            "items",
            "patternProperties",
            "prefixItems",
            "properties",
            "unevaluatedProperties",
        ];
        let types = node.types();
        let only_scalars = !types.is_empty() && !types.iter().any(|name| matches!(*name, "object" | "array"));
        only_scalars
            || INSIDE.iter().any(|keyword| node.get(keyword).is_some())
            || self
                .document
                .in_place(node)
                .iter()
                .any(|(_, branch)| seen.insert(branch.pointer.clone()) && self.says_what_is_inside(branch, seen))
    }
}

fn other_items<'d>(node: &Node<'d>) -> Vec<Node<'d>> {
    let elsewhere = ["unevaluatedItems", "contains"].into_iter().filter_map(|keyword| node.child(keyword));
    node.other_items().into_iter().chain(elsewhere).collect()
}
