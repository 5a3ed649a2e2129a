use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::limits::{MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH};
use super::problem::SchemaProblem;
use super::source::{Origin, SchemaSource};
use crate::json::plain_value;
use crate::pointer::escape_token;

/// What a source says, read but not yet judged.
pub(super) struct Read {
    pub(super) text: String,
    pub(super) value: Value,
    /// The members of each object in the order of the text, by the object's JSON Pointer. Empty for values.
    pub(super) order: BTreeMap<String, Vec<String>>,
    /// Whether its root was closed because the host refuses unknown arguments.
    pub(super) closed: bool,
}

pub(super) fn read(source: &SchemaSource) -> Result<Read, Vec<SchemaProblem>> {
    match &source.origin {
        Origin::Text(text) => read_text(text),
        Origin::Value(value) => read_value(value),
        #[cfg(feature = "schemars")]
        Origin::Derived(derived) => read_value(&derived.schema),
    }
}

/// JSON text of a value, with members sorted by name whatever the map type of `serde_json` is.
pub(super) fn written(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let sorted: BTreeMap<_, _> = members.iter().collect();
            out.push('{');
            for (index, (name, member)) in sorted.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                write_value(member, out);
            }
            out.push('}');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn read_value(value: &Value) -> Result<Read, Vec<SchemaProblem>> {
    if deeper_than(value, MAX_SCHEMA_DEPTH) {
        return Err(vec![too_deep()]);
    }
    let text = written(value);
    check_size(&text)?;
    Ok(Read { text, value: value.clone(), order: BTreeMap::new(), closed: false })
}

fn deeper_than(value: &Value, depth: usize) -> bool {
    let mut level: Vec<&Value> = vec![value];
    for _ in 0..=depth {
        level = level.into_iter().flat_map(children).collect();
    }
    !level.is_empty()
}

fn children(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(members) => Box::new(members.values()),
        _ => Box::new(std::iter::empty()),
    }
}

fn read_text(text: &str) -> Result<Read, Vec<SchemaProblem>> {
    check_size(text)?;
    let mut outline = Outline::default();
    if !outline.scan(text) {
        return Err(vec![too_deep()]);
    }
    let value = plain_value(text, MAX_SCHEMA_DEPTH + 2).ok_or_else(|| {
        // What it does not object to is no JSON for another reason; then it knows no place.
        let place = serde_json::from_str::<Value>(text).err().map(|error| (error.line(), error.column()));
        let place = place.map(|(line, column)| format!(" (line {line}, column {column})"));
        let problem = format!("is not valid JSON{}", place.unwrap_or_default());
        vec![SchemaProblem::new("", problem, "write the schema as one JSON object")]
    })?;
    if !outline.twice.is_empty() {
        return Err(outline.twice);
    }
    // A string holds no raw line break, so every one of them stands between tokens.
    Ok(Read { text: text.replace(['\n', '\r'], " "), value, order: outline.order, closed: false })
}

fn check_size(text: &str) -> Result<(), Vec<SchemaProblem>> {
    if text.len() <= MAX_SCHEMA_BYTES {
        return Ok(());
    }
    let problem = format!("has {} bytes, more than {MAX_SCHEMA_BYTES}", text.len());
    Err(vec![SchemaProblem::new("", problem, "split the tool, or move long descriptions out of the schema")])
}

fn too_deep() -> SchemaProblem {
    let problem = format!("is nested deeper than {MAX_SCHEMA_DEPTH} levels");
    SchemaProblem::new("", problem, "flatten it, or move the inner parts to `$defs`")
}

/// Member names in the order of the text, found without building a tree. Of text that is no JSON it finds something
/// meaningless, which is never used.
#[derive(Default)]
struct Outline {
    order: BTreeMap<String, Vec<String>>,
    twice: Vec<SchemaProblem>,
    open: Vec<Open>,
}

struct Open {
    pointer: String,
    names: Option<Names>,
    /// The member or index that a value standing here belongs to.
    at: String,
    index: usize,
}

#[derive(Default)]
struct Names {
    in_order: Vec<String>,
    all: HashSet<String>,
}

impl Outline {
    /// Whether the text stays within the depth limit.
    fn scan(&mut self, text: &str) -> bool {
        let mut rest = text;
        let mut last_string: Option<&str> = None;
        while let Some(found) = rest.find(['"', '{', '}', '[', ']', ':', ',']) {
            let (_, from) = rest.split_at(found);
            let mut chars = from.chars();
            let token = chars.next().unwrap_or_default();
            rest = chars.as_str();
            match token {
                '"' => {
                    let length = string_length(rest);
                    let (body, after) = rest.split_at(length);
                    last_string = Some(body);
                    rest = after.strip_prefix('"').unwrap_or(after);
                }
                '{' | '[' => {
                    if self.open.len() == MAX_SCHEMA_DEPTH {
                        return false;
                    }
                    let pointer =
                        self.open.last().map_or_else(String::new, |open| format!("{}/{}", open.pointer, open.at));
                    let names = (token == '{').then(Names::default);
                    self.open.push(Open { pointer, names, at: "0".to_owned(), index: 0 });
                }
                '}' | ']' => self.close(),
                ':' => self.name(last_string.take().unwrap_or_default()),
                _ => self.next_item(),
            }
        }
        true
    }

    fn close(&mut self) {
        if let Some(Open { pointer, names: Some(names), .. }) = self.open.pop() {
            self.order.insert(pointer, names.in_order);
        }
    }

    fn name(&mut self, raw: &str) {
        let name: String = serde_json::from_str(&format!("\"{raw}\"")).unwrap_or_default();
        let Some(Open { pointer, names: Some(names), at, .. }) = self.open.last_mut() else { return };
        *at = escape_token(&name).into_owned();
        if names.all.insert(name.clone()) {
            names.in_order.push(name);
        } else {
            let pointer = format!("{pointer}/{at}");
            self.twice.push(SchemaProblem::new(pointer, "is given twice in the same object", "keep one of them"));
        }
    }

    fn next_item(&mut self) {
        if let Some(Open { names: None, at, index, .. }) = self.open.last_mut() {
            *index += 1;
            *at = index.to_string();
        }
    }
}

/// Bytes up to the closing quote.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return offset,
            _ => {}
        }
    }
    text.len()
}
