//! The strictness walker: what `jsonschema` would keep as an annotation or ignore is refused here.

mod closed;
mod conflict;
mod cycle;
mod fan_out;
mod graph;
mod paths;
mod reference;
mod required;
mod walk;

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::SchemaRole;
use super::allowance::Allowances;
use super::closest::closest;
use super::dialect::Dialect;
use super::document::{Document, Node, Order};
use super::engine::Checks;
use super::problem::SchemaProblem;
use super::read::Read;
use crate::text::{cut, printable};
use graph::Graph;
use walk::Walk;

/// Longest piece of a schema that a problem repeats, in characters.
const MAX_QUOTED: usize = 64;

/// What the walk found out about a schema that has no problems.
pub(super) struct Checked {
    pub(super) document: Document,
    pub(super) checks: Checks,
    /// What it uses of what it may.
    pub(super) allowances: Allowances,
}

pub(super) fn check(read: Read, allowances: &Allowances, role: SchemaRole) -> Result<Checked, Vec<SchemaProblem>> {
    let (mut problems, closed) = (Vec::new(), read.closed);
    let dialect = dialect(&read.value, allowances).unwrap_or_else(|problem| {
        problems.push(problem);
        Dialect::Draft202012
    });
    let mut walk = Walk::new(dialect, allowances);
    walk.root(&Node { schema: &read.value, pointer: String::new() }, role);
    let Walk { problems: found, checks, schemas, identifiers, references, ignored, .. } = walk;
    problems.extend(found);
    let mut targets = HashMap::new();
    for reference in references {
        match identifiers.resolve(&reference, &schemas) {
            Ok(target) => {
                targets.insert((reference.from, reference.keyword), target);
            }
            Err(problem) => problems.push(problem),
        }
    }
    let order = declared_order(&read, &schemas);
    let used = Allowances {
        formats: checks.annotations().map(str::to_owned).collect(),
        keywords: ignored.iter().map(|(_, keyword)| keyword.clone()).collect(),
        dialects: foreign_dialect(&read.value).map(|uri| (uri.to_owned(), dialect)).into_iter().collect(),
    };
    let mut root = read.value;
    for (place, keyword) in &ignored {
        root.pointer_mut(place).and_then(Value::as_object_mut).and_then(|members| members.remove(keyword));
    }
    let document = Document { root, dialect, targets, order };
    let graph = Graph::of(&document, &schemas);
    required::check(&graph, &checks, &mut problems);
    conflict::check(&graph, &checks, &mut problems);
    if cycle::check(&graph, &mut problems) {
        fan_out::check(&graph, &mut problems);
        paths::check(&graph, &mut problems);
    }
    if closed {
        closed::check(&document, &graph, &mut problems);
    }
    if problems.is_empty() {
        return Ok(Checked { document, checks, allowances: used });
    }
    problems.sort_by(|one, other| (&one.pointer, &one.problem).cmp(&(&other.pointer, &other.problem)));
    problems.dedup();
    Err(problems)
}

/// The dialect that the root declares.
pub(super) fn dialect(root: &Value, allowances: &Allowances) -> Result<Dialect, SchemaProblem> {
    let Some(declared) = root.get("$schema").and_then(Value::as_str) else { return Ok(Dialect::Draft202012) };
    let known = Dialect::from_uri(declared).or_else(|| allowances.dialects.get(declared).copied());
    known.ok_or_else(|| {
        let remedy = closest(declared, Dialect::ALL.map(Dialect::uri)).map_or_else(
            || {
                let known = Dialect::Draft202012.uri();
                format!("declare a known dialect, such as `{known}`, or say what it is read as: `allow_dialect`")
            },
            |known| format!("the closest known dialect is `{known}`; correct it"),
        );
        SchemaProblem::new("/$schema", format!("the dialect {} is not known", quoted(declared)), remedy)
    })
}

/// What the root declares, where that is no dialect of JSON Schema.
fn foreign_dialect(root: &Value) -> Option<&str> {
    root.get("$schema")?.as_str().filter(|declared| Dialect::from_uri(declared).is_none())
}

fn declared_order(read: &Read, schemas: &BTreeSet<String>) -> Order {
    let mut order = HashMap::new();
    for pointer in schemas {
        let properties = format!("{pointer}/properties");
        if let Some(names) = read.order.get(&properties) {
            let ranks = names.iter().enumerate().map(|(rank, name)| (name.clone(), rank)).collect();
            order.insert(properties, ranks);
        }
    }
    Order(order)
}

/// A piece of the schema inside a problem: in backticks, cut, without characters that change how a line is shown.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", cut(&printable(text), MAX_QUOTED))
}
