use std::collections::BTreeMap;

use serde_json::Value;

use super::place::Place;
use super::scalar::sized;
use super::words::counted;
use super::{Explainer, Found};
use crate::schema::document::Node;
use crate::schema::keyword::count;
use crate::schema::number::normal;
use crate::schema::read::written;

impl<'d> Explainer<'d> {
    pub(super) fn array(&mut self, node: &Node<'d>, items: &[Value], place: &Place<'_>, found: &mut Vec<Found<'d>>) {
        let length = u64::try_from(items.len()).unwrap_or(u64::MAX);
        sized(node, ["minItems", "maxItems"], length, ("item", "items"), place, found);
        let first: Vec<_> = node.first_items().collect();
        let others = node.other_items();
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(index).or(others.as_ref()) {
                self.look(schema, item, &place.item(index), found);
            }
        }
        if node.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen = BTreeMap::new();
            let twice = items
                .iter()
                .enumerate()
                .find_map(|(index, item)| seen.insert(written(&normal(item)), index).map(|earlier| (index, earlier)));
            if let Some((index, earlier)) = twice {
                let message = format!("is equal to the item at index {earlier}, and items must be distinct");
                place.item(index).add(found, node.at("uniqueItems"), "uniqueItems", &message);
            }
        }
        self.contains(node, items, place, found);
    }

    fn contains(&mut self, node: &Node<'d>, items: &[Value], place: &Place<'_>, found: &mut Vec<Found<'d>>) {
        let Some(schema) = node.child("contains") else { return };
        let mut fitting = 0_u64;
        for (index, item) in items.iter().enumerate() {
            let Some(fits) = self.fits(&schema, item, &place.item(index)) else { return };
            fitting += u64::from(fits);
        }
        let least = node.get("minContains").and_then(count).unwrap_or(1);
        if fitting < least {
            let message = format!("must have at least {} of the form in `contains`", counted(least, "item", "items"));
            place.add(found, node.at("contains"), "contains", &message);
        }
        if let Some(most) = node.get("maxContains").and_then(count).filter(|most| fitting > *most) {
            let message = format!("must have at most {} of the form in `contains`", counted(most, "item", "items"));
            place.add(found, node.at("maxContains"), "maxContains", &message);
        }
    }
}
