//! The strictness walker: what `jsonschema` would keep as an annotation or ignore is refused here.

mod closed;
mod conflict;
mod cycle;
mod fan_out;
mod graph;
mod matched;
mod mirrored;
mod paths;
mod reference;
mod required;
mod walk;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use super::SchemaRole;
use super::allowance::Allowances;
use super::closest::closest;
use super::dialect::Dialect;
use super::document::{Document, Node, Order};
use super::engine::Checks;
use super::format;
use super::keyword;
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
    /// Per pointer of a schema, with how many patterns that backtrack it may match one text; where there are any.
    pub(super) matched: BTreeMap<String, usize>,
    /// What it uses of what it may.
    pub(super) allowances: Allowances,
}

pub(super) fn check(
    read: Read,
    dialect: Result<Dialect, SchemaProblem>,
    allowances: &Allowances,
    role: SchemaRole,
) -> Result<Checked, Vec<SchemaProblem>> {
    let (mut problems, closed) = (Vec::new(), read.closed);
    let dialect = dialect.unwrap_or_else(|problem| {
        problems.push(problem);
        Dialect::Draft202012
    });
    problems.extend(needless(allowances));
    let mut walk = Walk::new(dialect, allowances);
    walk.root(&Node { schema: &read.value, pointer: String::new() }, role);
    let Walk { problems: found, checks, schemas, identifiers, references, ignored, .. } = walk;
    problems.extend(found);
    let mut targets = HashMap::new();
    for reference in references {
        match identifiers.resolve(&reference, &schemas) {
            Ok(target) if checks.hides(&target) => {
                let problem =
                    "the reference leads into `patternProperties`, below a pattern that is compiled in other words";
                let remedy = "move the schema to `$defs`, and refer to it there from both places";
                problems.push(SchemaProblem::new(reference.place(), problem, remedy));
            }
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
    let undeclared = required::check(&graph, &checks, &mut problems);
    conflict::check(&graph, &checks, &undeclared, &mut problems);
    if cycle::check(&graph, &mut problems) {
        fan_out::check(&graph, &mut problems);
        paths::check(&graph, &mut problems);
    }
    if closed {
        closed::check(&document, &graph, &mut problems);
    }
    if problems.is_empty() {
        let matched = if checks.are_linear() { Vec::new() } else { matched::most(&graph, &checks) };
        let matched = graph.nodes().iter().map(|node| node.pointer.clone()).zip(matched).collect();
        return Ok(Checked { document, checks, matched, allowances: used });
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

/// What is allowed although it is checked all the same: whoever allows it thinks otherwise. A keyword that only some
/// dialects have may be meant for schemas of the others, and one about content for what it may hold.
fn needless(allowances: &Allowances) -> Vec<SchemaProblem> {
    let refuse = |name: &String, option: &str| {
        let problem = format!("`{option}` names {}, which is checked already", quoted(name));
        SchemaProblem::new("", problem, format!("remove it from `{option}`"))
    };
    let formats = allowances.formats.iter().filter(|name| format::names().any(|known| known == **name));
    let in_all = |name: &str| Dialect::ALL.into_iter().all(|dialect| keyword::keyword(name, dialect).is_some());
    let keywords = allowances.keywords.iter().filter(|name| in_all(name));
    let dialects = allowances.dialects.keys().filter(|uri| Dialect::from_uri(uri).is_some());
    let formats = formats.map(|name| refuse(name, "allow_formats"));
    let keywords = keywords.map(|name| refuse(name, "allow_keywords"));
    formats.chain(keywords).chain(dialects.map(|uri| refuse(uri, "allow_dialect"))).collect()
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::{Dialect, Schema, SchemaRole, SchemaSource, keyword};

    /// Values that most keywords cannot hold.
    #[test]
    fn whatever_a_keyword_cannot_hold_is_refused_at_the_keyword() {
        let values = [
            json!(null),
            json!(true),
            json!(0),
            json!(-1),
            json!(2.0),
            json!(1.5),
            json!(1e19),
            json!(1e30),
            json!(""),
            json!("x"),
            json!("#x"),
            json!("\u{e9} %"),
            json!([]),
            json!([1]),
            json!(["a"]),
            json!(["a", "a"]),
            json!([{}]),
            json!([[]]),
            json!({}),
            json!({"a": 1}),
            json!({"a": []}),
            json!({"a": ["b", "b"]}),
            json!({"a": true}),
            json!({"a": {}}),
            json!({"(": {}}),
        ];
        for dialect in Dialect::ALL {
            for name in keyword::names(dialect) {
                for value in &values {
                    let mut schema = json!({"$schema": dialect.uri(), "properties": {"a": {name: value}}});
                    if let Some(other) = match name {
                        "then" | "else" => Some(("if", json!({}))),
                        "minContains" | "maxContains" => Some(("contains", json!({}))),
                        "additionalItems" => Some(("items", json!([{}]))),
                        "exclusiveMinimum" if dialect == Dialect::Draft4 => Some(("minimum", json!(1))),
                        "exclusiveMaximum" if dialect == Dialect::Draft4 => Some(("maximum", json!(1))),
                        _ => None,
                    } {
                        schema["properties"]["a"][other.0] = other.1;
                    }
                    let Err(problems) = Schema::compile(&SchemaSource::value(schema), SchemaRole::Output) else {
                        continue;
                    };
                    let place = format!("/properties/a/{name}");
                    for problem in problems {
                        let below = problem.pointer.strip_prefix(&place);
                        let at = below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
                        let is_ours = problem.problem != "does not compile";
                        assert!(at && is_ours, "{dialect} {name}: {value}: {problem:?}");
                    }
                }
            }
        }
    }
}
