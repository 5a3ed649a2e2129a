use serde_json::Value;

use super::document::Document;
use super::engine::Checks;
use super::issue::{Issue, segment};
use super::limits::MAX_BACKTRACKED_BYTES;
use crate::pointer::escape_token;

/// Where a schema has patterns that need look-around or back-references.
///
/// Their engine stops after a number of steps, but a step may scan the rest of the text, so the text is bounded too:
/// [`MAX_BACKTRACKED_BYTES`] in all of what such patterns may be matched with.
pub(super) enum Backtracking {
    /// Below these properties of the root only, by name.
    Below(Vec<String>),
    /// Somewhere that may be reached from everywhere.
    Everywhere,
}

impl Backtracking {
    pub(super) fn of(Document { root, targets, .. }: &Document, checks: &Checks) -> Self {
        let Some(keywords) = root.as_object().filter(|_| !checks.are_linear()) else {
            return Self::Below(Vec::new());
        };
        let search = Search(checks);
        if keywords.iter().any(|(keyword, value)| keyword != "properties" && search.backtracks_at(keyword, value)) {
            return Self::Everywhere;
        }
        let properties = keywords.get("properties").and_then(Value::as_object);
        let below = properties.into_iter().flatten().filter(|(_, schema)| search.backtracks(schema));
        let below: Vec<String> = below.map(|(name, _)| name.clone()).collect();
        let is_there = |target: &String| {
            let property = target.strip_prefix("/properties/").and_then(|rest| rest.split('/').next());
            property.map_or(target.is_empty(), |property| below.iter().any(|name| escape_token(name) == property))
        };
        // A reference leads there from anywhere.
        if targets.values().any(is_there) { Self::Everywhere } else { Self::Below(below) }
    }

    /// Refuses text that such patterns are not let loose on.
    pub(super) fn check(&self, value: &Value) -> Result<(), Issue> {
        match self {
            Self::Below(names) => {
                let mut rest = MAX_BACKTRACKED_BYTES;
                names.iter().try_for_each(|name| {
                    let left = rest.checked_sub(value.get(name).map_or(0, text_bytes));
                    let too_long = || too_long(segment(name), format!("/properties/{}", escape_token(name)));
                    rest = left.ok_or_else(too_long)?;
                    Ok(())
                })
            }
            Self::Everywhere if text_bytes(value) > MAX_BACKTRACKED_BYTES => {
                Err(too_long(String::new(), String::new()))
            }
            Self::Everywhere => Ok(()),
        }
    }
}

fn too_long(path: String, declared: String) -> Issue {
    let message =
        format!("must hold at most {MAX_BACKTRACKED_BYTES} bytes of text, because of the pattern it has to match");
    Issue { path, message, keyword: "pattern".to_owned(), declared }
}

struct Search<'s>(&'s Checks);

impl Search<'_> {
    /// Whether anything in this schema looks like such a pattern. Data that looks like one counts as well.
    fn backtracks(&self, schema: &Value) -> bool {
        match schema {
            Value::Object(keywords) => keywords.iter().any(|(keyword, value)| self.backtracks_at(keyword, value)),
            Value::Array(schemas) => schemas.iter().any(|schema| self.backtracks(schema)),
            _ => false,
        }
    }

    fn backtracks_at(&self, keyword: &str, value: &Value) -> bool {
        match (keyword, value) {
            ("pattern", Value::String(pattern)) => !self.0.is_linear(pattern),
            ("patternProperties", Value::Object(patterns)) => {
                patterns.iter().any(|(pattern, schema)| !self.0.is_linear(pattern) || self.backtracks(schema))
            }
            _ => self.backtracks(value),
        }
    }
}

/// Bytes of all texts and names.
fn text_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(text_bytes).sum(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| name.len().saturating_add(text_bytes(value))).sum()
        }
        _ => 0,
    }
}
