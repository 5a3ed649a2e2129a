use std::collections::HashSet;

use serde_json::Value;

use super::graph::Graph;
use super::quoted;
use super::required::declares_itself;
use crate::schema::document::Node;
use crate::schema::engine::Checks;
use crate::schema::number::compare;
use crate::schema::problem::SchemaProblem;

/// Nothing declared makes every value fail.
pub(super) fn check(graph: &Graph<'_>, checks: &Checks, problems: &mut Vec<SchemaProblem>) {
    graph.nodes().iter().for_each(|node| bounds(node, problems));
    // What is always applied by another schema is looked at there, together with the rest.
    let applied: HashSet<usize> = graph.numbers().flat_map(|number| graph.always(number)).collect();
    for number in graph.numbers().filter(|number| !applied.contains(number)) {
        forbidden(&always_together(graph, number), checks, problems);
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

/// Required properties that another part, always applied to the same value, does not allow.
fn forbidden(together: &[&Node<'_>], checks: &Checks, problems: &mut Vec<SchemaProblem>) {
    for requiring in together {
        for name in requiring.names("required") {
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

/// The schema and those it always applies to the same value.
fn always_together<'g, 'd>(graph: &'g Graph<'d>, number: usize) -> Vec<&'g Node<'d>> {
    let mut seen = HashSet::new();
    let mut together = Vec::new();
    let mut pending = vec![number];
    while let Some(number) = pending.pop() {
        if seen.insert(number) {
            pending.extend(graph.always(number));
            together.extend(graph.node(number));
        }
    }
    together
}
