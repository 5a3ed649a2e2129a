use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value};

use super::place::Place;
use super::{Explainer, Found};
use crate::schema::document::{InPlace, Node};
use crate::schema::engine::Match;

/// Members that take as long to compare with what is declared as one schema does.
const MEMBERS_A_STEP: usize = 32;

impl<'d> Explainer<'d> {
    /// Properties that nothing applied to the object looks at.
    pub(super) fn unevaluated_properties(
        &mut self,
        node: &Node<'d>,
        members: &Map<String, Value>,
        value: &Value,
        is_refused: bool,
        place: &Place<'_>,
        found: &mut Vec<Found<'d>>,
    ) {
        let Some(others) = node.child("unevaluatedProperties") else { return };
        let mut known = BTreeSet::new();
        self.evaluated_properties(node, members, value, place, &mut known);
        if self.gave_up() {
            return;
        }
        let applied = self.applied_somehow(node);
        let mut rest: Vec<_> = members.iter().filter(|(name, _)| !known.contains(name.as_str())).collect();
        rest.sort_by_key(|(name, _)| *name);
        for (name, member) in rest {
            let here = place.member(name, usize::MAX);
            let is_declared = applied.iter().any(|schema| self.declares(schema, name));
            if *others.schema != Value::Bool(false) {
                if !is_refused || !is_declared {
                    self.look(&others, member, &here, found);
                }
            } else if !is_declared {
                let declared = applied.iter().flat_map(|schema| schema.members("properties").map(|(name, _)| name));
                let message = self.undeclared(name, declared);
                here.add(found, others.pointer.clone(), "unevaluatedProperties", &message);
            } else if !is_refused {
                let message = "is declared only in a form that this object does not fit";
                here.add(found, others.pointer.clone(), "unevaluatedProperties", message);
            }
        }
    }

    fn evaluated_properties<'v>(
        &mut self,
        node: &Node<'d>,
        members: &'v Map<String, Value>,
        value: &Value,
        place: &Place<'_>,
        known: &mut BTreeSet<&'v str>,
    ) {
        if !self.spend_on(node, members.len() / MEMBERS_A_STEP + 1, place) {
            return;
        }
        let all = node.get("additionalProperties").is_some();
        known.extend(members.keys().filter(|name| all || self.declares(node, name)).map(String::as_str));
        for branch in self.evaluating(node, value, place) {
            if branch.get("unevaluatedProperties").is_some() {
                known.extend(members.keys().map(String::as_str));
            } else {
                self.evaluated_properties(&branch, members, value, place, known);
            }
        }
    }

    fn declares(&self, node: &Node<'d>, name: &str) -> bool {
        let is_of = |pattern| self.checks.matches(pattern, name) == Match::Yes;
        node.member("properties", name).is_some()
            || node.members("patternProperties").any(|(pattern, _)| is_of(pattern))
    }

    /// The schema and all that it may apply to the same value.
    fn applied_somehow(&self, node: &Node<'d>) -> Vec<Node<'d>> {
        let (mut all, mut seen, mut pending) = (Vec::new(), HashSet::new(), vec![node.clone()]);
        while let Some(node) = pending.pop() {
            if seen.insert(node.pointer.clone()) {
                let below = self.document.in_place(&node).into_iter();
                pending.extend(below.filter(|(how, _)| *how != InPlace::Negated).map(|(_, branch)| branch));
                all.push(node);
            }
        }
        all
    }

    /// Items that nothing applied to the array looks at.
    pub(super) fn unevaluated_items(
        &mut self,
        node: &Node<'d>,
        items: &[Value],
        value: &Value,
        place: &Place<'_>,
        found: &mut Vec<Found<'d>>,
    ) {
        let Some(others) = node.child("unevaluatedItems") else { return };
        let mut known = Items::default();
        self.evaluated_items(node, items, value, place, &mut known);
        if self.gave_up() {
            return;
        }
        for (index, item) in items.iter().enumerate().skip(known.first) {
            if !known.others.contains(&index) {
                self.look(&others, item, &place.item(index), found);
            }
        }
    }

    fn evaluated_items(
        &mut self,
        node: &Node<'d>,
        items: &[Value],
        value: &Value,
        place: &Place<'_>,
        known: &mut Items,
    ) {
        if !self.spend_on(node, 1, place) {
            return;
        }
        let all = node.other_items().is_some();
        known.first = known.first.max(if all { items.len() } else { node.first_items().count() });
        // The engine counts what `contains` finds as looked at in 2019-09 too, where that is open.
        if let Some(contained) = node.child("contains") {
            for (index, item) in items.iter().enumerate().skip(known.first) {
                if self.fits(&contained, item, &place.item(index)) == Some(true) {
                    known.others.insert(index);
                }
            }
        }
        for branch in self.evaluating(node, value, place) {
            if branch.get("unevaluatedItems").is_some() {
                known.first = items.len();
            } else {
                self.evaluated_items(&branch, items, value, place, known);
            }
        }
    }
}

/// The items that were looked at: so many at the start, and others by index.
#[derive(Default)]
struct Items {
    first: usize,
    others: BTreeSet<usize>,
}
