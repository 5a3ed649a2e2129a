use mtb_core::CanonicalJson;
use mtb_core::json::{JsonFault, ScanLimits, Scanner, scan};
use proptest::prelude::*;

use crate::documents::WIDE;

fn check(text: &str, expect: Option<(usize, bool)>) {
    let found = scan(text.as_bytes(), &ScanLimits::default()).fault;
    let twice = found.map(|found| {
        assert_eq!(found.fault, JsonFault::DuplicateKey, "{text}");
        (found.offset, found.inside_params)
    });
    assert_eq!(twice, expect, "{text}");
}

#[test]
fn finds_names_that_occur_twice_at_every_level() {
    check(r#"{"a":1,"a":2}"#, Some((7, false)));
    check(r#"{"id":1,"id":2}"#, Some((8, false)));
    check(r#"{"id":1,"\u0069d":2}"#, Some((8, false)));
    check(r#"{"params":{"a":1,"a":2}}"#, Some((17, true)));
    check(r#"{"params":[{"a":{"b":1,"b":2}}]}"#, Some((23, true)));
    check(r#"{"params":{"a":1,"\u0061":2}}"#, Some((17, true)));
    check(r#"{"params":{},"result":{"a":1,"a":2}}"#, Some((29, false)));
    check(r#"{"params":{"a":1},"params":{"a":1}}"#, Some((18, false)));
    check(r#"[{"a":1},{"":1,"":2}]"#, Some((15, false)));
    check(r#"{"params":{"/":1,"\/":2}}"#, Some((17, true)));
    let many = (0..20).map(|n| format!(r#""{n}":0,"#)).collect::<Vec<_>>().concat();
    check(&format!(r#"{{{many}"7":1,"3":1}}"#), Some((1 + many.len(), false)));
}

#[test]
fn finds_no_name_that_occurs_once() {
    check(r#"{"a":{"a":[{"a":1},{"a":1}]},"A":1,"a ":1,"á":1,"aa":1,"":1}"#, None);
    check(r#"{"params":{"id":1,"params":{}},"id":1,"method":"id"}"#, None);
    let many = (0..200).map(|n| format!(r#""{n}":{{"0":0}},"#)).collect::<Vec<_>>().concat();
    check(&format!(r#"{{{many}"x":0}}"#), None);
}

#[test]
fn a_stream_finds_those_of_the_envelope() {
    for (text, found) in [
        (r#"{"method":"a","method":"b"}"#, true),
        (r#"{"id":1,"i\u0064":2}"#, true),
        (r#"{"params":{"a":1,"a":2}}"#, false),
    ] {
        let mut scanner = Scanner::new(&ScanLimits::default());
        text.as_bytes().chunks(3).for_each(|chunk| scanner.feed(chunk));
        let fault = scanner.finish().fault.map(|fault| fault.fault);
        assert_eq!(fault, found.then_some(JsonFault::DuplicateKey), "{text}");
    }
}

#[test]
fn finds_them_in_the_largest_message() {
    let text = r#"{"params":{"a":1,"a":2}}"#;
    for (message_bytes, fault, offset) in
        [(text.len(), JsonFault::DuplicateKey, 17), (text.len() - 1, JsonFault::Oversize, text.len() - 1)]
    {
        let found = scan(text.as_bytes(), &ScanLimits { message_bytes, json: WIDE }).fault.unwrap();
        assert_eq!((found.fault, found.offset), (fault, offset), "{message_bytes}");
    }
}

/// Objects of few different names, each written plainly or escaped.
fn object() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "a",
        "\\u0061",
        "b",
        "é",
        "\\u00e9",
        "ab",
        "a\\u0062",
        "\\ud83d\\ude00",
        "😀",
        "",
        "c",
        "d",
    ]);
    let leaf = Just("0".to_owned());
    leaf.prop_recursive(3, 40, 14, move |inner| {
        prop::collection::vec((name.clone(), inner), 0..14).prop_map(|members| {
            let members: Vec<_> = members.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
            format!("{{{}}}", members.join(","))
        })
    })
}

proptest! {
    #[test]
    fn agrees_with_the_canonical_reader(text in object()) {
        let found = scan(text.as_bytes(), &ScanLimits { message_bytes: 100_000, json: WIDE }).fault;
        let refused = CanonicalJson::from_text(&text, &WIDE).err();
        prop_assert_eq!(found.map(|found| (found.fault, found.offset)), refused.map(|error| (error.fault, error.offset)));
    }
}
