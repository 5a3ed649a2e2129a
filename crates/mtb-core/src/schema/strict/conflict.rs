use std::collections::HashSet;

use serde_json::Value;

use super::graph::Graph;
use super::quoted;
use super::required::{Undeclared, declares_itself};
use crate::schema::document::Node;
use crate::schema::engine::Checks;
use crate::schema::keyword::count;
use crate::schema::number::compare;
use crate::schema::problem::SchemaProblem;

/// Nothing declared makes every value fail.
pub(super) fn check(
    graph: &Graph<'_>,
    checks: &Checks,
    undeclared: &Undeclared<'_>,
    problems: &mut Vec<SchemaProblem>,
) {
    graph.nodes().iter().for_each(|node| bounds(node, problems));
    // What is always applied by another schema is looked at there, together with the rest.
    let applied: HashSet<usize> = graph.numbers().flat_map(|number| graph.always(number)).collect();
    for number in graph.numbers().filter(|number| !applied.contains(number)) {
        let together = always_together(graph, number);
        let nodes: Vec<_> = together.iter().filter_map(|number| graph.node(*number)).collect();
        forbidden(&nodes, checks, undeclared, problems);
        if nodes.iter().any(|node| node.get("minProperties").is_some())
            && let Some(room) = together.iter().filter_map(|number| room(graph, *number)).min()
        {
            crowded(&nodes, room, problems);
        }
    }
}

fn bounds(node: &Node<'_>, problems: &mut Vec<SchemaProblem>) {
    for (low, high) in [
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
        ("minContains", "maxContains"),
    ] {
        if let (Some(from), Some(to)) = (node.get(low), node.get(high)) {
            between(node, (low, from, false), (high, to, false), problems);
        }
    }
    for low in node.bounds("minimum", "exclusiveMinimum") {
        for high in node.bounds("maximum", "exclusiveMaximum") {
            between(node, low, high, problems);
        }
    }
}

/// A bound: its keyword, and whether it is excluded.
type Bound<'b> = (&'static str, &'b Value, bool);

fn between(
    node: &Node<'_>,
    (low, from, after): Bound<'_>,
    (high, to, before): Bound<'_>,
    problems: &mut Vec<SchemaProblem>,
) {
    let strictly = after || before;
    if compare(from, to).is_some_and(|order| order.is_gt() || (strictly && order.is_eq())) {
        let problem = format!("`{low}` is {from} and `{high}` is {to}, so that no value fits");
        problems.push(SchemaProblem::new(node.at(low), problem, "correct one of them"));
    }
}

/// Required properties that another part, always applied to the same value, does not allow. One that nothing declares
/// was told already.
fn forbidden(together: &[&Node<'_>], checks: &Checks, undeclared: &Undeclared<'_>, problems: &mut Vec<SchemaProblem>) {
    for requiring in together {
        for name in requiring.names("required") {
            if undeclared.contains(&(requiring.pointer.clone(), name)) {
                continue;
            }
            for other in together {
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

/// More properties are asked for than a closed object can have.
fn crowded(together: &[&Node<'_>], room: usize, problems: &mut Vec<SchemaProblem>) {
    for node in together {
        let least = node.get("minProperties").and_then(count).and_then(|least| usize::try_from(least).ok());
        if let Some(least) = least.filter(|least| *least > room) {
            let problem =
                format!("`minProperties` is {least}, but the closed object has only {room}, so that no value fits");
            let remedy = "declare more properties under `properties`, or ask for fewer";
            problems.push(SchemaProblem::new(node.at("minProperties"), problem, remedy));
        }
    }
}

/// The most properties that an object of a closed schema can have; `None` where patterns or others are open.
fn room(graph: &Graph<'_>, number: usize) -> Option<usize> {
    let node = graph.node(number)?;
    let is_open = |node: &Node<'_>, keyword| node.get(keyword).is_some_and(|schema| *schema != Value::Bool(false));
    if node.is_closed() {
        return node.get("patternProperties").is_none().then(|| allowed(node).count());
    }
    if node.get("unevaluatedProperties") != Some(&Value::Bool(false)) {
        return None;
    }
    let (mut names, mut seen, mut pending) = (HashSet::new(), HashSet::new(), vec![number]);
    while let Some(number) = pending.pop() {
        let Some(node) = graph.node(number).filter(|_| seen.insert(number)) else { continue };
        let opens = ["patternProperties", "additionalProperties", "unevaluatedProperties"];
        if opens.iter().any(|keyword| is_open(node, keyword)) {
            return None;
        }
        names.extend(allowed(node));
        pending.extend(graph.applied(number).map(|(_, below)| below));
    }
    Some(names.len())
}

/// The declared properties that may have a value.
fn allowed<'d>(node: &Node<'d>) -> impl Iterator<Item = &'d str> + use<'d> {
    node.members("properties").filter(|(_, property)| *property.schema != Value::Bool(false)).map(|(name, _)| name)
}

/// The schema and those it always applies to the same value.
fn always_together(graph: &Graph<'_>, number: usize) -> Vec<usize> {
    let (mut together, mut seen, mut pending) = (Vec::new(), HashSet::new(), vec![number]);
    while let Some(number) = pending.pop() {
        if seen.insert(number) {
            pending.extend(graph.always(number));
            together.push(number);
        }
    }
    together
}
