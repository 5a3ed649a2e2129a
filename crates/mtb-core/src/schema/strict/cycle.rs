use std::collections::{BTreeMap, BTreeSet};

use crate::schema::document::{Document, Node};
use crate::schema::problem::SchemaProblem;

/// How far the search has come with a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// It is being searched: whoever leads here leads back.
    Open,
    Done,
}

/// A schema that applies itself to the same value says nothing about it: an engine ends there as it likes.
pub(super) fn check(document: &Document, schemas: &BTreeSet<String>, problems: &mut Vec<SchemaProblem>) {
    let mut seen = BTreeMap::new();
    for pointer in schemas {
        let Some(schema) = document.root.pointer(pointer) else { continue };
        search(document, Node { schema, pointer: pointer.clone() }, &mut seen, problems);
    }
}

/// References may form long chains, so this does not recurse.
fn search(document: &Document, start: Node<'_>, seen: &mut BTreeMap<String, Seen>, problems: &mut Vec<SchemaProblem>) {
    let mut pending = vec![start];
    while let Some(node) = pending.pop() {
        match seen.get(&node.pointer) {
            Some(Seen::Done) => {}
            Some(Seen::Open) => {
                seen.insert(node.pointer, Seen::Done);
            }
            None => {
                seen.insert(node.pointer.clone(), Seen::Open);
                let below = document.in_place(&node);
                let leads_back = |(_, branch): &(_, Node<'_>)| seen.get(&branch.pointer) == Some(&Seen::Open);
                if below.iter().any(leads_back) {
                    let problem = "leads back to itself and to the same value, so that it says nothing";
                    let remedy = "refer to itself only below a property or an item";
                    problems.push(SchemaProblem::new(&node.pointer, problem, remedy));
                }
                pending.push(node);
                pending.extend(below.into_iter().map(|(_, branch)| branch));
            }
        }
    }
}
