use std::cmp::Ordering;

use serde_json::Value;

/// Which of two JSON numbers is greater, without rounding integers of 64 bits; `None` when one is no number.
pub(super) fn compare(one: &Value, other: &Value) -> Option<Ordering> {
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

/// The integer that a JSON number is, when it is one: `3`, and `3.0` as well.
pub(super) fn whole(value: &Value) -> Option<i128> {
    if let Some(integer) = value.as_i64() {
        return Some(integer.into());
    }
    if let Some(integer) = value.as_u64() {
        return Some(integer.into());
    }
    let double = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e30)?;
    // With a precision all digits are written; without one, only as many as tell the double from its neighbours.
    format!("{double:.0}").parse().ok()
}

/// Whether one number is another, greater than 0, taken a whole number of times. Numbers that are no integers count as
/// the decimals that they are written as, so that 19.99 is a multiple of 0.01.
pub(super) fn is_multiple(value: &Value, step: &Value) -> bool {
    let (Some(value), Some(step)) = (Decimal::of(value), Decimal::of(step)) else { return false };
    let places = value.exponent - step.exponent;
    if value.digits == 0 {
        true
    } else if places < 0 {
        // The last digit of the value, which is not 0, is worth less than any digit of the step; or the value is an
        // integer, and the step greater than all of these.
        false
    } else {
        let rest = |digits: u128| digits.checked_rem(step.digits);
        let all = (0..places).try_fold(rest(value.digits), |left, _| Some(rest(left?.checked_mul(10)?)));
        all.flatten() == Some(0)
    }
}

/// The magnitude of a number: its digits, times ten to the power of the exponent. Digits are below 10^30.
struct Decimal {
    digits: u128,
    exponent: i32,
}

impl Decimal {
    fn of(value: &Value) -> Option<Self> {
        if let Some(integer) = whole(value) {
            return Some(Self { digits: integer.unsigned_abs(), exponent: 0 });
        }
        let written = format!("{:e}", value.as_f64()?.abs());
        let (mantissa, exponent) = written.split_once('e')?;
        let places = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let digits = mantissa.replace('.', "").parse().ok()?;
        Some(Self { digits, exponent: exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(places).ok()?)? })
    }
}

/// The same value, with every number that is an integer written as one: equal values become the same.
pub(super) fn normal(value: &Value) -> Value {
    match value {
        Value::Number(_) => {
            let integer = whole(value);
            let signed = integer.and_then(|integer| i64::try_from(integer).ok()).map(Value::from);
            let unsigned = || integer.and_then(|integer| u64::try_from(integer).ok()).map(Value::from);
            signed.or_else(unsigned).unwrap_or_else(|| value.clone())
        }
        Value::Array(items) => items.iter().map(normal).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), normal(member))).collect(),
        other => other.clone(),
    }
}

/// Equality of JSON values: numbers by value, members in any order.
pub(super) fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(_), Value::Number(_)) => compare(one, other) == Some(Ordering::Equal),
        (Value::Array(ones), Value::Array(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| equal(one, other))
        }
        (Value::Object(ones), Value::Object(others)) => {
            let same = |(name, one)| others.get(name).is_some_and(|other| equal(one, other));
            ones.len() == others.len() && ones.iter().all(same)
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{equal, is_multiple, normal, whole};

    #[test]
    fn integral_doubles_are_exact() {
        for (double, integer) in [
            (-9_223_372_036_854_775_808.0, i128::from(i64::MIN)),
            (18_446_744_073_709_551_616.0, i128::from(u64::MAX) + 1),
            (1_152_921_504_606_846_976.0, 1 << 60),
            (-0.0, 0),
        ] {
            assert_eq!(whole(&json!(double)), Some(integer), "{double}");
        }
        assert_eq!(whole(&json!(0.5)), None);
        assert!(whole(&json!(9e29)).is_some() && whole(&json!(1e30)).is_none() && whole(&json!(-1e30)).is_none());
    }

    #[test]
    fn multiples_are_exact() {
        for (value, step, expected) in [
            (json!(9_007_199_254_740_992_i64), json!(9_007_199_254_740_993_i64), false),
            (json!(u64::MAX - 1), json!(u64::MAX), false),
            (json!(u64::MAX), json!(5), true),
            (json!(i64::MIN), json!(3), false),
            (json!(-9), json!(3.0), true),
            (json!(0), json!(0.3), true),
            (json!(19.99), json!(0.01), true),
            (json!(0.3), json!(0.1), true),
            (json!(0.075), json!(0.01), false),
            (json!(0.5), json!(1), false),
            (json!(7.5), json!(2.5), true),
            (json!(12_391_239_123_i64), json!(1e-8), true),
            (json!(0.500_000_000_1), json!(1e-10), true),
            (json!(0.500_000_000_15), json!(1e-10), false),
            (json!(1e308), json!(0.5), true),
            (json!(1e308), json!(0.123_456_789), false),
            (json!(5e-324), json!(1e308), false),
            (json!(1e308), json!(5e-324), true),
            (json!(1.5), json!(0), false),
            (json!("6"), json!(3), false),
        ] {
            assert_eq!(is_multiple(&value, &step), expected, "{value} {step}");
        }
    }

    #[test]
    fn equal_values_have_one_normal_form() {
        for (one, other, same) in [
            (json!([1.0, {"a": -0.0}]), json!([1, {"a": 0}]), true),
            (json!(9_007_199_254_740_992.0), json!(9_007_199_254_740_992_u64), true),
            (json!(9_007_199_254_740_992.0), json!(9_007_199_254_740_993_u64), false),
            (json!(1e300), json!(1e300), true),
            (json!(1), json!(true), false),
            (json!(1), json!("1"), false),
        ] {
            assert_eq!(normal(&one) == normal(&other), same, "{one} {other}");
        }
    }

    #[test]
    fn numbers_are_equal_by_value() {
        for (one, other, same) in [
            (json!(1), json!(1.0), true),
            (json!([1, {"a": 2.0}]), json!([1.0, {"a": 2}]), true),
            (json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992_i64), false),
            (json!(u64::MAX), json!(-1), false),
            (json!(0.1), json!(0.2), false),
            (json!("1"), json!(1), false),
            (json!({"a": 1}), json!({"a": 1, "b": 1}), false),
            (json!([1]), json!([1, 1]), false),
        ] {
            assert_eq!(equal(&one, &other), same, "{one} {other}");
        }
    }
}
