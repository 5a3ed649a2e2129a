use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use mtb_core::json::{JsonFault, Limits};
use mtb_core::{CanonicalJson, Digest};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::documents::{WIDE, canonical, document, refusal, written};

#[test]
fn refuses_what_is_no_json() {
    for text in [
        "",
        " ",
        "{",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,]",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{'a':1}",
        "{1:1}",
        "{\"a\" 1}",
        "[1 2]",
        "[1}",
        "{\"a\":1]",
        "nul",
        "nulll",
        "True",
        "tru e",
        "\u{feff}{}",
        "{}{}",
        "1,",
        "\"",
        "\"a",
        "\"\t\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\",
        "// x\n1",
        "\u{a0}1",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud800x\"",
        "\"\\ud800\\n\"",
        "\"\\udc00\\ud800\"",
        "{\"\\ud83d\": 1}",
    ] {
        assert_eq!(refusal(text, &WIDE).0, JsonFault::Syntax, "{text:?}");
    }
}

#[test]
fn refuses_a_name_that_occurs_twice() {
    for (text, offset) in [
        (r#"{"a":1,"a":1}"#, 7),
        (r#"{"a":1,"\u0061":2}"#, 7),
        (r#"{"b":1,"a":2,"c":3,"a":4,"b":5}"#, 19),
        (r#"[{"x":{"":1,"":2}}]"#, 12),
        (r#"{"😀":1,"\ud83d\ude00":2}"#, 10),
    ] {
        assert_eq!(refusal(text, &WIDE), (JsonFault::DuplicateKey, offset), "{text}");
    }
    canonical(r#"{"a": {"a": 1}, "A": [{"a": 1}, {"a": 1}], "á": 1}"#);
}

#[test]
fn refuses_past_each_limit_and_no_sooner() {
    let limits = Limits { depth: 3, nodes: 6, string_bytes: 4 };
    for (text, fault) in [
        ("[[[[]]]]", JsonFault::TooDeep),
        (r#"{"a":[{"b":{}}]}"#, JsonFault::TooDeep),
        ("[1,2,3,4,5,6]", JsonFault::TooManyNodes),
        (r#"{"a":1,"b":2,"c":3}"#, JsonFault::TooManyNodes),
        (r#""12345""#, JsonFault::StringTooLong),
        (r#""\u00e9\u00e9x""#, JsonFault::StringTooLong),
        (r#"{"12345":1}"#, JsonFault::StringTooLong),
    ] {
        assert_eq!(refusal(text, &limits).0, fault, "{text}");
        let value: Value = serde_json::from_str(text).unwrap();
        let error = CanonicalJson::from_value(&value, &limits).unwrap_err();
        assert_eq!((error.fault, error.offset), (fault, 0), "{text}");
    }
    for text in
        ["[[[1]]]", r#"{"a":{"b":{}}}"#, "[1,2,3,4,5]", r#"{"a":1,"b":[]}"#, r#""\u00e9\u00e9""#, r#"{"1234":1}"#]
    {
        let read = CanonicalJson::from_text(text, &limits).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(CanonicalJson::from_value(read.value(), &limits).unwrap(), read, "{text}");
    }
}

#[test]
fn refuses_any_depth_that_could_exhaust_the_stack() {
    let limits = Limits { depth: usize::MAX, ..WIDE };
    for (text, accepted) in [
        (format!("{}{}", "[".repeat(128), "]".repeat(128)), true),
        (format!("{}{}", "[".repeat(129), "]".repeat(129)), false),
        (r#"{"a":"#.repeat(1_000_000), false),
    ] {
        let read = CanonicalJson::from_text(&text, &limits);
        assert_eq!(read.map_err(|error| error.fault).err(), (!accepted).then_some(JsonFault::TooDeep));
    }
    let deep = (0..129).fold(Value::Null, |inner, _| json!([inner]));
    assert_eq!(CanonicalJson::from_value(&deep, &limits).unwrap_err().fault, JsonFault::TooDeep);
}

#[test]
fn sorts_members_and_drops_whitespace() {
    // case 125
    let value = json!({"b": [1, {"d": 2, "c": 3}], "a": null});
    let expect = r#"{"a":null,"b":[1,{"c":3,"d":2}]}"#;
    assert_eq!(CanonicalJson::from_value(&value, &WIDE).unwrap().as_str(), expect);
    assert_eq!(canonical(" {\"b\" : [1,\t{\"d\":2,\"c\":3} ], \"a\":null}\n").as_str(), expect);
}

#[test]
fn equal_digests_for_equal_values_only() {
    // case 125
    let digest = |text| canonical(text).digest();
    assert_eq!(digest(r#"{"a":1,"b":2}"#), digest(r#"{"b":2,"a":1}"#));
    assert_ne!(digest(r#"{"a":1}"#), digest(r#"{"a":2}"#));
    assert_ne!(digest(r#"{"a":"1"}"#), digest(r#"{"a":1}"#));
    // It is the digest of the canonical text, not of what `serde_json` would write.
    for text in [r#"{"a":1e20}"#, r#"{"\ufb33":1,"\ud83d\ude00":2}"#, r#"{"b":1,"a":1e-7}"#] {
        assert_eq!(digest(text), Digest::of(canonical(text).as_str().as_bytes()), "{text}");
    }
    let hash = |text| BuildHasherDefault::<DefaultHasher>::new().hash_one(canonical(text));
    assert_eq!(hash(r#"{"a":1,"b":2}"#), hash(r#"{"b":2,"a":1}"#));
    assert_ne!(hash(r#"{"a":1}"#), hash(r#"{"a":2}"#));
    assert_eq!(digest("{}").to_string(), "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
}

#[test]
fn sorts_by_utf_16() {
    // In UTF-8 the emoji (U+1F600) sorts after U+FB33, in UTF-16 before it.
    let text = r#"{"\ufb33":1,"\ud83d\ude00":2,"\u20ac":3,"\u0080":4,"ö":5,"1":6,"\r":7,"":8,"10":9}"#;
    let expect = "{\"\":8,\"\\r\":7,\"1\":6,\"10\":9,\"\u{80}\":4,\"ö\":5,\"€\":3,\"😀\":2,\"\u{fb33}\":1}";
    assert_eq!(canonical(text).as_str(), expect);
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(CanonicalJson::from_value(&value, &WIDE).unwrap().as_str(), expect);
}

#[test]
fn escapes_only_what_must_be() {
    for (text, expect) in [
        (r#""\u0022\u005c\u002f\/""#, r#""\"\\//""#),
        (r#""\b\t\n\f\r\u0008\u0009\u000A\u000C\u000D""#, r#""\b\t\n\f\r\b\t\n\f\r""#),
        (r#""\u0000\u001F\u001f\u000b""#, r#""\u0000\u001f\u001f\u000b""#),
        (r#""\u007f\u0080\u2028\ufeff""#, "\"\u{7f}\u{80}\u{2028}\u{feff}\""),
        (r#""\u20ac$\u000F\nA'\u0042""#, "\"€$\\u000f\\nA'B\""),
        (r#""\uD834\udd1e and 12345678 \" more""#, r#""𝄞 and 12345678 \" more""#),
    ] {
        assert_eq!(canonical(text).as_str(), expect, "{text}");
        assert_eq!(canonical(expect).as_str(), expect, "{text}");
    }
}

#[test]
fn debug_shows_no_content() {
    assert_eq!(format!("{:?}", canonical(r#"{"secret":"x"}"#)), "CanonicalJson(14 bytes)");
}

#[test]
fn no_arguments_are_an_empty_object() {
    assert_eq!(CanonicalJson::empty_object(), canonical(" { } "));
    assert_eq!(CanonicalJson::empty_object().into_value(), json!({}));
}

/// What a value means, so that two values are the same exactly when these are.
#[derive(Debug, PartialEq)]
enum Meaning {
    Scalar(Value),
    Integer(i128),
    Double(u64),
    Array(Vec<Self>),
    Object(BTreeMap<String, Self>),
}

impl Meaning {
    fn of(value: &Value) -> Self {
        match value {
            Value::Number(number) => {
                let integer = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
                let double = number.as_f64().unwrap();
                let small = (double.abs() < 9_007_199_254_740_992.0 && double.fract() == 0.0).then_some(double);
                match integer.or(small.map(|double| format!("{double:.0}").parse().unwrap())) {
                    Some(integer) => Self::Integer(integer),
                    None => Self::Double(double.to_bits()),
                }
            }
            Value::Array(items) => Self::Array(items.iter().map(Self::of).collect()),
            Value::Object(members) => {
                Self::Object(members.iter().map(|(name, member)| (name.clone(), Self::of(member))).collect())
            }
            scalar => Self::Scalar(scalar.clone()),
        }
    }
}

proptest! {
    #[test]
    fn however_a_value_is_written_its_form_is_one(value in document(), seeds in any::<[u64; 2]>()) {
        let from_value = CanonicalJson::from_value(&value, &WIDE).unwrap();
        for seed in seeds {
            let text = written(&value, seed);
            let from_text = canonical(&text);
            prop_assert_eq!(from_text.as_str(), from_value.as_str(), "{}", text);
            prop_assert_eq!(from_text.value(), from_value.value(), "{}", text);
        }
    }

    #[test]
    fn reading_what_was_written_changes_nothing(value in document()) {
        let once = CanonicalJson::from_value(&value, &WIDE).unwrap();
        let twice = canonical(once.as_str());
        prop_assert_eq!(twice.as_str(), once.as_str());
        prop_assert_eq!(twice.value(), once.value());
        prop_assert_eq!(Meaning::of(once.value()), Meaning::of(&value));
    }

    #[test]
    fn texts_are_equal_exactly_when_values_are(a in document(), b in document(), c in crate::documents::number(), d in crate::documents::number()) {
        for (a, b) in [(&a, &b), (&c, &d)] {
            let [one, other] = [a, b].map(|value| CanonicalJson::from_value(value, &WIDE).unwrap());
            prop_assert_eq!(one == other, Meaning::of(a) == Meaning::of(b));
            prop_assert_eq!(one.digest() == other.digest(), one == other);
        }
    }
}
