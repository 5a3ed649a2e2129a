use std::collections::{BTreeSet, HashMap};

use crate::schema::document::{Document, Node};
use crate::schema::limits::MAX_SUBSCHEMAS;
use crate::schema::problem::SchemaProblem;

/// A schema may be small and still apply far more subschemas to one value than it has, when references meet: twice the
/// same one at each of thirty levels is a thousand million. Told once, at the first place that is over the limit.
pub(super) fn check(document: &Document, schemas: &BTreeSet<String>, problems: &mut Vec<SchemaProblem>) {
    let mut applied = HashMap::new();
    for pointer in schemas {
        let Some(schema) = document.root.pointer(pointer) else { continue };
        count(document, Node { schema, pointer: pointer.clone() }, &mut applied);
        if applied.get(pointer).is_some_and(|count| *count > MAX_SUBSCHEMAS) {
            let problem = format!("applies more than {MAX_SUBSCHEMAS} subschemas to one value");
            let remedy = "refer to each shared subschema once, not from several branches that meet again";
            return problems.push(SchemaProblem::new(pointer, problem, remedy));
        }
    }
}

/// How many subschemas are applied to a value that this one is applied to, itself included. References may form long
/// chains, so this does not recurse; what leads back to itself counts once.
fn count(document: &Document, start: Node<'_>, applied: &mut HashMap<String, usize>) {
    let mut begun = BTreeSet::new();
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        if applied.contains_key(&node.pointer) {
            continue;
        }
        let below = document.in_place(&node);
        if begun.insert(node.pointer.clone()) {
            open.push(node);
            open.extend(below.into_iter().map(|(_, branch)| branch).filter(|branch| !begun.contains(&branch.pointer)));
        } else {
            let counts = below.iter().map(|(_, branch)| applied.get(&branch.pointer).copied().unwrap_or(0));
            applied.insert(node.pointer, counts.fold(1, usize::saturating_add));
        }
    }
}
