use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::number::tighten;

/// Types of the standard library that are open in their schema and refuse unknown members when they are read: the
/// start of their name in `$defs`, and their members.
const CLOSED: [(&str, &[&str]); 7] = [
    ("Bound_of_", &["Included"]),
    ("Bound_of_", &["Excluded"]),
    ("Duration", &["secs", "nanos"]),
    ("Range_of_", &["start", "end"]),
    ("Result_of_", &["Ok"]),
    ("Result_of_", &["Err"]),
    ("SystemTime", &["secs_since_epoch", "nanos_since_epoch"]),
];

/// The last nanosecond of a second. More are carried over when they are read, which can overflow.
const LAST_NANOSECOND: u32 = 999_999_999;

/// Closes what refuses unknown members, and keeps durations and points in time from overflowing.
pub(super) fn close(definitions: &mut Map<String, Value>) {
    for (name, schema) in definitions {
        let forms: Vec<_> = match schema.get_mut("oneOf") {
            Some(Value::Array(forms)) => forms.iter_mut().collect(),
            _ => vec![schema],
        };
        for form in forms.into_iter().filter_map(Value::as_object_mut) {
            if CLOSED.iter().any(|(start, members)| name.starts_with(start) && is_made_of(form, members)) {
                form.insert("additionalProperties".to_owned(), false.into());
                bound_time(form);
            }
        }
    }
}

fn is_made_of(form: &Map<String, Value>, members: &[&str]) -> bool {
    let properties = form.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| {
        properties.len() == members.len() && members.iter().all(|member| properties.contains_key(*member))
    })
}

fn bound_time(form: &mut Map<String, Value>) {
    let Some(Value::Object(properties)) = form.get_mut("properties") else { return };
    for (name, greatest) in [
        ("nanos", LAST_NANOSECOND.into()),
        ("nanos_since_epoch", LAST_NANOSECOND.into()),
        ("secs_since_epoch", i64::MAX.into()),
    ] {
        if let Some(Value::Object(number)) = properties.get_mut(name) {
            tighten(number, "maximum", Some(greatest), Ordering::Greater);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::close;

    /// Whether a type of this name and these members is closed.
    fn is_closed(name: &str, members: &[&str]) -> bool {
        let properties: Value = members.iter().map(|member| ((*member).to_owned(), json!({}))).collect();
        let mut definitions = json!({name: {"properties": properties}});
        close(definitions.as_object_mut().unwrap());
        definitions[name]["additionalProperties"] == json!(false)
    }

    #[test]
    fn only_what_is_made_as_the_standard_library_makes_it_is_closed() {
        for (name, members, expected) in [
            ("Duration", &["secs", "nanos"][..], true),
            ("Duration2", &["nanos", "secs"], true),
            ("Range_of_int32", &["start", "end"], true),
            ("Duration", &["secs"], false),
            ("Duration", &["secs", "nanos", "more"], false),
            ("Duration", &["days", "hours"], false),
            ("Time", &["secs", "nanos"], false),
        ] {
            assert_eq!(is_closed(name, members), expected, "{name} {members:?}");
        }
    }
}
