use serde_json::Value;

use super::place::Place;
use super::words::{constants, declared, kind_of, one_of_types};
use super::{Explainer, Found};
use crate::schema::document::Node;

/// One branch of an `anyOf` or `oneOf`, and what is wrong with the value under it.
struct Branch<'d> {
    node: Node<'d>,
    number: usize,
    found: Vec<Found>,
}

impl<'d> Explainer<'d> {
    /// Names the branch that came closest and says what is wrong under it, instead of listing every branch.
    pub(super) fn union(
        &mut self,
        node: &Node<'d>,
        keyword: &str,
        value: &Value,
        place: &Place<'_>,
        found: &mut Vec<Found>,
    ) {
        let mut branches: Vec<Branch<'d>> = Vec::new();
        for (index, branch) in node.items(keyword).enumerate() {
            let mut found = Vec::new();
            self.look(&branch, value, place, &mut found);
            branches.push(Branch { node: branch, number: index + 1, found });
        }
        if branches.is_empty() {
            return;
        }
        let fitting = branches.iter().filter(|branch| branch.found.is_empty()).count();
        if fitting > 1 && keyword == "oneOf" {
            let message = "fits more than one form of `oneOf`, and must fit exactly one";
            place.add(found, node.at(keyword), keyword, message);
        }
        if fitting > 0 {
            return;
        }
        let forms = branches.len();
        if let Some(message) = simple(self, &branches, value, place) {
            return place.add(found, node.at(keyword), keyword, &message);
        }
        let depth = place.depth();
        branches.retain(|branch| value.is_null() || branch.node.types() != ["null"]);
        let only = branches.len() == 1;
        let Some(best) = branches.into_iter().min_by_key(|branch| distance(branch, depth)) else { return };
        let name = match best.node.get("title").and_then(Value::as_str) {
            Some(title) => declared(title),
            None => format!("number {}", best.number),
        };
        for mut one in best.found {
            if !only {
                let closest = format!(" (in form {name} of {forms}, which comes closest)");
                one.issue.message.push_str(&closest);
            }
            found.push(one);
        }
    }
}

/// How far a value is from a branch: another type, then another constant, then the number of issues.
fn distance(branch: &Branch<'_>, depth: usize) -> (bool, usize, usize) {
    let here = |found: &Found| found.ranks.len() == depth && matches!(&*found.issue.keyword, "type" | "const" | "enum");
    let constants = branch.found.iter().filter(|found| matches!(&*found.issue.keyword, "const" | "enum")).count();
    (branch.found.iter().any(here), constants, branch.found.len())
}

/// One sentence for all branches, when each of them asks for a type or a constant.
fn simple(explainer: &Explainer<'_>, branches: &[Branch<'_>], value: &Value, place: &Place<'_>) -> Option<String> {
    let depth = place.depth();
    let mut types = Vec::new();
    let mut values = Vec::new();
    for Branch { node, found, .. } in branches {
        let [Found { ranks, issue }] = &**found else { return None };
        if ranks.len() != depth {
            return None;
        }
        let target = explainer.document.target(node, "$ref");
        let node = target.as_ref().unwrap_or(node);
        match &*issue.keyword {
            "type" if issue.declared == node.at("type") => types.extend(node.types()),
            "const" => values.extend(node.get("const")),
            "enum" => values.extend(node.get("enum").and_then(Value::as_array).into_iter().flatten()),
            _ => return None,
        }
    }
    types.dedup();
    match (types.is_empty(), values.is_empty()) {
        (false, true) => Some(format!("must be {}, not {}", one_of_types(&types), kind_of(value))),
        (true, false) => Some(format!("must be one of: {}", constants(values.into_iter()))),
        (false, false) => {
            let constants = constants(values.into_iter());
            Some(format!("must be {}, or one of: {constants}; not {}", one_of_types(&types), kind_of(value)))
        }
        (true, true) => None,
    }
}
