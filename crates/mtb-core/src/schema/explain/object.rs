use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::place::Place;
use super::scalar::sized;
use super::words::declared;
use super::{Explainer, Found};
use crate::schema::document::{Node, names};
use crate::schema::engine::Match;

impl<'d> Explainer<'d> {
    pub(super) fn object(
        &mut self,
        node: &Node<'d>,
        members: &Map<String, Value>,
        place: &Place<'_>,
        found: &mut Vec<Found<'d>>,
    ) {
        let size = u64::try_from(members.len()).unwrap_or(u64::MAX);
        sized(node, ["minProperties", "maxProperties"], size, ("property", "properties"), place, found);
        for name in node.names("required").filter(|name| !members.contains_key(*name)) {
            let rank = self.document.order.rank(node, name);
            place.member(name, rank).add(found, node.at("required"), "required", "is required");
        }
        let members: BTreeMap<_, _> = members.iter().map(|(name, member)| (name.as_str(), member)).collect();
        for (name, member) in &members {
            self.member(node, name, member, place, found);
        }
        self.dependent(node, &members, place, found);
    }

    fn member(&mut self, node: &Node<'d>, name: &str, value: &Value, place: &Place<'_>, found: &mut Vec<Found<'d>>) {
        let here = place.member(name, self.document.order.rank(node, name));
        let mut declared = false;
        if let Some(property) = node.member("properties", name) {
            declared = true;
            self.look(&property, value, &here, found);
        }
        for (pattern, schema) in node.members("patternProperties") {
            match self.matches(pattern, name) {
                Match::Yes => {
                    declared = true;
                    self.look(&schema, value, &here, found);
                }
                Match::No => {}
                Match::Unfinished => {
                    declared = true;
                    let message = "has a name that takes too many steps to match with a declared pattern";
                    let issue = here.issue(schema.pointer, "patternProperties", message);
                    self.unfinished.get_or_insert(issue);
                }
            }
        }
        if !declared && let Some(others) = node.child("additionalProperties") {
            if node.is_closed() {
                let message = self.undeclared(name, node.members("properties").map(|(name, _)| name));
                here.add(found, others.pointer, "additionalProperties", &message);
            } else {
                self.look(&others, value, &here, found);
            }
        }
        if let Some(names) = node.child("propertyNames")
            && self.fits(&names, &Value::from(name), &here) == Some(false)
        {
            here.add(found, names.pointer, "propertyNames", "has a name of a form that is not allowed");
        }
    }

    pub(super) fn undeclared<'n>(&mut self, name: &str, known: impl Iterator<Item = &'n str>) -> String {
        match self.closest(name, known) {
            Some(known) => format!("is not a declared property; closest is {}", declared(known)),
            None => "is not a declared property".to_owned(),
        }
    }

    fn dependent(
        &mut self,
        node: &Node<'d>,
        members: &BTreeMap<&str, &Value>,
        place: &Place<'_>,
        found: &mut Vec<Found<'d>>,
    ) {
        for (keyword, trigger, list) in node.dependent_names().filter(|(_, trigger, _)| members.contains_key(trigger)) {
            for name in names(Some(list.schema)).filter(|name| !members.contains_key(*name)) {
                let message = format!("is required when {} is given", declared(trigger));
                let rank = self.document.order.rank(node, name);
                place.member(name, rank).add(found, list.pointer.clone(), keyword, &message);
            }
        }
        let schemas: Vec<_> = node.dependent_schemas().filter(|(name, _)| members.contains_key(name)).collect();
        if !schemas.is_empty() {
            let whole: Value = members.iter().map(|(name, member)| ((*name).to_owned(), (*member).clone())).collect();
            for (_, schema) in schemas {
                self.look(&schema, &whole, place, found);
            }
        }
    }
}
