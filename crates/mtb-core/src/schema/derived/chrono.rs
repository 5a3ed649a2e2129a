use std::cmp::Ordering;

use serde_json::{Map, Value, json};

use super::number::tighten;

/// A day that the calendar has, of the years 0000 to 9999.
const DATE: &str = concat!(
    r"(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
    r"|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)",
);

/// A time of day without an offset; a leap second is one of any minute.
const TIME: &str = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]{1,9})?";

/// The greatest number of seconds that a `TimeDelta` holds together with any part of a second, either way.
const MAX_DELTA_SECONDS: i64 = i64::MAX / 1_000 - 1;

/// Gives the formats of times without an offset, which JSON Schema has no name for, their meaning as a pattern, and
/// bounds the pair that a `TimeDelta` is.
pub(super) fn rewrite(members: &mut Map<String, Value>) {
    let (pattern, example) = match members.get("format").and_then(Value::as_str) {
        Some("partial-date-time") => (format!("^{DATE}T{TIME}$"), "2026-01-31T12:00:00"),
        Some("partial-time") => (format!("^{TIME}$"), "12:00:00"),
        _ => return bound_delta(members),
    };
    members.remove("format");
    members.insert("pattern".to_owned(), pattern.into());
    members.entry("examples").or_insert_with(|| json!([example]));
}

fn bound_delta(members: &mut Map<String, Value>) {
    let Some(Value::Array(items)) = members.get_mut("prefixItems") else { return };
    if let [Value::Object(seconds), nanoseconds] = &mut **items
        && seconds.get("format").is_some_and(|format| format == "int64")
        && nanoseconds.get("exclusiveMaximum").and_then(Value::as_i64) == Some(1_000_000_000)
    {
        tighten(seconds, "minimum", Some((-MAX_DELTA_SECONDS).into()), Ordering::Less);
        tighten(seconds, "maximum", Some(MAX_DELTA_SECONDS.into()), Ordering::Greater);
    }
}
