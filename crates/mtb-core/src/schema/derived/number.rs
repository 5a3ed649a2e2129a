use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

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
    Some(match format {
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        "int64" => (Some(i64::MIN.into()), Some(i64::MAX.into())),
        "int" => (i64::try_from(isize::MIN).ok().map(Number::from), i64::try_from(isize::MAX).ok().map(Number::from)),
        "int128" => (Some(i64::MIN.into()), Some(u64::MAX.into())),
        "uint8" => (Some(0.into()), Some(u8::MAX.into())),
        "uint16" => (Some(0.into()), Some(u16::MAX.into())),
        "uint32" => (Some(0.into()), Some(u32::MAX.into())),
        "uint" => (Some(0.into()), u64::try_from(usize::MAX).ok().map(Number::from)),
        "uint64" | "uint128" => (Some(0.into()), Some(u64::MAX.into())),
        "float" => (Number::from_f64(f32::MIN.into()), Number::from_f64(f32::MAX.into())),
        "double" => (None, None),
        _ => return None,
    })
}
