use serde_json::Value;

use crate::schema::dialect::Dialect;
use crate::schema::number::whole;
use crate::text::{cut, printable};

/// Longest declared constant or pattern in a message, in characters.
const MAX_CONSTANT: usize = 100;

/// Most constants that a message lists.
const MAX_CONSTANTS: usize = 12;

/// Most forms inside one another that a message names.
const MAX_FORMS: usize = 3;

pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) if whole(value).is_some() => "an integer",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

pub(super) fn is_of_type(value: &Value, name: &str, dialect: Dialect) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        // Of 1.0, only draft-04 says that it is no integer.
        "integer" if dialect == Dialect::Draft4 => value.is_i64() || value.is_u64(),
        "integer" => whole(value).is_some() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "string" => value.is_string(),
        "array" => value.is_array(),
        _ => value.is_object(),
    }
}

pub(super) fn one_of_types(names: &[&str]) -> String {
    let nouns: Vec<_> = names.iter().map(|name| noun(name)).collect();
    match nouns.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "of another type".to_owned(),
    }
}

fn noun(name: &str) -> &'static str {
    match name {
        "null" => "null",
        "boolean" => "a boolean",
        "number" => "a number",
        "integer" => "an integer",
        "string" => "a string",
        "array" => "an array",
        _ => "an object",
    }
}

/// A declared constant, name or pattern, in backticks.
pub(super) fn declared(text: &str) -> String {
    format!("`{}`", cut(&printable(text), MAX_CONSTANT))
}

pub(super) fn constant(value: &Value) -> String {
    value.as_str().map_or_else(|| declared(&value.to_string()), declared)
}

pub(super) fn constants<'v>(values: impl Iterator<Item = &'v Value>) -> String {
    let values: Vec<_> = values.collect();
    let listed: Vec<_> = values.iter().take(MAX_CONSTANTS).map(|value| constant(value)).collect();
    match values.len().saturating_sub(MAX_CONSTANTS) {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

/// The forms of unions that an issue is about, given innermost first, as the end of a sentence.
pub(super) fn forms(forms: &[String]) -> String {
    let told: Vec<_> = forms.iter().rev().take(MAX_FORMS).map(|form| format!("in form {form}")).collect();
    match (told.len(), forms.len().saturating_sub(told.len())) {
        (0, _) => String::new(),
        (1, _) => format!(" ({}, which comes closest)", told.join("")),
        (_, 0) => format!(" ({}, which come closest)", told.join(", there ")),
        (_, more) => format!(" ({} and {more} deeper, which come closest)", told.join(", there ")),
    }
}

/// A count with its noun: `1 item`, `3 items`.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

pub(super) fn format_noun(format: &str) -> &'static str {
    match format {
        "date" => "a date such as 2026-01-31",
        "date-time" => "a date and time with an offset, such as 2026-01-31T12:00:00Z",
        "duration" => "a duration such as P1DT2H",
        "email" => "an email address",
        "hostname" => "a host name",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "json-pointer" => "a JSON Pointer",
        "regex" => "a regular expression",
        "time" => "a time with an offset, such as 12:00:00Z",
        "uri" => "an absolute URI",
        "uuid" => "a UUID",
        _ => "of another form",
    }
}
