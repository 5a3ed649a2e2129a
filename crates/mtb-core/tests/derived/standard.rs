use std::num::{NonZeroI8, NonZeroU64};
use std::ops::{Bound, RangeInclusive};
use std::time::{Duration, SystemTime};

use mtb_core::decode;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::agree::compile;
use crate::types::Just;

/// Checks that schema and type both refuse each of these values, and both accept each of those.
#[track_caller]
fn check<T: JsonSchema + DeserializeOwned>(refused: &[Value], accepted: &[Value]) {
    let schema = compile::<Just<T>>();
    for (values, fits) in [(refused, false), (accepted, true)] {
        for value in values {
            let arguments = json!({"it": value});
            assert_eq!(schema.validate(&arguments).is_ok(), fits, "{value}");
            assert_eq!(decode::<Just<T>>(&arguments).is_ok(), fits, "{value}");
        }
    }
}

#[test]
fn integers_have_the_bounds_of_their_type() {
    check::<i8>(&[json!(-129), json!(128), json!(0.5), json!("1")], &[json!(-128), json!(127.0)]);
    check::<u32>(&[json!(-1), json!(4_294_967_296_u64)], &[json!(0), json!(u32::MAX)]);
    check::<i64>(&[json!(u64::MAX), json!(2_f64.powi(63)), json!(-1e19)], &[json!(i64::MIN), json!(-(2_f64.powi(63)))]);
    check::<u64>(&[json!(-1), json!(2_f64.powi(64))], &[json!(u64::MAX), json!(2_f64.powi(63))]);
    check::<usize>(&[json!(-1), json!(2_f64.powi(64))], &[json!(usize::MAX)]);
    check::<NonZeroI8>(&[json!(0), json!(-0.0), json!(128)], &[json!(-1), json!(1)]);
    check::<Option<NonZeroU64>>(&[json!(0), json!(-1)], &[json!(1), json!(null), json!(u64::MAX)]);
    check::<char>(&[json!(""), json!("ab"), json!(1)], &[json!("ä"), json!("\u{1f511}")]);
}

/// A wider integer is refused before any schema sees it.
#[test]
fn integers_of_128_bits_have_the_bounds_of_what_arguments_carry() {
    let schema = compile::<Just<(i128, u128)>>();
    for (it, fits) in [
        (json!([i64::MIN, 0]), true),
        (json!([u64::MAX, u64::MAX]), true),
        (json!([0, 2_f64.powi(64)]), false),
        (json!([-1e19, 0]), false),
        (json!([0, -1]), false),
    ] {
        assert_eq!(schema.validate(&json!({"it": it})).is_ok(), fits, "{it}");
        assert!(!fits || decode::<Just<(i128, u128)>>(&json!({"it": it})).is_ok(), "{it}");
    }
}

#[test]
fn types_of_the_standard_library_are_as_closed_as_they_are() {
    check::<Duration>(
        &[json!({"secs": 1}), json!({"secs": 1, "nanos": 0, "ms": 0}), json!({"secs": -1, "nanos": 0})],
        &[json!({"secs": u64::MAX, "nanos": 999_999_999})],
    );
    check::<SystemTime>(
        &[json!({"secs_since_epoch": u64::MAX, "nanos_since_epoch": 0})],
        &[json!({"secs_since_epoch": i64::MAX, "nanos_since_epoch": 999_999_999})],
    );
    check::<RangeInclusive<u8>>(
        &[json!({"start": 1}), json!({"start": 1, "end": 2, "step": 1})],
        &[json!({"start": 2, "end": 1})],
    );
    check::<Bound<u8>>(
        &[json!({"Included": 1, "x": 2}), json!({}), json!("unbounded")],
        &[json!("Unbounded"), json!({"Excluded": 1})],
    );
    check::<Result<u8, String>>(&[json!({"Ok": 1, "Err": "x"}), json!({"Ok": 1, "x": 2})], &[json!({"Err": "x"})]);
    // More nanoseconds than a second has would be carried over; the schema does not let them in.
    let carried = json!({"it": {"secs": u64::MAX, "nanos": 1_000_000_000}});
    assert!(compile::<Just<Duration>>().validate(&carried).is_err() && decode::<Just<Duration>>(&carried).is_err());
}
