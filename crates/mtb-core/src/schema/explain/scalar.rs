use serde_json::Value;

use super::place::Place;
use super::words::{constant, constants as listed, counted, declared, format_noun};
use super::{Explainer, Found, Wanted};
use crate::schema::content::{Content, ENCODING, MEDIA_TYPE};
use crate::schema::document::Node;
use crate::schema::engine::Match;
use crate::schema::format::{Numeric, numeric};
use crate::schema::keyword::count;
use crate::schema::number::{compare, equal, is_multiple};

impl<'d> Explainer<'d> {
    /// Whether the value is one of the declared constants, where there are any.
    pub(super) fn constants(
        &mut self,
        node: &Node<'d>,
        value: &Value,
        place: &Place<'_>,
        found: &mut Vec<Found<'d>>,
    ) -> bool {
        if let Some(only) = node.get("const").filter(|only| !equal(only, value)) {
            let message = format!("must be {}", constant(only));
            let wanted = Wanted { types: Vec::new(), values: vec![only] };
            place.add_wanted(found, node.at("const"), "const", &message, wanted);
            return false;
        }
        let choice = node.get("enum").and_then(Value::as_array);
        if let Some(choice) = choice.filter(|choice| !choice.iter().any(|one| equal(one, value))) {
            let message = format!("must be one of: {}{}", listed(choice.iter()), self.suggestion(value, choice));
            let wanted = Wanted { types: Vec::new(), values: choice.iter().collect() };
            place.add_wanted(found, node.at("enum"), "enum", &message, wanted);
            return false;
        }
        true
    }

    /// The constant that a misspelt text was most likely meant to be, as the end of a sentence.
    pub(super) fn suggestion<'v>(&mut self, value: &Value, choice: impl IntoIterator<Item = &'v Value>) -> String {
        let known = choice.into_iter().filter_map(Value::as_str);
        let meant = value.as_str().and_then(|text| self.closest(text, known));
        meant.map_or_else(String::new, |known| format!("; closest is {}", declared(known)))
    }

    pub(super) fn string(
        &mut self,
        node: &Node<'d>,
        value: &Value,
        text: &str,
        place: &Place<'_>,
        found: &mut Vec<Found<'d>>,
    ) {
        let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        sized(node, ["minLength", "maxLength"], length, ("character", "characters"), place, found);
        self.format(node, value, place, found);
        content(node, value, place, found);
        if let Some(pattern) = node.get("pattern").and_then(Value::as_str) {
            match self.matches(pattern, text) {
                Match::Yes => {}
                Match::No => {
                    let message = format!("must match the pattern {}", declared(pattern));
                    place.add(found, node.at("pattern"), "pattern", &message);
                }
                Match::Unfinished => {
                    let message = "takes too many steps to match with the declared pattern";
                    let issue = place.issue(node.at("pattern"), "pattern", message);
                    self.unfinished.get_or_insert(issue);
                }
            }
        }
    }

    pub(super) fn number(&mut self, node: &Node<'d>, value: &Value, place: &Place<'_>, found: &mut Vec<Found<'d>>) {
        for (low, bound, is_excluded) in node.bounds("minimum", "exclusiveMinimum") {
            let words = if is_excluded { "must be greater than" } else { "must be at least" };
            if compare(value, bound).is_some_and(|order| order.is_lt() || (is_excluded && order.is_eq())) {
                place.add(found, node.at(low), low, &format!("{words} {bound}"));
            }
        }
        for (high, bound, is_excluded) in node.bounds("maximum", "exclusiveMaximum") {
            let words = if is_excluded { "must be less than" } else { "must be at most" };
            if compare(value, bound).is_some_and(|order| order.is_gt() || (is_excluded && order.is_eq())) {
                place.add(found, node.at(high), high, &format!("{words} {bound}"));
            }
        }
        if let Some(step) = node.get("multipleOf")
            && !is_multiple(value, step)
        {
            place.add(found, node.at("multipleOf"), "multipleOf", &format!("must be a multiple of {step}"));
        }
        self.format(node, value, place, found);
    }

    fn format(&self, node: &Node<'_>, value: &Value, place: &Place<'_>, found: &mut Vec<Found<'_>>) {
        if let Some(format) = node.get("format").and_then(Value::as_str)
            && !self.checks.has_format(format, value)
        {
            let noun = numeric(format).map_or_else(|| format_noun(format).to_owned(), Numeric::noun);
            place.add(found, node.at("format"), "format", &format!("must be {noun} (format {})", declared(format)));
        }
    }
}

/// What the text has to hold, by its encoding first.
fn content(node: &Node<'_>, value: &Value, place: &Place<'_>, found: &mut Vec<Found<'_>>) {
    let Some(content) = node.object().map(Content::of) else { return };
    if let Some(encoding) = content.encoding.filter(|_| !content.encoding_only().admits(value)) {
        place.add(found, node.at(ENCODING), ENCODING, &format!("must be encoded as {}", declared(encoding)));
    } else if let Some(media_type) = content.media_type.filter(|_| !content.admits(value)) {
        let encoded = content.encoding.map(|encoding| format!(", encoded as {}", declared(encoding)));
        let encoded = encoded.unwrap_or_default();
        let message = format!("must hold a document of the media type {}{encoded}", declared(media_type));
        place.add(found, node.at(MEDIA_TYPE), MEDIA_TYPE, &message);
    }
}

/// The bounds on how much a value holds.
pub(super) fn sized(
    node: &Node<'_>,
    [least, most]: [&str; 2],
    size: u64,
    (one, many): (&str, &str),
    place: &Place<'_>,
    found: &mut Vec<Found<'_>>,
) {
    if let Some(bound) = node.get(least).and_then(count).filter(|bound| size < *bound) {
        place.add(found, node.at(least), least, &format!("must have at least {}", counted(bound, one, many)));
    }
    if let Some(bound) = node.get(most).and_then(count).filter(|bound| size > *bound) {
        place.add(found, node.at(most), most, &format!("must have at most {}", counted(bound, one, many)));
    }
}
