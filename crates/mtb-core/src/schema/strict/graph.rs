use std::collections::{BTreeSet, HashMap};

use crate::schema::document::{Document, InPlace, Node};

/// The schemas of a document, sorted by place, and which of them apply which to the same value. Looked up once, since
/// several checks follow these ways.
pub(super) struct Graph<'d> {
    nodes: Vec<Node<'d>>,
    applied: Vec<Vec<(InPlace, usize)>>,
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
        Self { nodes, applied }
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
