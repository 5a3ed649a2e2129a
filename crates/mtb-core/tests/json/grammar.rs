//! The scan and the canonical reader accept what `serde_json` accepts, and nothing else.

use mtb_core::CanonicalJson;
use mtb_core::json::{IdField, JsonFault, Limits, RequestId, RootKind, Scan, ScanLimits, Scanner, scan};
use proptest::prelude::*;
use serde_json::Value;

use crate::documents::{WIDE, document, written};

const LIMITS: ScanLimits = ScanLimits { message_bytes: 100_000, json: WIDE };
const TIGHT: ScanLimits = ScanLimits { message_bytes: 90, json: Limits { depth: 3, nodes: 12, string_bytes: 6 } };

fn is_unreadable(scan: &Scan) -> bool {
    scan.fault.is_some_and(|fault| matches!(fault.fault, JsonFault::Syntax | JsonFault::Encoding))
}

fn in_chunks<'t>(chunks: impl IntoIterator<Item = &'t [u8]>, limits: &ScanLimits) -> Scan {
    let mut scanner = Scanner::new(limits);
    chunks.into_iter().for_each(|chunk| scanner.feed(chunk));
    scanner.finish()
}

/// Names that occur twice are the one thing that only a whole text shows.
fn assert_same(chunked: &Scan, whole: &Scan, what: &str) {
    if whole.fault.is_none_or(|fault| fault.fault != JsonFault::DuplicateKey) {
        assert_eq!(chunked, whole, "{what}");
    } else {
        assert_eq!(Scan { fault: None, ..chunked.clone() }, Scan { fault: None, ..whole.clone() }, "{what}");
    }
}

/// Any text: documents and messages, some of them with a few bytes changed.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let message = (document(), document()).prop_map(
        |(params, id)| serde_json::json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}),
    );
    let text =
        (prop_oneof![document(), message], any::<u64>()).prop_map(|(value, seed)| written(&value, seed).into_bytes());
    let bytes = prop_oneof![prop::sample::select(b"\"\\{}[],:0-.eEu truefalsn\xff\xc3\xa9\0".to_vec()), any::<u8>()];
    let change = (any::<prop::sample::Index>(), bytes, 0..3_u8);
    (text, prop::collection::vec(change, 0..3)).prop_map(|(mut text, changes)| {
        for (index, byte, kind) in changes {
            let at = index.index(text.len() + 1);
            match kind {
                0 if at < text.len() => text[at] = byte,
                1 if at < text.len() => drop(text.remove(at)),
                _ => text.insert(at, byte),
            }
        }
        text
    })
}

#[test]
fn refuses_what_is_no_json() {
    for (text, fault, offset) in [
        (b"".as_slice(), JsonFault::Syntax, 0),
        (b"  ", JsonFault::Syntax, 2),
        (b"\xef\xbb\xbf{}", JsonFault::Syntax, 0),
        (b"{} {}", JsonFault::Syntax, 3),
        (b"not json", JsonFault::Syntax, 1),
        (b"[1,2", JsonFault::Syntax, 4),
        (b"[1,]", JsonFault::Syntax, 3),
        (b"[1}", JsonFault::Syntax, 2),
        (b"{\"a\":1]", JsonFault::Syntax, 6),
        (b"{\"a\":1,}", JsonFault::Syntax, 7),
        (b"{\"a\":}", JsonFault::Syntax, 5),
        (b"{\"a\",1}", JsonFault::Syntax, 4),
        (b"[-]", JsonFault::Syntax, 2),
        (b"[10.]", JsonFault::Syntax, 4),
        (b"[12e+ ]", JsonFault::Syntax, 5),
        (b"nulx", JsonFault::Syntax, 3),
        (b"[trux", JsonFault::Syntax, 4),
        (b"[faxse", JsonFault::Syntax, 3),
        (b"\"a\nb\"", JsonFault::Syntax, 2),
        (b"\"\\ud800\"", JsonFault::Syntax, 7),
        (b"\"\\udc00\"", JsonFault::Syntax, 6),
        (b"\"\\ud800\\n\"", JsonFault::Syntax, 8),
        (b"\"\\q\"", JsonFault::Syntax, 2),
        (b"\"a\xff\"", JsonFault::Encoding, 2),
        (b"\"a\xc3", JsonFault::Encoding, 2),
        (b"\"\xed\xa0\x80\"", JsonFault::Encoding, 1),
        (b"\"\xc0\xaf\"", JsonFault::Encoding, 1),
        (b"[x\xff", JsonFault::Syntax, 1),
        (b"7\xff", JsonFault::Encoding, 1),
    ] {
        let whole = scan(text, &LIMITS);
        let found = whole.fault.unwrap_or_else(|| panic!("{} was accepted", text.escape_ascii()));
        assert_eq!((found.fault, found.offset), (fault, offset), "{}", text.escape_ascii());
        assert_eq!(in_chunks(text.chunks(1), &LIMITS), whole, "{}", text.escape_ascii());
    }
}

#[test]
fn accepts_each_kind_of_value() {
    for (text, root) in [
        ("{}", RootKind::Object),
        (" [ ] ", RootKind::Array),
        ("null", RootKind::Other),
        (" -0.5e+3 ", RootKind::Other),
        ("42", RootKind::Other),
        (r#""\u00e9\ud83d\ude00\\""#, RootKind::Other),
        (r#"[true,false,null,{"a":[{"b":{}}]}]"#, RootKind::Array),
    ] {
        let whole = scan(text.as_bytes(), &LIMITS);
        assert_eq!((whole.fault, whole.root, whole.id), (None, root, IdField::Absent), "{text}");
    }
}

#[test]
fn follows_any_depth_and_size() {
    let deep = format!(r#"{{"params":{}{},"id":5}}"#, "[".repeat(500_000), "]".repeat(500_000));
    let dense = format!(r#"{{"params":[{}1],"id":5}}"#, "{\"a\":0},".repeat(100_000));
    let wide = format!(r#"{{"params":{{{}"z":1}},"id":5}}"#, "\"a\":0,".repeat(100_000));
    let long = format!(r#"{{"params":"{}","id":5}}"#, "é".repeat(500_000));
    for (text, fault) in [
        (&deep, JsonFault::TooDeep),
        (&dense, JsonFault::TooManyNodes),
        (&wide, JsonFault::TooManyNodes),
        (&long, JsonFault::StringTooLong),
    ] {
        let generous = ScanLimits { message_bytes: 2_000_000, ..LIMITS };
        let whole = scan(text.as_bytes(), &generous);
        let found = whole.fault.unwrap();
        assert_eq!((found.fault, found.inside_params), (fault, true));
        assert_eq!(whole.id.request_id().unwrap().as_integer(), Some(5));
        assert_eq!(in_chunks(text.as_bytes().chunks(4_093), &generous), whole);
        // The size of the whole hides what is wrong inside it.
        let found = scan(text.as_bytes(), &LIMITS).fault.unwrap();
        assert_eq!((found.fault, found.offset, found.inside_params), (JsonFault::Oversize, 100_000, false));
    }
}

#[test]
fn stops_at_each_limit_and_no_sooner() {
    for (text, expect) in [
        ("[[[[]]]]", Some((JsonFault::TooDeep, 3))),
        (r#"{"a":[{"b":{}}]}"#, Some((JsonFault::TooDeep, 11))),
        ("[1,2,3,4,5,6,7,8,9,10,11,12]", Some((JsonFault::TooManyNodes, 25))),
        (r#"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}"#, Some((JsonFault::TooManyNodes, 35))),
        (r#"["1234567"]"#, Some((JsonFault::StringTooLong, 1))),
        (r#"["\u00e9ééx"]"#, Some((JsonFault::StringTooLong, 1))),
        (r#"["\ud83d\ude00ab\n"]"#, Some((JsonFault::StringTooLong, 1))),
        (r#"[{"1234567":1}]"#, Some((JsonFault::StringTooLong, 2))),
        ("[[[1]]]", None),
        (r#"{"a":[{"b":1}]}"#, None),
        ("[1,2,3,4,5,6,7,8,9,10,11]", None),
        (r#"{"a":1,"b":2,"c":3,"d":4,"e":[5]}"#, None),
        (r#"["123456"]"#, None),
        (r#"["\u00e9éé"]"#, None),
        (r#"["\ud83d\ude00a\n"]"#, None),
        (r#"[{"123456":1}]"#, None),
    ] {
        let whole = scan(text.as_bytes(), &TIGHT);
        assert_eq!(whole.fault.map(|found| (found.fault, found.offset)), expect, "{text}");
        assert_eq!(in_chunks(text.as_bytes().chunks(1), &TIGHT), whole, "{text}");
    }
}

#[test]
fn gives_up_on_nesting_that_no_message_has() {
    for (depth, id) in [(1 << 20, Some(5)), ((1 << 20) + 1, None)] {
        let text = format!(r#"{{"params":{}{},"id":5}}"#, "[".repeat(depth - 1), "]".repeat(depth - 1));
        let scan = in_chunks(text.as_bytes().chunks(65_536), &ScanLimits { message_bytes: 1 << 22, json: WIDE });
        assert_eq!(scan.fault.unwrap().fault, JsonFault::TooDeep);
        assert_eq!(scan.id.request_id().and_then(RequestId::as_integer), id);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn accepts_what_serde_json_accepts(text in text()) {
        let scan = scan(&text, &LIMITS);
        match serde_json::from_slice::<Value>(&text) {
            Ok(_) => prop_assert!(!is_unreadable(&scan), "{:?}", scan.fault),
            // It stops there, while the scan goes on and may find worse.
            Err(error) if error.to_string().starts_with("number out of range") => prop_assert!(scan.fault.is_some()),
            Err(error) => prop_assert!(is_unreadable(&scan), "{}: {:?}", error, scan.fault),
        }
    }

    #[test]
    fn accepts_what_the_canonical_reader_accepts(text in text()) {
        for limits in [LIMITS, ScanLimits { message_bytes: 100_000, ..TIGHT }] {
            let scan = scan(&text, &limits);
            let Ok(text) = str::from_utf8(&text) else {
                prop_assert!(is_unreadable(&scan));
                continue;
            };
            match CanonicalJson::from_text(text, &limits.json) {
                Ok(_) => prop_assert_eq!(scan.fault, None),
                Err(error) if !is_unreadable(&scan) => {
                    let found = scan.fault.map(|fault| fault.fault);
                    // Where several things are wrong, the two need not meet them in the same order.
                    prop_assert!(found.is_some(), "{}", error);
                }
                Err(_) => {}
            }
        }
    }
}

proptest! {
    // Each case is cut in every place.
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn chunks_make_no_difference(text in text(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        for limits in [LIMITS, TIGHT] {
            let whole = scan(&text, &limits);
            for at in 0..=text.len() {
                assert_same(&in_chunks([&text[..at], &text[at..]], &limits), &whole, "cut once");
            }
            assert_same(&in_chunks(text.chunks(1), &limits), &whole, "cut everywhere");
            let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            assert_same(&in_chunks(cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]), &limits), &whole, "cut at random");
        }
    }
}
