use serde_json::Value;

use super::place::Place;
use super::words::{constants, declared, kind_of, one_of_types};
use super::{Explainer, Found, Wanted};
use crate::schema::document::Node;

/// One branch of an `anyOf` or `oneOf`, and what is wrong with the value under it.
struct Branch<'d> {
    node: Node<'d>,
    number: usize,
    found: Vec<Found<'d>>,
}

impl<'d> Explainer<'d> {
    /// Names the branch that came closest and says what is wrong under it, instead of listing every branch.
    pub(super) fn union(
        &mut self,
        node: &Node<'d>,
        keyword: &str,
        value: &Value,
        place: &Place<'_>,
        found: &mut Vec<Found<'d>>,
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
        if fitting > 1 && keyword == "oneOf" && !self.gave_up() {
            let message = "fits more than one form of `oneOf`, and must fit exactly one";
            place.add(found, node.at(keyword), keyword, message);
        }
        if fitting > 0 {
            return;
        }
        let forms = branches.len();
        let depth = place.depth();
        if let Some(wanted) = wanted(&branches, depth) {
            let message = self.choice(&wanted, value);
            return place.add_wanted(found, node.at(keyword), keyword, &message, wanted);
        }
        // A branch for values of another kind is not what was meant, unless all of them are.
        let is_of_another_kind = |branch: &Branch<'d>| branch.found.iter().any(|found| is_about_type(found, depth));
        if branches.iter().any(|branch| !is_of_another_kind(branch)) {
            branches.retain(|branch| !is_of_another_kind(branch));
        }
        let only = branches.len() == 1;
        let Some(best) = branches.into_iter().min_by_key(|branch| distance(branch, depth)) else { return };
        let name = match best.node.get("title").and_then(Value::as_str) {
            Some(title) => declared(title),
            None => format!("number {}", best.number),
        };
        for mut one in best.found {
            if !only {
                one.forms.push(format!("{name} of {forms}"));
            }
            found.push(one);
        }
    }

    fn choice(&mut self, wanted: &Wanted<'d>, value: &Value) -> String {
        let Wanted { types, values } = wanted;
        if values.is_empty() {
            return format!("must be {}, not {}", one_of_types(types), kind_of(value));
        }
        let values =
            format!("one of: {}{}", constants(values.iter().copied()), self.suggestion(value, values.iter().copied()));
        if types.is_empty() {
            format!("must be {values}")
        } else {
            format!("must be {} or {values}", one_of_types(types))
        }
    }
}

/// What fits any branch, when each of them wants nothing but a type or a constant.
fn wanted<'d>(branches: &[Branch<'d>], depth: usize) -> Option<Wanted<'d>> {
    let mut all = Wanted::default();
    for Branch { found, .. } in branches {
        let [Found { ranks, wanted: Some(wanted), .. }] = &**found else { return None };
        if ranks.len() != depth {
            return None;
        }
        all.types.extend(wanted.types.iter().filter(|name| !all.types.contains(name)).copied().collect::<Vec<_>>());
        all.values.extend(&wanted.values);
    }
    Some(all)
}

/// Whether the value itself is of another type than this wants.
fn is_about_type(found: &Found<'_>, depth: usize) -> bool {
    let wants_types = found.wanted.as_ref().is_some_and(|wanted| !wanted.types.is_empty());
    found.ranks.len() == depth && wants_types
}

/// How far a value is from a branch: another type, then another constant, then the number of issues.
fn distance(branch: &Branch<'_>, depth: usize) -> (bool, usize, usize) {
    let here =
        |found: &Found<'_>| found.ranks.len() == depth && matches!(&*found.issue.keyword, "type" | "const" | "enum");
    let constants = branch.found.iter().filter(|found| matches!(&*found.issue.keyword, "const" | "enum")).count();
    (branch.found.iter().any(here), constants, branch.found.len())
}
