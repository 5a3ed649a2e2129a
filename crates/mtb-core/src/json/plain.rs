use serde::de::IgnoredAny;
use serde_json::{Map, Number, Value};

use super::escape::read_string;
use super::spans::{batch_items, whole_object};

/// Whether a text is JSON (RFC 8259), however deep, and whatever its numbers and strings are about.
#[must_use]
pub fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The value of a text, in which every member is what it is called. With features that other crates switch on,
/// `serde_json` takes some names for marks of its own and reads what stands under them otherwise.
///
/// A number without a fraction that 64 bits hold is exact; others are the nearest double. Of members with the same name
/// the last one counts. `None`: the text is no JSON, or nests deeper than `depth`, or has a number that no double
/// comes near, or a string that is no text.
///
/// ```
/// let read = |text| mtb_core::json::plain_value(text, 8);
/// assert_eq!(read(r#" {"a": [1, 2.50, null]} "#).unwrap(), serde_json::json!({"a": [1, 2.5, null]}));
/// assert_eq!(read("[[[[[[[[[]]]]]]]]]"), None);
/// assert_eq!(read("1e400"), None);
/// ```
#[must_use]
pub fn plain_value(text: &str, depth: usize) -> Option<Value> {
    if is_json(text) { value(text.trim_ascii(), depth) } else { None }
}

/// Recurses `depth` times at most.
fn value(text: &str, depth: usize) -> Option<Value> {
    match text.as_bytes().first()? {
        b'{' => {
            let depth = depth.checked_sub(1)?;
            let mut object = Map::new();
            for (name, span) in whole_object(text)? {
                object.insert(name.into_owned(), value(text.get(span)?, depth)?);
            }
            Some(Value::Object(object))
        }
        b'[' => {
            let depth = depth.checked_sub(1)?;
            let items = batch_items(text.as_bytes()).map(|span| value(text.get(span)?, depth));
            items.collect::<Option<_>>().map(Value::Array)
        }
        b'"' => Some(Value::String(read_string(text)?.into_owned())),
        b't' => Some(Value::Bool(true)),
        b'f' => Some(Value::Bool(false)),
        b'n' => Some(Value::Null),
        _ => number(text),
    }
}

fn number(text: &str) -> Option<Value> {
    let signed = || text.parse::<i64>().ok().filter(|_| text != "-0").map(Value::from);
    let unsigned = || text.parse::<u64>().ok().map(Value::from);
    let double = || text.parse().ok().and_then(Number::from_f64).map(Value::Number);
    signed().or_else(unsigned).or_else(double)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{is_json, plain_value};

    /// The names that `serde_json` takes for its own marks.
    const MARKS: [&str; 2] = ["$serde_json::private::RawValue", "$serde_json::private::Number"];

    #[test]
    fn every_member_is_what_it_is_called() {
        for mark in MARKS {
            for inner in ["\"1\"", "\"{\\\"a\\\":1}\"", "\"no JSON\"", "[1]"] {
                let value = plain_value(&format!(r#"{{"{mark}":{inner}}}"#), 8).unwrap();
                let inner: Value = serde_json::from_str(inner).unwrap();
                assert_eq!(value.as_object().unwrap().iter().collect::<Vec<_>>(), [(&mark.to_owned(), &inner)]);
            }
        }
    }

    #[test]
    fn reads_what_serde_json_reads() {
        for text in [
            "null",
            " true ",
            "false",
            "0",
            "-0",
            "-0.0",
            "1.5",
            "1e3",
            "18446744073709551615",
            "-9223372036854775808",
            "18446744073709551616",
            "0.1",
            "1e-400",
            "\"\"",
            r#""a\u00e9\n\ud83d\ude00""#,
            "[]",
            "[1,[2],{}]",
            r#"{"a":1,"b":{"c":[null,"x"]},"a":2}"#,
            "{ \"a\" : [ 1 , 2 ] }",
            r#"{"\u0061":"\\\""}"#,
        ] {
            let expected: Value = serde_json::from_str(text).unwrap();
            assert_eq!(plain_value(text, 8), Some(expected), "{text}");
        }
        assert_eq!(plain_value("9007199254740993", 1), Some(json!(9_007_199_254_740_993_u64)));
    }

    #[test]
    fn what_is_no_json_is_no_value() {
        for text in ["", " ", "{", "[1,]", "{\"a\":}", "01", "+1", "NaN", "'a'", "\"\u{1}\"", "1 2", "{} {}", "nul"] {
            assert!(!is_json(text) && plain_value(text, 8).is_none(), "{text}");
        }
        // JSON it is, and no value that could be kept.
        for text in ["1e400", r#""\ud800""#, r#"{"\ud800":1,"b":2}"#, "[[1]]"] {
            assert!(is_json(text) && plain_value(text, 1).is_none(), "{text}");
        }
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(is_json(&deep) && plain_value(&deep, 64).is_none());
    }
}
