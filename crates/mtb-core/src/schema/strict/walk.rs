use std::collections::BTreeSet;

use jsonschema::{Uri, uri};
use serde_json::Value;

use super::mirrored::{self, Headers};
use super::quoted;
use super::reference::{BASE, Identifiers, Reference};
use crate::pointer::escape_token;
use crate::schema::SchemaRole;
use crate::schema::allowance::Allowances;
use crate::schema::closest::closest;
use crate::schema::content;
use crate::schema::dialect::Dialect;
use crate::schema::document::Node;
use crate::schema::engine::Checks;
use crate::schema::foreign::{self, Meant};
use crate::schema::format;
use crate::schema::keyword::{self, About, Keyword, Shape};
use crate::schema::limits::MAX_SUBSCHEMAS;
use crate::schema::problem::SchemaProblem;

/// Keywords that mean the same beside a reference of draft-07 and older, which makes its neighbours mean nothing.
const BESIDE_REFERENCE: [&str; 13] = [
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "default",
    "definitions",
    "deprecated",
    "description",
    "examples",
    "id",
    "readOnly",
    "title",
    "writeOnly",
];

/// Looks at every subschema once, and collects what the later checks need.
pub(super) struct Walk<'s> {
    dialect: Dialect,
    allowances: &'s Allowances,
    pub(super) problems: Vec<SchemaProblem>,
    pub(super) checks: Checks,
    /// Where schemas stand.
    pub(super) schemas: BTreeSet<String>,
    pub(super) identifiers: Identifiers,
    pub(super) references: Vec<Reference>,
    /// Keywords that are allowed and not enforced, each after the pointer of its schema.
    pub(super) ignored: Vec<(String, String)>,
    headers: Headers,
    /// How many `$defs` of a dialect without them enclose what is looked at.
    below_defs: usize,
    too_many: bool,
}

impl<'s> Walk<'s> {
    pub(super) fn new(dialect: Dialect, allowances: &'s Allowances) -> Self {
        Self {
            dialect,
            allowances,
            problems: Vec::new(),
            checks: Checks::new(dialect),
            schemas: BTreeSet::new(),
            identifiers: Identifiers::new(dialect),
            references: Vec::new(),
            ignored: Vec::new(),
            headers: Headers::default(),
            below_defs: 0,
            too_many: false,
        }
    }

    fn add(&mut self, pointer: impl Into<String>, problem: impl Into<String>, remedy: impl Into<String>) {
        self.problems.push(SchemaProblem::new(pointer, problem, remedy));
    }

    pub(super) fn root(&mut self, root: &Node<'_>, role: SchemaRole) {
        let Some(members) = root.object() else {
            return self.add("", "is not a JSON object", "write the schema as an object of keywords");
        };
        if role == SchemaRole::Arguments {
            let remedy = "arguments are one JSON object: declare `\"type\": \"object\"` at the root";
            match members.get("type") {
                Some(Value::String(name)) if name == "object" => {}
                // Refused as a foreign type, with the same remedy.
                Some(Value::String(name)) if foreign::foreign_type(name) == Some(Meant::Type("object")) => {}
                None => self.add("", "does not say that arguments are an object", remedy),
                Some(_) => self.add("/type", "is not exactly `object`", remedy),
            }
        }
        if let Ok(base) = uri::from_str(BASE) {
            self.schema(root, &base);
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
        if self.below_defs > 0 {
            self.anonymous(node);
        }
        let hides = self.dialect <= Dialect::Draft7 && members.contains_key("$ref");
        let base = if hides { base.clone() } else { self.identify(node, base) };
        let mut members: Vec<_> = members.iter().collect();
        members.sort_by_key(|(name, _)| *name);
        for (name, value) in members {
            match keyword::keyword(name, self.dialect) {
                Some(keyword) if hides && !may_stand_beside_reference(name) => self.hidden(node, keyword),
                Some(_) if self.allowances.keywords.contains(name) && content::is_unchecked(name, value) => {
                    self.ignored.push((node.pointer.clone(), name.clone()));
                }
                Some(keyword) => self.keyword(node, keyword, value, &base),
                None if self.allowances.keywords.contains(name) => {
                    if name == mirrored::KEYWORD {
                        self.problems.extend(self.headers.problem(node, value));
                    }
                    self.ignored.push((node.pointer.clone(), name.clone()));
                }
                None => self.unknown_keyword(node, name),
            }
        }
        self.lonely(node);
    }

    /// Older dialects do not look for identifiers below `$defs`, which is no keyword of theirs.
    fn anonymous(&mut self, node: &Node<'_>) {
        let keyword = if self.dialect == Dialect::Draft4 { "id" } else { "$id" };
        if node.get(keyword).is_some() {
            let problem = format!("`{keyword}` means nothing below `$defs` in {}", self.dialect);
            self.add(node.at(keyword), problem, "move the schema to `definitions`, or remove its identifier");
        }
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
                && keyword::keyword(keyword, self.dialect).is_some()
                && let Err(problem) = self.identifiers.anchor(node, keyword, name, &base)
            {
                self.problems.push(problem);
            }
        }
        let is_recursive = node.get("$recursiveAnchor") == Some(&Value::Bool(true));
        if is_recursive && keyword::keyword("$recursiveAnchor", self.dialect).is_some() {
            self.problems.extend(self.identifiers.recursive_anchor(node, &base).err());
        }
        base
    }

    fn hidden(&mut self, node: &Node<'_>, keyword: &Keyword) {
        let problem = format!("`{}` means nothing beside `$ref` in {}", keyword.name, self.dialect);
        let remedy = "put the reference and the rest into `allOf`, or declare a dialect from 2019-09 on";
        self.add(node.at(keyword.name), problem, remedy);
    }

    fn unknown_keyword(&mut self, node: &Node<'_>, name: &str) {
        let elsewhere: Vec<String> = keyword::dialects(name).map(|dialect| dialect.to_string()).collect();
        let instead = match name {
            "dependencies" => Some("write it as `dependentRequired` or `dependentSchemas`"),
            "additionalItems" => Some("write it as `items`, and the array before it as `prefixItems`"),
            "prefixItems" => Some("write it as an array in `items`"),
            "example" => Some("write it as `examples`, an array"),
            "$recursiveRef" | "$recursiveAnchor" => Some("write it as `$dynamicRef` and `$dynamicAnchor`"),
            "id" => Some("write it as `$id`, or move it under `properties` if it is one"),
            "$id" => Some("write it as `id`"),
            _ => None,
        };
        let remedy = match (instead, elsewhere.as_slice()) {
            (Some(instead), []) => instead.to_owned(),
            (Some(instead), known) => format!("{instead}; or declare a dialect that has it ({})", known.join(", ")),
            (None, known @ [_, ..]) => format!("remove it, or declare a dialect that has it ({})", known.join(", ")),
            (None, []) => {
                let allow = allow("allow_keywords", name);
                if let Some(known) = closest(name, keyword::names(self.dialect)) {
                    format!("the closest keyword is `{known}`; correct it, remove it, or {allow}")
                } else {
                    format!("remove it, or {allow}; a property belongs under `properties`")
                }
            }
        };
        self.add(node.at(name), format!("{} is not a keyword of JSON Schema {}", quoted(name), self.dialect), remedy);
    }

    fn keyword(&mut self, node: &Node<'_>, keyword: &'static Keyword, value: &Value, base: &Uri<String>) {
        let place = node.at(keyword.name);
        self.about(node, &place, keyword.name, &[keyword.about]);
        if let Some(expected) = keyword.shape.refuses(value, self.dialect) {
            let problem = format!("the value of `{}` is not {expected}", keyword.name);
            self.add(&place, problem, format!("write {expected}"));
            return self.misshapen(keyword, value);
        }
        if content::is_unchecked(keyword.name, value) {
            self.unchecked(&place, keyword.name, value);
        }
        match keyword.shape {
            Shape::Dialect if !node.pointer.is_empty() => {
                self.add(&place, "a subschema declares a dialect", "declare it at the root only");
            }
            Shape::Format => self.format(node, &place, value),
            Shape::Pattern => self.pattern(&place, value.as_str().unwrap_or_default()),
            Shape::Reference => self.references.push(Reference {
                from: node.pointer.clone(),
                keyword: keyword.name,
                text: value.as_str().unwrap_or_default().to_owned(),
                base: base.clone(),
            }),
            Shape::Names if self.dialect == Dialect::Draft4 && value.as_array().is_some_and(Vec::is_empty) => {
                self.add(
                    &place,
                    "an empty list is no value of `required` in draft-04",
                    "remove it, or name a property",
                );
            }
            Shape::Items | Shape::Schemas if value.is_array() => {
                for (index, schema) in value.as_array().into_iter().flatten().enumerate() {
                    self.subschema(keyword, format!("{place}/{index}"), schema, base);
                }
            }
            Shape::Schema | Shape::Items => self.subschema(keyword, place, value, base),
            Shape::Members if keyword.name == "$defs" && self.dialect <= Dialect::Draft7 => {
                self.below_defs += 1;
                self.members(&place, keyword, value, base);
                self.below_defs -= 1;
            }
            Shape::Members | Shape::PatternMembers | Shape::Dependencies => self.members(&place, keyword, value, base),
            _ => {}
        }
    }

    /// The declared type must have values that the keyword says something about.
    fn about(&mut self, node: &Node<'_>, place: &str, name: &str, about: &[About]) {
        let types = node.types();
        let is_foreign = types.iter().any(|name| foreign::foreign_type(name).is_some());
        if types.is_empty() || is_foreign || types.iter().any(|name| about.iter().any(|about| about.applies_to(name))) {
            return;
        }
        let nouns: Vec<_> = about.iter().map(|about| about.noun()).collect();
        let problem = format!("`{name}` says something about {} only", nouns.join(" and "));
        let remedy = format!("remove it or change the declared type, {}", quoted(&types.join("` or `")));
        self.add(place, problem, remedy);
    }

    /// Two shapes are mistaken often enough to deserve their own remedy.
    fn misshapen(&mut self, keyword: &Keyword, value: &Value) {
        let Some(last) = self.problems.last_mut() else { return };
        if let ("items", Shape::Schema, Value::Array(_)) = (keyword.name, keyword.shape, value) {
            "for a list of schemas by position, use `prefixItems`".clone_into(&mut last.remedy);
        }
        if keyword.shape == Shape::Types
            && let Some((problem, remedy)) = foreign::explain(value)
        {
            (last.problem, last.remedy) = (problem, remedy);
        }
    }

    fn members(&mut self, place: &str, keyword: &'static Keyword, value: &Value, base: &Uri<String>) {
        let mut members: Vec<_> = value.as_object().into_iter().flatten().collect();
        members.sort_by_key(|(name, _)| *name);
        for (name, schema) in members {
            let pointer = format!("{place}/{}", escape_token(name));
            if keyword.shape == Shape::PatternMembers {
                self.pattern(&pointer, name);
            }
            if keyword.shape != Shape::Dependencies || !schema.is_array() {
                self.subschema(keyword, pointer, schema, base);
            }
        }
    }

    fn subschema(&mut self, keyword: &Keyword, pointer: String, schema: &Value, base: &Uri<String>) {
        let has_booleans = self.dialect > Dialect::Draft4 || keyword.name.starts_with("additional");
        if schema.is_object() || (schema.is_boolean() && has_booleans) {
            self.schema(&Node { schema, pointer }, base);
        } else if has_booleans {
            self.add(pointer, "is not a schema", "write an object of keywords, or a boolean");
        } else {
            self.add(pointer, "is not a schema of draft-04", "write an object of keywords; `{}` allows everything");
        }
    }

    fn format(&mut self, node: &Node<'_>, place: &str, value: &Value) {
        let format = value.as_str().unwrap_or_default();
        if self.checks.add_format(format, &self.allowances.formats) {
            if format::TEXTS.contains(&format) {
                self.about(node, place, "format", &[About::Strings]);
            } else if format::numeric(format).is_some() {
                self.about(node, place, "format", &[About::Numbers, About::Strings]);
            }
            return;
        }
        let allow = allow("allow_formats", format);
        let remedy = if let Some(known) = closest(format, format::names()) {
            format!("write `{known}`, the closest known format, if that is meant; or use a `pattern`, or {allow}")
        } else {
            let known = format::TEXTS.join(", ");
            format!("use a `pattern`, bounds or a known format ({known}), or {allow}")
        };
        self.add(place, format!("the format {} is not known, so nothing would check it", quoted(format)), remedy);
    }

    /// What a text is to hold and nothing would check.
    fn unchecked(&mut self, place: &str, keyword: &str, value: &Value) {
        let allow = allow("allow_keywords", keyword);
        match (value.as_str(), content::known(keyword)) {
            (Some(name), Some(known)) => {
                let problem =
                    format!("the value {} of `{keyword}` is not known, so nothing would check it", quoted(name));
                self.add(place, problem, format!("use a known one ({}), or {allow}", known.join(", ")));
            }
            _ => self.add(place, format!("nothing checks `{keyword}`"), format!("remove it, or {allow}")),
        }
    }

    fn pattern(&mut self, place: &str, pattern: &str) {
        if let Err(refusal) = self.checks.add_pattern(place, pattern) {
            self.add(place, refusal.problem, refusal.remedy);
        }
    }

    /// Keywords that do nothing without another.
    fn lonely(&mut self, node: &Node<'_>) {
        for (keyword, other) in
            [("then", "if"), ("else", "if"), ("minContains", "contains"), ("maxContains", "contains")]
        {
            if self.has(node, keyword) && node.get(other).is_none() {
                self.alone(node, keyword, other);
            }
        }
        for (keyword, other) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            if node.get(keyword).is_some_and(Value::is_boolean) && node.get(other).is_none() {
                self.alone(node, keyword, other);
            }
        }
        if self.has(node, "additionalItems") && !node.get("items").is_some_and(Value::is_array) {
            let problem = "`additionalItems` does nothing unless `items` is an array";
            self.add(node.at("additionalItems"), problem, "write `items` as an array, or remove it");
        }
    }

    /// Whether the schema has the keyword, and the dialect as well.
    fn has(&self, node: &Node<'_>, keyword: &str) -> bool {
        node.get(keyword).is_some() && keyword::keyword(keyword, self.dialect).is_some()
    }

    fn alone(&mut self, node: &Node<'_>, keyword: &str, other: &str) {
        let problem = format!("`{keyword}` does nothing without `{other}`");
        self.add(node.at(keyword), problem, format!("add `{other}` or remove it"));
    }
}

fn may_stand_beside_reference(name: &str) -> bool {
    name == "$ref" || BESIDE_REFERENCE.contains(&name)
}

/// How a declaration lets this name be. It stands there to be copied, where it is a name that can be.
fn allow(call: &str, name: &str) -> String {
    const MAX_CHARS: usize = 64;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/');
    let call = if (1..=MAX_CHARS).contains(&name.len()) && name.chars().all(is_plain) {
        format!("{call}([\"{name}\"])")
    } else {
        call.to_owned()
    };
    format!("allow it as an annotation: `{call}`")
}
