use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use crate::schema::format::{Numeric, numeric};
use crate::schema::number::compare;

/// Turns a numeric format into bounds.
pub(super) fn bound(members: &mut Map<String, Value>) {
    let Some((least, greatest)) = members.get("format").and_then(Value::as_str).and_then(bounds) else { return };
    members.remove("format");
    tighten(members, "minimum", least, Ordering::Less);
    tighten(members, "maximum", greatest, Ordering::Greater);
}

/// Sets a bound, unless a tighter one is declared.
pub(super) fn tighten(members: &mut Map<String, Value>, keyword: &str, bound: Option<Number>, looser: Ordering) {
    let Some(bound) = bound.map(Value::Number) else { return };
    if members.get(keyword).is_none_or(|declared| compare(declared, &bound) == Some(looser)) {
        members.insert(keyword.to_owned(), bound);
    }
}

/// What a Rust number holds, as far as 64-bit integers and doubles reach.
fn bounds(format: &str) -> Option<(Option<Number>, Option<Number>)> {
    let meaning = match format {
        // These are as wide as a pointer of the machine.
        "int" => Numeric::Integer(isize::MIN.try_into().ok()?, isize::MAX.try_into().ok()?),
        "uint" => Numeric::Integer(0, usize::MAX.try_into().ok()?),
        _ => numeric(format)?,
    };
    Some(match meaning {
        Numeric::Integer(least, greatest) => (
            Some(i64::try_from(least).unwrap_or(i64::MIN).into()),
            Some(u64::try_from(greatest).unwrap_or(u64::MAX).into()),
        ),
        Numeric::Float(greatest) if greatest < f64::MAX => (Number::from_f64(-greatest), Number::from_f64(greatest)),
        Numeric::Float(_) => (None, None),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::bound;

    fn bounded(mut schema: Value) -> Value {
        bound(schema.as_object_mut().unwrap());
        schema
    }

    #[test]
    fn a_format_becomes_the_bounds_that_a_number_of_it_has() {
        let greatest = f64::from(f32::MAX);
        for (schema, expected) in [
            (json!({"format": "int8"}), json!({"minimum": -128, "maximum": 127})),
            (json!({"format": "uint"}), json!({"minimum": 0, "maximum": usize::MAX})),
            (json!({"format": "int"}), json!({"minimum": isize::MIN, "maximum": isize::MAX})),
            (json!({"format": "uint128"}), json!({"minimum": 0, "maximum": u64::MAX})),
            (json!({"format": "float"}), json!({"minimum": -greatest, "maximum": greatest})),
            (json!({"format": "double"}), json!({})),
            (json!({"format": "date"}), json!({"format": "date"})),
            // A bound that is tighter stays.
            (json!({"format": "int8", "minimum": 0}), json!({"minimum": 0, "maximum": 127})),
            (json!({"format": "int8", "maximum": 1_000}), json!({"minimum": -128, "maximum": 127})),
        ] {
            assert_eq!(bounded(schema.clone()), expected, "{schema}");
        }
    }
}
