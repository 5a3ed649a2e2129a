use mtb_core::CanonicalJson;
use mtb_core::json::{JsonFault, MAX_NUMBER_BYTES, Scan, ScanLimits, Scanner, scan};
use proptest::prelude::*;
use serde_json::json;

use crate::documents::{WIDE, canonical, refusal};

/// Scans a text, whole and byte by byte.
fn scanned(text: &str) -> Scan {
    let limits = ScanLimits { message_bytes: 10_000, json: WIDE };
    let whole = scan(text.as_bytes(), &limits);
    let mut scanner = Scanner::new(&limits);
    text.as_bytes().chunks(1).for_each(|chunk| scanner.feed(chunk));
    assert_eq!(scanner.finish(), whole, "{text}");
    whole
}

#[test]
fn refuses_numbers_that_cannot_be_held() {
    let long_integer = "1".repeat(MAX_NUMBER_BYTES + 1);
    let long_fraction = format!("0.{}", "1".repeat(MAX_NUMBER_BYTES - 1));
    let huge_fraction = format!("1{}.5", "0".repeat(309));
    for (text, fault) in [
        ("18446744073709551616", JsonFault::IntegerTooWide),
        ("-9223372036854775809", JsonFault::IntegerTooWide),
        ("100000000000000000000000", JsonFault::IntegerTooWide),
        (&*long_integer, JsonFault::IntegerTooWide),
        ("1e309", JsonFault::NumberOutOfRange),
        ("-1e400", JsonFault::NumberOutOfRange),
        ("1.7976931348623159e308", JsonFault::NumberOutOfRange),
        ("1e99999999999999999999", JsonFault::NumberOutOfRange),
        (&*long_fraction, JsonFault::NumberOutOfRange),
        (&*huge_fraction, JsonFault::NumberOutOfRange),
    ] {
        assert_eq!(refusal(text, &WIDE), (fault, 0), "{text}");
        // The scan agrees, and goes on.
        let scan = scanned(&format!(r#"{{"params": [{text}], "id": 1}}"#));
        let found = scan.fault.unwrap();
        assert_eq!((found.fault, found.offset, found.inside_params), (fault, 12, true), "{text}");
        assert!(scan.id.request_id().is_some(), "{text}");
    }
}

#[test]
fn refuses_what_is_no_number() {
    for text in [
        "-",
        "+1",
        "01",
        "-01",
        "00",
        "1.",
        ".5",
        "1.e1",
        "1e",
        "1e+",
        "1e1.5",
        "0x1",
        "1_000",
        "NaN",
        "Infinity",
        "-Infinity",
        "1-2",
        "1 2",
        "--1",
        "１",
    ] {
        assert_eq!(refusal(text, &WIDE).0, JsonFault::Syntax, "{text}");
        assert_eq!(scanned(text).fault.unwrap().fault, JsonFault::Syntax, "{text}");
    }
}

#[test]
fn writes_each_number_in_one_way() {
    let longest = format!("0.{}", "1".repeat(MAX_NUMBER_BYTES - 2));
    for (text, expect) in [
        ("0", "0"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("0e400", "0"),
        ("1e-400", "0"),
        ("-1e-400", "0"),
        ("1.0", "1"),
        ("1e3", "1000"),
        ("-1.50e1", "-15"),
        ("100E-2", "1"),
        ("9007199254740991.0", "9007199254740991"),
        ("-9007199254740991e0", "-9007199254740991"),
        ("9007199254740992", "9007199254740992"),
        ("9007199254740993", "9007199254740993"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "9223372036854775808"),
        ("18446744073709551615", "18446744073709551615"),
        // Integral doubles that may have lost digits have an exponent.
        ("9007199254740992.0", "9.007199254740992e+15"),
        ("9007199254740993.0", "9.007199254740992e+15"),
        ("9223372036854775808.0", "9.223372036854776e+18"),
        ("1e17", "1e+17"),
        ("-1e20", "-1e+20"),
        ("1e21", "1e+21"),
        ("18446744073709551616.0", "1.8446744073709552e+19"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        // Other doubles are as in ECMAScript.
        ("0.1", "0.1"),
        ("-1.25", "-1.25"),
        ("123456.789", "123456.789"),
        ("4503599627370495.5", "4503599627370495.5"),
        ("0.000001", "0.000001"),
        ("0.00000123", "0.00000123"),
        ("0.0000001", "1e-7"),
        ("-0.00000012345", "-1.2345e-7"),
        ("333333333.33333329", "333333333.3333333"),
        ("1E-27", "1e-27"),
        ("5e-324", "5e-324"),
        ("2.2250738585072011e-308", "2.225073858507201e-308"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("1.00000000000000011102230246251565404236316680908203126", "1.0000000000000002"),
        ("1.00000000000000011102230246251565404236316680908203125", "1"),
        (&*longest, "0.1111111111111111"),
    ] {
        assert_eq!(scanned(text).fault, None, "{text}");
        let number = canonical(text);
        assert_eq!(number.as_str(), expect, "{text}");
        assert_eq!(canonical(expect), number, "{text}");
        assert_eq!(CanonicalJson::from_value(number.value(), &WIDE).unwrap(), number, "{text}");
    }
}

#[test]
fn hands_out_integers_as_integers() {
    assert_eq!(canonical("[1.0, -0.0, 1e2, 18446744073709551615, 0.5]").value(), &json!([1, 0, 100, u64::MAX, 0.5]));
    let from_value = CanonicalJson::from_value(&json!([1.0, -0.0, 1e17]), &WIDE).unwrap();
    assert_eq!(from_value.value(), &json!([1, 0, 1e17]));
    assert_eq!(from_value.as_str(), "[1,0,1e+17]");
}

proptest! {
    #[test]
    fn every_double_reads_back(bits in any::<u64>()) {
        let double = f64::from_bits(bits);
        prop_assume!(double.is_finite());
        let number = CanonicalJson::from_value(&json!(double), &WIDE).unwrap();
        let read: f64 = number.as_str().parse().unwrap();
        // By value: -0 is 0.
        prop_assert!((read - double).abs() == 0.0, "{} {}", read, double);
        prop_assert_eq!(canonical(number.as_str()), number);
    }

    #[test]
    fn every_integer_keeps_its_digits(signed in any::<i64>(), unsigned in any::<u64>()) {
        let (signed, unsigned) = (signed.to_string(), unsigned.to_string());
        let (a, b) = (canonical(&signed), canonical(&unsigned));
        prop_assert_eq!(a.as_str(), signed);
        prop_assert_eq!(b.as_str(), unsigned);
    }

    #[test]
    fn an_integer_and_a_double_of_2_to_53_or_more_never_share_a_text(integer in 1_u64 << 53.., negative in any::<bool>()) {
        let integer = if negative { format!("-{}", integer / 2) } else { integer.to_string() };
        prop_assume!(integer.trim_start_matches('-').parse::<u64>().unwrap() >= 1 << 53);
        let double = format!("{integer}.0");
        prop_assert_ne!(canonical(&integer), canonical(&double));
    }
}
