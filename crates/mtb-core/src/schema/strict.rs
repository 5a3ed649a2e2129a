//! The strictness walker: what `jsonschema` would keep as an annotation or ignore is refused here.

mod conflict;
mod fan_out;
mod reference;
mod required;

use std::collections::{BTreeSet, HashMap};

use jsonschema::{Uri, uri};
use serde_json::Value;

use super::SchemaRole;
use super::closest::closest;
use super::document::{Document, Node, Order};
use super::engine::{Checks, FORMATS};
use super::keyword::{self, Keyword, Shape};
use super::limits::MAX_SUBSCHEMAS;
use super::problem::SchemaProblem;
use super::read::Read;
use crate::pointer::escape_token;
use crate::text::{cut, printable};
use reference::{Identifiers, Reference};

/// The dialect every schema is read in.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Longest piece of a schema that a problem repeats, in characters.
const MAX_QUOTED: usize = 64;

/// What the walk found out about a schema that has no problems.
pub(super) struct Checked {
    pub(super) document: Document,
    pub(super) checks: Checks,
}

pub(super) fn check(read: Read, role: SchemaRole) -> Result<Checked, Vec<SchemaProblem>> {
    let mut walk = Walk::default();
    let root = Node { schema: &read.value, pointer: String::new() };
    walk.root(&root, role);
    if let Ok(base) = uri::from_str(reference::BASE) {
        walk.schema(&root, &base);
    }
    let Walk { mut problems, checks, schemas, identifiers, references, .. } = walk;
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
    let document = Document { root: read.value, targets, order };
    required::check(&document, &checks, &schemas, &mut problems);
    conflict::check(&document, &checks, &schemas, &mut problems);
    fan_out::check(&document, &schemas, &mut problems);
    if problems.is_empty() {
        return Ok(Checked { document, checks });
    }
    problems.sort_by(|one, other| (&one.pointer, &one.problem).cmp(&(&other.pointer, &other.problem)));
    problems.dedup();
    Err(problems)
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
fn quoted(text: &str) -> String {
    format!("`{}`", cut(&printable(text), MAX_QUOTED))
}

#[derive(Default)]
struct Walk {
    problems: Vec<SchemaProblem>,
    checks: Checks,
    /// Where schemas stand.
    schemas: BTreeSet<String>,
    identifiers: Identifiers,
    references: Vec<Reference>,
    too_many: bool,
}

impl Walk {
    fn add(&mut self, pointer: impl Into<String>, problem: impl Into<String>, remedy: impl Into<String>) {
        self.problems.push(SchemaProblem::new(pointer, problem, remedy));
    }

    fn root(&mut self, root: &Node<'_>, role: SchemaRole) {
        let Some(members) = root.object() else {
            return self.add("", "is not a JSON object", "write the schema as an object of keywords");
        };
        if role == SchemaRole::Arguments {
            let remedy = "arguments are one JSON object: declare `\"type\": \"object\"` at the root";
            match members.get("type") {
                Some(Value::String(name)) if name == "object" => {}
                None => self.add("", "does not say that arguments are an object", remedy),
                Some(_) => self.add("/type", "is not exactly `object`", remedy),
            }
        }
    }

    fn schema(&mut self, node: &Node<'_>, base: &Uri<String>) {
        if self.schemas.len() == MAX_SUBSCHEMAS {
            if !self.too_many {
                self.too_many = true;
                let problem = format!("has more than {MAX_SUBSCHEMAS} subschemas");
                self.add("", problem, "split the tool, or share subschemas through `$defs`");
            }
            return;
        }
        self.schemas.insert(node.pointer.clone());
        let Some(members) = node.object() else { return };
        let base = self.identify(node, base);
        let mut members: Vec<_> = members.iter().collect();
        members.sort_by_key(|(name, _)| *name);
        for (name, value) in members {
            match keyword::keyword(name) {
                Some(keyword) => self.keyword(node, keyword, value, &base),
                None => self.unknown_keyword(node, name),
            }
        }
        self.lonely(node);
    }

    fn identify(&mut self, node: &Node<'_>, base: &Uri<String>) -> Uri<String> {
        let base = match self.identifiers.resource(node, base) {
            Ok(base) => base,
            Err(problem) => {
                self.problems.push(problem);
                base.clone()
            }
        };
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = node.get(keyword).and_then(Value::as_str)
                && let Err(problem) = self.identifiers.anchor(node, keyword, name, &base)
            {
                self.problems.push(problem);
            }
        }
        base
    }

    fn unknown_keyword(&mut self, node: &Node<'_>, name: &str) {
        let remedy = match name {
            "dependencies" => "write it as `dependentRequired` or `dependentSchemas`".to_owned(),
            "additionalItems" => "write the first items as `prefixItems` and the others as `items`".to_owned(),
            "nullable" => "add `null` to the `type`".to_owned(),
            "example" => "write it as `examples`, an array".to_owned(),
            "$recursiveRef" | "$recursiveAnchor" => "write it as `$dynamicRef` and `$dynamicAnchor`".to_owned(),
            "id" => "write it as `$id`, or move it under `properties` if it is one".to_owned(),
            _ => match closest(name, keyword::names()) {
                Some(known) => format!("the closest keyword is `{known}`; correct it or remove it"),
                None => "remove it; if it is a property, move it under `properties`".to_owned(),
            },
        };
        self.add(node.at(name), format!("{} is not a keyword of JSON Schema 2020-12", quoted(name)), remedy);
    }

    fn keyword(&mut self, node: &Node<'_>, keyword: &'static Keyword, value: &Value, base: &Uri<String>) {
        let place = node.at(keyword.name);
        let types = node.types();
        if !types.is_empty() && !types.iter().any(|name| keyword.about.applies_to(name)) {
            let problem = format!("`{}` says something about {} only", keyword.name, keyword.about.noun());
            let remedy = format!("remove it or change the declared type, {}", quoted(&types.join("` or `")));
            self.add(&place, problem, remedy);
        }
        if let Some(expected) = keyword.shape.refuses(value) {
            let problem = format!("the value of `{}` is not {expected}", keyword.name);
            self.add(&place, problem, format!("write {expected}"));
            return self.misshapen(keyword.shape, value);
        }
        match keyword.shape {
            Shape::Dialect => self.dialect(node, value),
            Shape::Format => self.format(&place, value),
            Shape::Pattern => self.pattern(&place, value.as_str().unwrap_or_default()),
            Shape::Reference => self.references.push(Reference {
                from: node.pointer.clone(),
                keyword: keyword.name,
                text: value.as_str().unwrap_or_default().to_owned(),
                base: base.clone(),
            }),
            Shape::Schema => self.subschema(place, value, base),
            Shape::Schemas => {
                for (index, schema) in value.as_array().into_iter().flatten().enumerate() {
                    self.subschema(format!("{place}/{index}"), schema, base);
                }
            }
            Shape::Members | Shape::PatternMembers => self.members(&place, keyword, value, base),
            _ => {}
        }
    }

    /// One shape is mistaken often enough to deserve its own remedy.
    fn misshapen(&mut self, shape: Shape, value: &Value) {
        if let (Shape::Schema, Value::Array(_), Some(last)) = (shape, value, self.problems.last_mut()) {
            "for a list of schemas by position, use `prefixItems`".clone_into(&mut last.remedy);
        }
    }

    fn members(&mut self, place: &str, keyword: &Keyword, value: &Value, base: &Uri<String>) {
        let mut members: Vec<_> = value.as_object().into_iter().flatten().collect();
        members.sort_by_key(|(name, _)| *name);
        for (name, schema) in members {
            let pointer = format!("{place}/{}", escape_token(name));
            if keyword.shape == Shape::PatternMembers {
                self.pattern(&pointer, name);
            }
            self.subschema(pointer, schema, base);
        }
    }

    fn subschema(&mut self, pointer: String, schema: &Value, base: &Uri<String>) {
        if schema.is_object() || schema.is_boolean() {
            self.schema(&Node { schema, pointer }, base);
        } else {
            self.add(pointer, "is not a schema", "write an object of keywords, or a boolean");
        }
    }

    fn dialect(&mut self, node: &Node<'_>, value: &Value) {
        let declared = value.as_str().unwrap_or_default();
        if declared.strip_suffix('#').unwrap_or(declared) != DIALECT {
            let problem = format!("the dialect {} is not known", quoted(declared));
            self.add(node.at("$schema"), problem, format!("the known dialect is `{DIALECT}`: write the schema in it"));
        } else if !node.pointer.is_empty() {
            self.add(node.at("$schema"), "a subschema declares a dialect", "declare it at the root only");
        }
    }

    fn format(&mut self, place: &str, value: &Value) {
        let format = value.as_str().unwrap_or_default();
        if !self.checks.add_format(format) {
            let remedy = match closest(format, FORMATS) {
                Some(known) => format!("the closest known format is `{known}`; or use `pattern`"),
                None => format!("use a `pattern`, bounds, or one of the known formats: {}", FORMATS.join(", ")),
            };
            self.add(place, format!("the format {} is not known, so nothing would check it", quoted(format)), remedy);
        }
    }

    fn pattern(&mut self, place: &str, pattern: &str) {
        if !self.checks.add_pattern(pattern) {
            self.add(place, "the pattern does not compile", "write a regular expression of ECMA-262");
        }
    }

    /// Keywords that do nothing without another.
    fn lonely(&mut self, node: &Node<'_>) {
        for (keyword, other) in
            [("then", "if"), ("else", "if"), ("minContains", "contains"), ("maxContains", "contains")]
        {
            if node.get(keyword).is_some() && node.get(other).is_none() {
                let problem = format!("`{keyword}` does nothing without `{other}`");
                self.add(node.at(keyword), problem, format!("add `{other}` or remove it"));
            }
        }
    }
}
