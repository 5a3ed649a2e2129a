use std::collections::{BTreeSet, HashMap};

use crate::schema::document::{Document, InPlace, Node};

/// The schemas of a document, sorted by place, and which of them apply which to the same value. Looked up once, since
/// several checks follow these ways.
pub(super) struct Graph<'d> {
    nodes: Vec<Node<'d>>,
    applied: Vec<Vec<(InPlace, usize)>>,
    members: Vec<Vec<(Place<'d>, usize)>>,
    names: Vec<Option<usize>>,
}

/// The members of a value that a schema applies another to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place<'d> {
    Name(&'d str),
    Position(usize),
    /// Members whose name no `properties` know.
    OtherMembers,
    /// Items whose position no list knows.
    OtherItems,
}

impl<'d> Graph<'d> {
    pub(super) fn of(document: &'d Document, schemas: &BTreeSet<String>) -> Self {
        let nodes = schemas.iter().filter_map(|pointer| {
            let schema = document.root.pointer(pointer)?;
            Some(Node { schema, pointer: pointer.clone() })
        });
        let nodes: Vec<_> = nodes.collect();
        let numbers: HashMap<&str, usize> =
            nodes.iter().enumerate().map(|(number, node)| (node.pointer.as_str(), number)).collect();
        let applied = nodes.iter().map(|node| {
            let below = document.in_place(node).into_iter();
            below.filter_map(|(how, branch)| Some((how, *numbers.get(branch.pointer.as_str())?))).collect()
        });
        let applied = applied.collect();
        let members = nodes.iter().map(|node| {
            let below = members(node).into_iter();
            below.filter_map(|(place, member)| Some((place, *numbers.get(member.pointer.as_str())?))).collect()
        });
        let members = members.collect();
        let names = nodes.iter().map(|node| numbers.get(node.child("propertyNames")?.pointer.as_str()).copied());
        let names = names.collect();
        Self { nodes, applied, members, names }
    }

    /// The numbers of its schemas.
    pub(super) fn numbers(&self) -> std::ops::Range<usize> {
        0..self.nodes.len()
    }

    pub(super) fn nodes(&self) -> &[Node<'d>] {
        &self.nodes
    }

    pub(super) fn node(&self, number: usize) -> Option<&Node<'d>> {
        self.nodes.get(number)
    }

    /// What a schema applies to the same value.
    pub(super) fn applied(&self, number: usize) -> impl Iterator<Item = (InPlace, usize)> {
        self.applied.get(number).into_iter().flatten().copied()
    }

    /// What a schema applies to the members of its value.
    pub(super) fn members(&self, number: usize) -> &[(Place<'d>, usize)] {
        self.members.get(number).map(Vec::as_slice).unwrap_or_default()
    }

    /// What a schema applies to the names of its value's members.
    pub(super) fn names(&self, number: usize) -> Option<usize> {
        self.names.get(number).copied().flatten()
    }

    /// What a schema always applies to the same value.
    pub(super) fn always(&self, number: usize) -> impl Iterator<Item = usize> {
        self.applied(number).filter(|(how, _)| *how == InPlace::Always).map(|(_, below)| below)
    }

    /// The schemas that apply each of them, by number.
    pub(super) fn appliers(&self) -> Vec<Vec<usize>> {
        let mut appliers = vec![Vec::new(); self.nodes.len()];
        for number in self.numbers() {
            for (_, below) in self.applied(number) {
                if let Some(appliers) = appliers.get_mut(below) {
                    appliers.push(number);
                }
            }
        }
        appliers
    }
}

fn members<'d>(node: &Node<'d>) -> Vec<(Place<'d>, Node<'d>)> {
    let mut found: Vec<_> = node.members("properties").map(|(name, member)| (Place::Name(name), member)).collect();
    found.extend(node.first_items().enumerate().map(|(position, item)| (Place::Position(position), item)));
    found.extend(node.members("patternProperties").map(|(_, member)| (Place::OtherMembers, member)));
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
        found.extend(node.child(keyword).map(|member| (Place::OtherMembers, member)));
    }
    found.extend(node.other_items().map(|item| (Place::OtherItems, item)));
    for keyword in ["contains", "unevaluatedItems"] {
        found.extend(node.child(keyword).map(|item| (Place::OtherItems, item)));
    }
    found
}
