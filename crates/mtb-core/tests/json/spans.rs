use mtb_core::json::{batch_items, members, read_string};
use proptest::prelude::*;
use serde_json::Value;

use crate::documents::{document, name, written};

#[test]
fn ends_early_on_what_is_no_such_value() {
    for text in
        ["", " ", "7", "null", "\"{\"", "[]", "[1]", "{", "{}", "{ }", "}", "{\"a", "{\"a\"", "{\"a\":", "{]", "{1:2}"]
    {
        assert_eq!(members(text).count(), 0, "{text}");
    }
    for text in ["", " ", "7", "\"[\"", "{}", "{\"a\":1}", "[", "[]", "[ ]", "]", "[}"] {
        assert_eq!(batch_items(text.as_bytes()).count(), 0, "{text}");
    }
}

#[test]
fn gives_exactly_the_values() {
    let text = " {\"a\":1 , \"\\u0062\" : [ \"]}\\\"\" , {} ] ,\"\": {\"a\":null},\"é\":true}";
    let found: Vec<_> = members(text).map(|(name, span)| (name.into_owned(), &text[span])).collect();
    let expect = [("a", "1"), ("b", "[ \"]}\\\"\" , {} ]"), ("", "{\"a\":null}"), ("é", "true")];
    assert_eq!(found, expect.map(|(name, raw)| (name.to_owned(), raw)));

    // A string goes from quote to quote, even with what no scan accepts.
    let text = "[\"\n]\", \"a,\u{1}\", 1]";
    let found: Vec<_> = batch_items(text.as_bytes()).map(|span| &text[span]).collect();
    assert_eq!(found, ["\"\n]\"", "\"a,\u{1}\"", "1"]);
}

#[test]
fn reads_no_string_but_a_string() {
    for raw in [
        "",
        "\"",
        "a",
        "1",
        "null",
        "\"a",
        "a\"",
        "\"a\"b\"",
        "\"a\" ",
        "\"\n\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\\ud800\"",
        "\"\\u00\"",
    ] {
        assert_eq!(read_string(raw), None, "{raw}");
    }
    assert_eq!(read_string(r#""\"\\\/\b\f\n\r\t\u00e9é""#).as_deref(), Some("\"\\/\u{8}\u{c}\n\r\téé"));
    assert_eq!(read_string("\"\"").as_deref(), Some(""));
}

fn strings() -> impl Strategy<Value = String> {
    prop_oneof![name(), "\\PC{0,40}", "[\0-\u{30}\"\\\\]{0,20}"]
}

proptest! {
    #[test]
    fn spans_are_the_values(items in prop::collection::vec(document(), 0..6), seed in any::<u64>()) {
        let text = written(&Value::from(items.clone()), seed);
        let read: Vec<Value> = batch_items(text.as_bytes()).map(|span| serde_json::from_str(&text[span]).unwrap()).collect();
        let expect: Vec<Value> = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(read, expect);

        let object: Value = items.into_iter().enumerate().map(|(index, item)| (format!("\"{index}\\"), item)).collect();
        let text = written(&object, seed);
        let read: serde_json::Map<String, Value> =
            members(&text).map(|(name, span)| (name.into_owned(), serde_json::from_str(&text[span]).unwrap())).collect();
        let expect: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(read, expect);
    }

    #[test]
    fn any_text_is_harmless(text in "[\\[\\]{},:\"\\\\a1 é]{0,30}") {
        for (_, span) in members(&text) {
            prop_assert!(text.get(span).is_some());
        }
        for span in batch_items(text.as_bytes()) {
            prop_assert!(text.as_bytes().get(span).is_some_and(|item| !item.is_empty()));
        }
    }

    #[test]
    fn reads_strings_as_serde_json_does(text in strings(), seed in any::<u64>()) {
        let raw = written(&Value::from(text.clone()), seed);
        prop_assert_eq!(read_string(raw.trim_matches([' ', '\n', '\r', '\t'])), Some(text.into()));
    }
}
