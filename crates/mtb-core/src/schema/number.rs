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

    use super::{equal, whole};

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
