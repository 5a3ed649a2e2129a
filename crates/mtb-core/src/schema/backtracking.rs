use serde_json::Value;

use super::engine::Checks;
use super::issue::{Issue, segment};
use super::limits::{MAX_BACKTRACKED_BYTES, MAX_BACKTRACKED_MATCHES};
use super::strict::Checked;
use crate::pointer::escape_token;

/// Bytes of text after which a match counts once more.
const BYTES_OF_A_MATCH: usize = 16;

/// Where a schema has patterns that need look-around or back-references, and with how many of them it may match one text
/// there.
///
/// Their engine stops after a number of steps, but a step may scan the rest of the text, so the text is bounded too:
/// [`MAX_BACKTRACKED_BYTES`] in all of what such patterns may be matched with. Many patterns on many texts add up, so the
/// matches are bounded as well: [`MAX_BACKTRACKED_MATCHES`] in all, counted before the first one.
pub(super) enum Backtracking {
    /// Below these properties of the root only, by name.
    Below(Vec<(String, usize)>),
    /// Somewhere that may be reached from everywhere.
    Everywhere(usize),
}

impl Backtracking {
    pub(super) fn of(Checked { document, checks, matched, .. }: &Checked) -> Self {
        let Some(keywords) = document.root.as_object().filter(|_| !checks.are_linear()) else {
            return Self::Below(Vec::new());
        };
        let most = |pointer: &str| matched.get(pointer).copied().unwrap_or(0);
        let search = Search(checks);
        if keywords.iter().any(|(keyword, value)| keyword != "properties" && search.backtracks_at(keyword, value)) {
            return Self::Everywhere(most(""));
        }
        let properties = keywords.get("properties").and_then(Value::as_object);
        let below = properties.into_iter().flatten().filter(|(_, schema)| search.backtracks(schema));
        let below: Vec<_> = below.map(|(name, _)| (name.clone(), most(&property(name)))).collect();
        let is_there = |target: &String| {
            let property = target.strip_prefix("/properties/").and_then(|rest| rest.split('/').next());
            property.map_or(target.is_empty(), |property| below.iter().any(|(name, _)| escape_token(name) == property))
        };
        // A reference leads there from anywhere.
        if document.targets.values().any(is_there) { Self::Everywhere(most("")) } else { Self::Below(below) }
    }

    /// Refuses text that such patterns are not let loose on.
    pub(super) fn check(&self, value: &Value) -> Result<(), Issue> {
        let mut rest = Rest { bytes: MAX_BACKTRACKED_BYTES, matches: MAX_BACKTRACKED_MATCHES };
        match self {
            Self::Below(names) => names.iter().try_for_each(|(name, patterns)| {
                let Some(value) = value.get(name) else { return Ok(()) };
                rest.take(value, *patterns).map_err(|refused| refused.issue(segment(name), property(name)))
            }),
            Self::Everywhere(patterns) => {
                rest.take(value, *patterns).map_err(|refused| refused.issue(String::new(), String::new()))
            }
        }
    }
}

/// The pointer of a property of the root.
fn property(name: &str) -> String {
    format!("/properties/{}", escape_token(name))
}

/// What one match of this text counts.
pub(super) fn cost(text: &str) -> usize {
    1 + text.len() / BYTES_OF_A_MATCH
}

/// What may still be matched.
struct Rest {
    bytes: usize,
    matches: usize,
}

enum Refused {
    Bytes,
    Matches,
}

impl Rest {
    fn take(&mut self, value: &Value, patterns: usize) -> Result<(), Refused> {
        match value {
            Value::String(text) => self.text(text, patterns),
            Value::Array(items) => items.iter().try_for_each(|item| self.take(item, patterns)),
            Value::Object(members) => members.iter().try_for_each(|(name, member)| {
                self.text(name, patterns)?;
                self.take(member, patterns)
            }),
            _ => Ok(()),
        }
    }

    fn text(&mut self, text: &str, patterns: usize) -> Result<(), Refused> {
        self.bytes = self.bytes.checked_sub(text.len()).ok_or(Refused::Bytes)?;
        self.matches = self.matches.checked_sub(cost(text).saturating_mul(patterns)).ok_or(Refused::Matches)?;
        Ok(())
    }
}

impl Refused {
    fn issue(self, path: String, declared: String) -> Issue {
        let message = match self {
            Self::Bytes => format!(
                "must hold at most {MAX_BACKTRACKED_BYTES} bytes of text, because of the pattern it has to match"
            ),
            Self::Matches => format!(
                "must hold fewer or shorter texts, because of the patterns they have to match: at most \
                 {MAX_BACKTRACKED_MATCHES} matches are tried, each counted once more for every {BYTES_OF_A_MATCH} bytes"
            ),
        };
        Issue { path, message, keyword: "pattern".to_owned(), declared }
    }
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
