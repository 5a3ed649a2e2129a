use serde_json::Value;

use super::number::whole;

/// Formats of texts that are checked, in every dialect alike: those of 2020-12 but for the two that need tables of
/// Unicode.
pub(super) const TEXTS: [&str; 17] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// Numeric formats, as `OpenAPI` and the code generators of several languages write them.
const NUMBERS: [(&str, Numeric); 14] = [
    ("double", Numeric::Float(f64::MAX)),
    ("float", Numeric::Float(340_282_346_638_528_859_811_704_183_484_516_925_440.0)),
    ("int", Numeric::Integer(-0x8000_0000_0000_0000, 0x7fff_ffff_ffff_ffff)),
    ("int128", Numeric::Integer(i128::MIN, 0x7fff_ffff_ffff_ffff_ffff_ffff_ffff_ffff)),
    ("int16", Numeric::Integer(-0x8000, 0x7fff)),
    ("int32", Numeric::Integer(-0x8000_0000, 0x7fff_ffff)),
    ("int64", Numeric::Integer(-0x8000_0000_0000_0000, 0x7fff_ffff_ffff_ffff)),
    ("int8", Numeric::Integer(-0x80, 0x7f)),
    ("uint", Numeric::Integer(0, 0xffff_ffff_ffff_ffff)),
    ("uint128", Numeric::Integer(0, u128::MAX)),
    ("uint16", Numeric::Integer(0, 0xffff)),
    ("uint32", Numeric::Integer(0, 0xffff_ffff)),
    ("uint64", Numeric::Integer(0, 0xffff_ffff_ffff_ffff)),
    ("uint8", Numeric::Integer(0, 0xff)),
];

/// What a numeric format means. A number must be one of these, and so must a text, since 64-bit integers are often
/// written as texts. It says nothing about other values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Numeric {
    /// Integers from the first to the second.
    Integer(i128, u128),
    /// Numbers whose magnitude is not greater.
    Float(f64),
}

/// The meaning of a numeric format; `None` for any other.
pub(super) fn numeric(format: &str) -> Option<Numeric> {
    NUMBERS.iter().find(|(name, _)| *name == format).map(|(_, meaning)| *meaning)
}

/// The formats that are checked.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.into_iter().chain(NUMBERS.into_iter().map(|(name, _)| name))
}

impl Numeric {
    pub(super) fn admits(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Integer(..), Value::Number(_)) => {
                whole(value).is_some_and(|number| self.holds(number.is_negative(), number.unsigned_abs()))
            }
            (Self::Float(greatest), Value::Number(number)) => {
                number.as_f64().is_some_and(|number| number.abs() <= greatest)
            }
            (Self::Integer(..), Value::String(text)) => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                let is_plain =
                    digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
                is_plain && digits.parse().is_ok_and(|magnitude| self.holds(text.starts_with('-'), magnitude))
            }
            (Self::Float(greatest), Value::String(text)) => {
                serde_json::from_str::<f64>(text).is_ok_and(|number| number.abs() <= greatest)
                    && !text.contains(char::is_whitespace)
            }
            _ => true,
        }
    }

    fn holds(self, negative: bool, magnitude: u128) -> bool {
        match self {
            Self::Integer(least, _) if negative => magnitude <= least.unsigned_abs() && least.is_negative(),
            Self::Integer(_, greatest) => magnitude <= greatest,
            Self::Float(_) => true,
        }
    }

    /// What it admits, in words.
    pub(super) fn noun(self) -> String {
        match self {
            Self::Integer(least, greatest) => format!("an integer from {least} to {greatest}"),
            Self::Float(greatest) if greatest < f64::MAX => format!("a number from -{greatest:e} to {greatest:e}"),
            Self::Float(_) => "a number".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{NUMBERS, TEXTS, numeric};

    #[test]
    fn formats_are_listed_once_and_sorted() {
        assert!(TEXTS.is_sorted_by(|one, other| one < other));
        assert!(NUMBERS.is_sorted_by(|(one, _), (other, _)| one < other));
        assert!(NUMBERS.iter().all(|(name, _)| !TEXTS.contains(name)));
    }

    #[test]
    fn a_numeric_format_is_a_bound() {
        let admitted = [
            ("int8", json!([-128, 127, 127.0, "-128", "0", null, true, ["x"]])),
            ("uint8", json!([0, -0.0, 255, "255"])),
            ("int16", json!([-32_768, 32_767])),
            ("int32", json!([-2_147_483_648_i64, 2_147_483_647_i64, "2147483647"])),
            ("int", json!([i64::MIN, i64::MAX])),
            ("int64", json!([i64::MIN, i64::MAX, "-9223372036854775808"])),
            ("uint64", json!([u64::MAX, "18446744073709551615"])),
            ("uint128", json!([u64::MAX, "340282366920938463463374607431768211455"])),
            ("int128", json!([i64::MIN, "-170141183460469231731687303715884105728"])),
            ("float", json!([f32::MAX, f32::MIN, 0.5, "1e3", "-0.5"])),
            ("double", json!([f64::MAX, 1, "1.5"])),
        ];
        for (format, values) in admitted {
            for value in values.as_array().unwrap() {
                assert!(numeric(format).unwrap().admits(value), "{format} {value}");
            }
        }
        let refused = [
            ("int8", json!([128, -129, 0.5, "128", "", "-", "+1", "01", " 1", "1.0", "0x1"])),
            ("uint8", json!([-1, 256, "-1", "256"])),
            ("int16", json!([-32_769, 32_768])),
            ("int32", json!([2_147_483_648_i64, -2_147_483_649_i64, "2147483648"])),
            ("int", json!([9_223_372_036_854_775_808_u64, "-9223372036854775809"])),
            ("int64", json!([9_223_372_036_854_775_808_u64, "9223372036854775808"])),
            ("uint64", json!([-1, 1.844_674_407_370_955_2e19, "18446744073709551616"])),
            ("uint128", json!([-1, "340282366920938463463374607431768211456"])),
            ("int128", json!(["170141183460469231731687303715884105728"])),
            ("float", json!([3.5e38, "3.5e38", "one", "NaN", "1 "])),
            ("double", json!(["1e400", "", "inf"])),
        ];
        for (format, values) in refused {
            for value in values.as_array().unwrap() {
                assert!(!numeric(format).unwrap().admits(value), "{format} {value}");
            }
        }
        for (format, noun) in [
            ("int8", "an integer from -128 to 127"),
            ("uint16", "an integer from 0 to 65535"),
            ("float", "a number from -3.4028234663852886e38 to 3.4028234663852886e38"),
            ("double", "a number"),
        ] {
            assert_eq!(numeric(format).unwrap().noun(), noun);
        }
        assert_eq!(numeric("int12"), None);
        assert_eq!(numeric("uuid"), None);
    }
}
