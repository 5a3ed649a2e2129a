//! Types of `chrono`, `uuid` and `url`.

use std::fmt::Debug;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Weekday};
use mtb_core::decode;
use proptest::prelude::*;
use proptest::sample::Index;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;

use crate::agree::compile;
use crate::types::Just;

/// Checks which values fit, in the schema and in the type alike.
#[track_caller]
fn check<T: JsonSchema + DeserializeOwned>(rows: &[(Value, bool)]) {
    let schema = compile::<Just<T>>();
    for (value, fits) in rows {
        let arguments = json!({"it": value});
        assert_eq!(schema.validate(&arguments).is_ok(), *fits, "{value}");
        assert_eq!(decode::<Just<T>>(&arguments).is_ok(), *fits, "{value}");
    }
}

#[test]
fn times_are_times() {
    check::<NaiveDate>(&[
        (json!("2024-02-29"), true),
        (json!("2023-02-29"), false),
        (json!("2023-04-31"), false),
        (json!("today"), false),
        (json!(20_230_401), false),
    ]);
    check::<NaiveTime>(&[
        (json!("23:59:59"), true),
        (json!("23:59:60.5"), true),
        (json!("24:00:00"), false),
        (json!("12:60:00"), false),
        (json!("12:00:61"), false),
        (json!("noon"), false),
    ]);
    check::<NaiveDateTime>(&[
        (json!("2000-02-29T00:00:00"), true),
        (json!("1900-02-28T00:00:00.123456789"), true),
        (json!("1900-02-29T00:00:00"), false),
        (json!("2026-11-31T00:00:00"), false),
        (json!("2026-13-01T00:00:00"), false),
        (json!("2026-01-31"), false),
        (json!("2026-01-31T12:00:00Z"), false),
    ]);
    check::<DateTime<FixedOffset>>(&[
        (json!("2026-01-31T12:00:00Z"), true),
        (json!("2026-01-31T12:00:00.5+23:59"), true),
        (json!("2026-01-31T12:00:00+24:00"), false),
        (json!("2026-01-31T12:00:00"), false),
    ]);
    check::<TimeDelta>(&[
        (json!([1, 999_999_999]), true),
        (json!([-9_223_372_036_854_774_i64, 0]), true),
        (json!([9_223_372_036_854_774_i64, 999_999_999]), true),
        (json!([9_223_372_036_854_775_i64, 999_999_999]), false),
        (json!([-9_223_372_036_854_776_i64, 0]), false),
        (json!([i64::MAX, 0]), false),
        (json!([1, 1_000_000_000]), false),
        (json!([1]), false),
    ]);
    check::<Weekday>(&[(json!("Mon"), true), (json!("Someday"), false), (json!(1), false)]);
}

/// Wherever they stand in another type.
#[test]
fn times_are_times_in_lists_and_maps() {
    check::<Vec<NaiveTime>>(&[(json!(["12:00:00"]), true), (json!(["12"]), false)]);
    let map = |time: &str| json!({"noon": time});
    check::<std::collections::BTreeMap<String, NaiveTime>>(&[(map("12:00:00"), true), (map("12"), false)]);
    check::<Option<Vec<NaiveTime>>>(&[(json!(null), true), (json!(["12:00:00"]), true), (json!(["12"]), false)]);
}

#[test]
fn ids_and_addresses_are_checked() {
    check::<Uuid>(&[
        (json!("67e55044-10b1-426f-9247-bb680e5fe0c8"), true),
        (json!("67E55044-10B1-426F-9247-BB680E5FE0C8"), true),
        (json!("67e55044-10b1-426f-9247-bb680e5fe0c"), false),
        (json!("67e55044-10b1-426f-9247-bb680e5fe0cg"), false),
    ]);
    check::<Url>(&[
        (json!("https://ada:pw@example.com:8443/a%20b?q=1#top"), true),
        (json!("http://[2001:db8::1]/"), true),
        (json!("mailto:ada@example.com"), true),
        (json!("urn:isbn:0451450523"), true),
        (json!("example.com/a"), false),
        (json!("/a"), false),
        (json!(""), false),
    ]);
    // A port is any number in RFC 3986, and 16 bits to the type.
    let arguments = json!({"it": "http://example.com:99999/"});
    assert_eq!(compile::<Just<Url>>().validate(&arguments), Ok(()));
    assert_eq!(decode::<Just<Url>>(&arguments).unwrap_err().path, "/it");
}

/// The text of an instance fits, and whatever fits of the texts near it can be read.
fn agrees<T: Debug + Serialize + DeserializeOwned + JsonSchema>(values: impl Strategy<Value = T>) {
    let schema = compile::<Just<T>>();
    let edit =
        (any::<Index>(), prop::option::of(prop::sample::select("0123456789-:TtZz+ .,".chars().collect::<Vec<_>>())));
    let edits = prop::collection::vec(edit, 1..3);
    let mut runner = proptest::test_runner::TestRunner::default();
    let checked = runner.run(&(values, edits), |(it, edits)| {
        let written = serde_json::to_value(&Just { it }).unwrap();
        prop_assert_eq!(schema.validate(&written), Ok(()), "{}", written);
        prop_assert!(decode::<Just<T>>(&written).is_ok(), "{}", written);
        let Some(text) = written["it"].as_str() else { return Ok(()) };
        let mut text: Vec<char> = text.chars().collect();
        for (index, put) in edits {
            let at = index.index(text.len());
            match put {
                Some(put) => text[at] = put,
                None => drop(text.remove(at)),
            }
        }
        let edited = json!({"it": text.iter().collect::<String>()});
        if schema.validate(&edited).is_ok() {
            prop_assert!(decode::<Just<T>>(&edited).is_ok(), "accepted and not read: {}", edited);
        }
        Ok(())
    });
    if let Err(error) = checked {
        panic!("{error}\n{}", schema.text());
    }
}

#[test]
fn schema_and_type_agree_on_texts_near_times() {
    let day = || (2..3_652_000_i64).prop_map(|days| NaiveDate::from_ymd_opt(0, 1, 1).unwrap() + TimeDelta::days(days));
    let time = || {
        (0..86_400_u32, 0..1_000_000_000_u32)
            .prop_map(|(s, n)| NaiveTime::from_num_seconds_from_midnight_opt(s, n).unwrap())
    };
    agrees(day());
    agrees(time());
    agrees((day(), time()).prop_map(|(day, time)| day.and_time(time)));
    agrees((day(), time()).prop_map(|(day, time)| day.and_time(time).and_utc()));
    let offset = -86_340..86_340_i32;
    agrees((day(), time(), offset).prop_map(|(day, time, offset)| {
        let offset = FixedOffset::east_opt(offset / 60 * 60).unwrap();
        day.and_time(time).and_utc().with_timezone(&offset)
    }));
    agrees(any::<i32>().prop_map(|seconds| TimeDelta::seconds(i64::from(seconds))));
    agrees(any::<u128>().prop_map(Uuid::from_u128));
}
