use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::quoted;
use super::required::declares_itself;
use crate::schema::document::{Document, InPlace, Node};
use crate::schema::engine::Checks;
use crate::schema::number::compare;
use crate::schema::problem::SchemaProblem;

/// Nothing declared makes every value fail.
pub(super) fn check(
    document: &Document,
    checks: &Checks,
    schemas: &BTreeSet<String>,
    problems: &mut Vec<SchemaProblem>,
) {
    for pointer in schemas {
        let Some(schema) = document.root.pointer(pointer) else { continue };
        let node = Node { schema, pointer: pointer.clone() };
        bounds(&node, problems);
        forbidden(document, checks, &node, problems);
    }
}

fn bounds(node: &Node<'_>, problems: &mut Vec<SchemaProblem>) {
    for (low, high) in [
        ("minimum", "maximum"),
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
        ("minContains", "maxContains"),
    ] {
        between(node, low, high, false, problems);
    }
    between(node, "exclusiveMinimum", "maximum", true, problems);
    between(node, "minimum", "exclusiveMaximum", true, problems);
    between(node, "exclusiveMinimum", "exclusiveMaximum", true, problems);
}

fn between(node: &Node<'_>, low: &str, high: &str, strictly: bool, problems: &mut Vec<SchemaProblem>) {
    let (Some(from), Some(to)) =
        (node.get(low).filter(|it| it.is_number()), node.get(high).filter(|it| it.is_number()))
    else {
        return;
    };
    let order = compare(from, to);
    if order.is_some_and(|order| order.is_gt() || (strictly && order.is_eq())) {
        let problem = format!("`{low}` is {from} and `{high}` is {to}, so that no value fits");
        problems.push(SchemaProblem::new(node.at(low), problem, "correct one of them"));
    }
}

/// Required properties that another part, always applied to the same value, does not allow.
fn forbidden(document: &Document, checks: &Checks, node: &Node<'_>, problems: &mut Vec<SchemaProblem>) {
    let together = always_together(document, node);
    for requiring in &together {
        for name in requiring.names("required") {
            for other in &together {
                let never = other.member("properties", name).filter(|property| *property.schema == Value::Bool(false));
                let (place, problem) = if let Some(property) = never {
                    (property.pointer, format!("{} is required and its schema allows no value", quoted(name)))
                } else if other.is_closed() && !declares_itself(other, name, checks) {
                    let place = other.at("additionalProperties");
                    (place, format!("{} is required, but this object is closed without it", quoted(name)))
                } else {
                    continue;
                };
                let remedy = "declare the property beside it, or do not require it";
                problems.push(SchemaProblem::new(place, problem, remedy));
            }
        }
    }
}

/// The schema and those it always applies to the same value.
fn always_together<'d>(document: &'d Document, node: &Node<'d>) -> Vec<Node<'d>> {
    let mut seen = HashSet::new();
    let mut together = Vec::new();
    let mut pending = vec![node.clone()];
    while let Some(node) = pending.pop() {
        if seen.insert(node.pointer.clone()) {
            let branches = document.in_place(&node).into_iter();
            pending.extend(branches.filter(|(how, _)| *how == InPlace::Always).map(|(_, branch)| branch));
            together.push(node);
        }
    }
    together
}
