use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use mtb_core::json::{Field, IdField, JsonFault, MethodField, RequestId, Scan, ScanLimits, Scanner, scan};

/// Scans a text, whole and byte by byte.
fn scanned(text: &str) -> Scan {
    let limits = ScanLimits::default();
    let whole = scan(text.as_bytes(), &limits);
    let mut scanner = Scanner::new(&limits);
    text.as_bytes().chunks(1).for_each(|chunk| scanner.feed(chunk));
    let chunked = scanner.finish();
    assert_eq!(Scan { fault: None, ..chunked }, Scan { fault: None, ..whole.clone() }, "{text}");
    whole
}

/// The text with every character escaped.
fn escaped(text: &str) -> String {
    text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect::<Vec<_>>().concat()
}

fn id_of(text: &str) -> IdField {
    scanned(&format!(r#"{{"id":{text},"method":"x"}}"#)).id
}

fn fault_of(text: &str) -> Option<(JsonFault, bool)> {
    scanned(text).fault.map(|fault| (fault.fault, fault.inside_params))
}

#[test]
fn refuses_ids_that_no_answer_can_carry() {
    let long = format!("\"{}\"", "x".repeat(RequestId::MAX_BYTES + 1));
    let escaped = format!("\"{}\"", "\\u0078".repeat(RequestId::MAX_BYTES + 1));
    for text in
        ["1.5", "true", "false", "[1]", "{}", r#"{"id":1}"#, "18446744073709551616", "1e17", "1e400", &long, &escaped]
    {
        assert_eq!(id_of(text), IdField::Invalid, "{text}");
        assert!(RequestId::from_json(text).is_none(), "{text}");
    }
    for text in ["", " 1", "1 ", "01", "\"a", "a", "\"a\"b\"", "null"] {
        assert!(RequestId::from_json(text).is_none(), "{text}");
    }
    assert_eq!(id_of("null"), IdField::Null);
    assert_eq!(scanned("{}").id, IdField::Absent);
    assert_eq!(scanned(r#"{"ID":1,"i":2,"idd":3,"x":{"id":4}}"#).id, IdField::Absent);
    assert_eq!(scanned(r#"[{"id":1}]"#).id, IdField::Absent);
}

#[test]
fn writes_an_id_back_as_it_came() {
    let long = format!("\"{}\"", "\\u0078".repeat(RequestId::MAX_BYTES));
    for text in [
        "0",
        "-0",
        "-7",
        "1.0",
        "1e3",
        "10e-1",
        "9007199254740993",
        "18446744073709551615",
        "-9223372036854775808",
        r#""""#,
        r#""a""#,
        r#""\u0061\/""#,
        r#""1""#,
        "\"ü😀\"",
        &long,
    ] {
        let IdField::Id(id) = id_of(text) else { panic!("{text} is not an id") };
        assert_eq!(id.as_json(), text);
        assert_eq!(RequestId::from_json(text), Some(id), "{text}");
    }
}

#[test]
fn compares_ids_by_value() {
    let id = |text| RequestId::from_json(text).unwrap();
    for (a, b) in [("1", "1.0"), ("1000", "1e3"), ("0", "-0"), (r#""a""#, r#""\u0061""#), (r#""/""#, r#""\/""#)] {
        assert_eq!(id(a), id(b), "{a} {b}");
        assert!(id(a).cmp(&id(b)).is_eq(), "{a} {b}");
    }
    for (a, b) in [("1", r#""1""#), ("9007199254740993", "9007199254740992"), ("18446744073709551615", "-1")] {
        assert_ne!(id(a), id(b), "{a} {b}");
    }
    let sorted = ["-1", "7.0", "10", r#""1""#, r#""\u0061""#, r#""b""#].map(id);
    assert!(sorted.is_sorted_by(|a, b| a < b));
    let hash = |text| BuildHasherDefault::<DefaultHasher>::new().hash_one(id(text));
    assert_eq!(hash("1"), hash("1.0"));
    assert_ne!(hash("1"), hash("2"));
    assert_eq!(RequestId::from(-5), id("-5"));
    assert_eq!(RequestId::from("a\"b").as_json(), r#""a\"b""#);
    assert_eq!(id("7").as_integer(), Some(7));
    assert_eq!(id(r#""7""#).as_str(), Some("7"));
}

#[test]
fn reads_the_members_wherever_they_stand() {
    let text = r#" { "params" : {"a":[1, "}" ]} , "x":{"id":9,"method":"no"}, "m\u0065thod":"tools\/call","jsonrpc":"\u0032.0", "result":null ,"error": -1.5,"\u0069d" : "z" } "#;
    let scan = scanned(text);
    assert_eq!(scan.fault, None);
    assert_eq!(scan.id.request_id().unwrap().as_json(), r#""z""#);
    assert_eq!(scan.method, MethodField::Name("tools/call".to_owned()));
    assert_eq!(scan.jsonrpc, Field::Two);
    let spans = [scan.params, scan.result, scan.error].map(|span| &text[span.unwrap()]);
    assert_eq!(spans, [r#"{"a":[1, "}" ]}"#, "null", "-1.5"]);

    let text = r#"{"params":"a","result" : "\"" ,"error":[""]}"#;
    let scan = scanned(text);
    let spans = [scan.params, scan.result, scan.error].map(|span| &text[span.unwrap()]);
    assert_eq!(spans, [r#""a""#, r#""\"""#, r#"[""]"#]);
}

#[test]
fn reads_the_members_however_they_are_written() {
    let [id, jsonrpc, method, params, result, error, two, name] =
        ["id", "jsonrpc", "method", "params", "result", "error", "2.0", "tools/call"].map(escaped);
    let text = format!(
        r#"{{"{id}":"{name}","{jsonrpc}":"{two}","{method}":"{name}","{params}":1,"{result}":22,"{error}":333}}"#
    );
    let scan = scanned(&text);
    assert_eq!(scan.fault, None);
    assert_eq!(scan.id.request_id().unwrap().as_str(), Some("tools/call"));
    assert_eq!(scan.jsonrpc, Field::Two);
    assert_eq!(scan.method, MethodField::Name("tools/call".to_owned()));
    let spans = [scan.params, scan.result, scan.error].map(|span| &text[span.unwrap()]);
    assert_eq!(spans, ["1", "22", "333"]);
}

#[test]
fn tells_the_forms_of_jsonrpc_and_method_apart() {
    for (text, expect) in [
        (r#"{"jsonrpc":"1.0"}"#, Field::Other),
        (r#"{"jsonrpc":2.0}"#, Field::Other),
        (r#"{"jsonrpc":"2.00"}"#, Field::Other),
        (r#"{"jsonrpc":["2.0"]}"#, Field::Other),
        (r#"{"jsonrpc":null}"#, Field::Other),
        ("{}", Field::Absent),
        (r#"{"jsonrpc":"2.0"}"#, Field::Two),
    ] {
        assert_eq!(scanned(text).jsonrpc, expect, "{text}");
    }
    let name = |length| MethodField::Name("é".repeat(length));
    for (text, expect) in [
        (r#"{"method":5}"#.to_owned(), MethodField::Invalid),
        (r#"{"method":null}"#.to_owned(), MethodField::Invalid),
        (r#"{"method":{"a":"b"}}"#.to_owned(), MethodField::Invalid),
        (format!(r#"{{"method":"{}x"}}"#, "é".repeat(128)), MethodField::Invalid),
        (format!(r#"{{"method":"{}"}}"#, "é".repeat(128)), name(128)),
        (format!(r#"{{"method":"{}"}}"#, "\\u00e9".repeat(128)), name(128)),
        (r#"{"method":""}"#.to_owned(), name(0)),
        ("{}".to_owned(), MethodField::Absent),
    ] {
        assert_eq!(scanned(&text).method, expect, "{text}");
    }
}

#[test]
fn the_first_of_two_counts() {
    let scan = scanned(r#"{"id":1,"id":2,"method":"a","method":"b","params":1,"params":2}"#);
    assert_eq!(scan.id.request_id().unwrap().as_json(), "1");
    assert_eq!(scan.method, MethodField::Name("a".to_owned()));
    assert_eq!(scan.params, Some(50..51));
    assert_eq!(scanned(r#"{"id":null,"id":2}"#).id, IdField::Null);
    assert_eq!(scanned(r#"{"method":5,"method":"a"}"#).method, MethodField::Invalid);
}

#[test]
fn says_whether_a_fault_is_inside_params() {
    let deep = format!("{}{}", "[".repeat(70), "]".repeat(70));
    for (text, expect) in [
        (r#"{"params":[1e400],"id":1}"#.to_owned(), (JsonFault::NumberOutOfRange, true)),
        (r#"{"params":1e400}"#.to_owned(), (JsonFault::NumberOutOfRange, true)),
        (format!(r#"{{"params":{deep},"id":1}}"#), (JsonFault::TooDeep, true)),
        (r#"{"x":1e400,"params":{}}"#.to_owned(), (JsonFault::NumberOutOfRange, false)),
        (r#"{"params":{},"x":1e400}"#.to_owned(), (JsonFault::NumberOutOfRange, false)),
        (r#"{"x":{"params":1e400}}"#.to_owned(), (JsonFault::NumberOutOfRange, false)),
        (r#"{"id":99999999999999999999}"#.to_owned(), (JsonFault::IntegerTooWide, false)),
        (r#"[{"params":1e400}]"#.to_owned(), (JsonFault::NumberOutOfRange, false)),
        // The first of two, unless the second leaves nothing to be said.
        (r#"{"params":[1e400, 99999999999999999999]}"#.to_owned(), (JsonFault::NumberOutOfRange, true)),
        (r#"{"params":[1e400],"id":1"#.to_owned(), (JsonFault::Syntax, false)),
        (r#"{"params":[1e400"#.to_owned(), (JsonFault::Syntax, true)),
        (r#"{"params" 5}"#.to_owned(), (JsonFault::Syntax, false)),
    ] {
        assert_eq!(fault_of(&text), Some(expect), "{text}");
    }
}

#[test]
fn keeps_the_id_that_ended_before_a_fault() {
    for (text, expect) in [
        (r#"{"id":7,"method"#, Some("7")),
        (r#"{"id":"a","method":x}"#, Some(r#""a""#)),
        (r#"{"id":7}}"#, Some("7")),
        (r#"{"id":7,"params":"\ud800"}"#, Some("7")),
        (r#"{"method":x,"id":7}"#, None),
        // It might have gone on.
        (r#"{"id":7"#, None),
        (r#"{"id":"a"#, None),
    ] {
        let scan = scanned(text);
        assert_eq!(scan.fault.unwrap().fault, JsonFault::Syntax, "{text}");
        assert_eq!(scan.id.request_id().map(RequestId::as_json), expect, "{text}");
    }
    let scan = scan(b"{\"id\":7,\"params\":\"\xff\"}", &ScanLimits::default());
    assert_eq!(scan.fault.unwrap().fault, JsonFault::Encoding);
    assert_eq!(scan.id.request_id().map(RequestId::as_json), Some("7"));
}

#[test]
fn finds_the_id_past_the_largest_message() {
    let limits = ScanLimits { message_bytes: 64, ..ScanLimits::default() };
    for (text, fault, id) in [
        (format!(r#"{{"params":"{}","id":3}}"#, "x".repeat(50)), JsonFault::Oversize, Some("3")),
        (format!(r#"{{"params":"{}","id":3 x"#, "x".repeat(50)), JsonFault::Oversize, Some("3")),
        (format!(r#"{{"params"="{}","id":3}}"#, "x".repeat(50)), JsonFault::Syntax, None),
        (format!("[{}]", " ".repeat(63)), JsonFault::Oversize, None),
        // What makes it unreadable is told if it stands within the size.
        (format!("[{}x]", " ".repeat(62)), JsonFault::Syntax, None),
        (format!("[{}x]", " ".repeat(63)), JsonFault::Oversize, None),
    ] {
        let whole = scan(text.as_bytes(), &limits);
        assert_eq!(whole.fault.unwrap().fault, fault, "{text}");
        assert_eq!(whole.id.request_id().map(RequestId::as_json), id, "{text}");
        let mut scanner = Scanner::new(&limits);
        text.as_bytes().chunks(7).for_each(|chunk| scanner.feed(chunk));
        assert_eq!(scanner.finish(), whole, "{text}");
    }
    let exact = format!("[{}]", " ".repeat(62));
    assert_eq!(scan(exact.as_bytes(), &limits).fault, None);
}

#[test]
fn debug_shows_no_content() {
    let scan = scanned(r#"{"id":"secret","method":"secret","params":"secret","id":1}"#);
    let mut scanner = Scanner::new(&ScanLimits::default());
    scanner.feed(br#"{"id":"secret""#);
    for debug in [format!("{scan:?}"), format!("{scanner:?}")] {
        assert!(!debug.contains("secret"), "{debug}");
    }
    for (debug, expect) in [
        (format!("{:?}", scan.method), "Name(6 bytes)"),
        (format!("{:?}", MethodField::Absent), "Absent"),
        (format!("{:?}", MethodField::Invalid), "Invalid"),
        (format!("{:?}", RequestId::from("secret")), "RequestId(6 bytes)"),
        (format!("{:?}", RequestId::from(-7)), "RequestId(-7)"),
        (format!("{scanner:?}"), "Scanner { length: 14, .. }"),
    ] {
        assert_eq!(debug, expect);
    }
}
