use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Number, Value};

use super::number::compare;

/// The schema of a type, without what is not a statement about its values.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize().with(|settings| settings.meta_schema = None);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Value::Object(members) = &mut schema {
        members.remove("$schema");
        members.remove("title");
    }
    bound_schema(&mut schema);
    schema
}

/// Turns numeric formats into bounds in this schema and everywhere below it.
fn bound_schema(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    bound_numbers(members);
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(schemas)) => {
                schemas.values_mut().for_each(bound_schema);
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(bound_schema);
            }
            (
                "items"
                | "contains"
                | "additionalProperties"
                | "propertyNames"
                | "unevaluatedProperties"
                | "unevaluatedItems"
                | "not"
                | "if"
                | "then"
                | "else",
                inner,
            ) => bound_schema(inner),
            _ => {}
        }
    }
}

fn bound_numbers(members: &mut Map<String, Value>) {
    let Some((least, greatest)) = members.get("format").and_then(Value::as_str).and_then(bounds) else { return };
    members.remove("format");
    tighten(members, "minimum", least, std::cmp::Ordering::Less);
    tighten(members, "maximum", greatest, std::cmp::Ordering::Greater);
}

fn tighten(members: &mut Map<String, Value>, keyword: &str, bound: Option<Number>, looser: std::cmp::Ordering) {
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
        "int64" | "int" => (Some(i64::MIN.into()), Some(i64::MAX.into())),
        "int128" => (Some(i64::MIN.into()), Some(u64::MAX.into())),
        "uint8" => (Some(0.into()), Some(u8::MAX.into())),
        "uint16" => (Some(0.into()), Some(u16::MAX.into())),
        "uint32" => (Some(0.into()), Some(u32::MAX.into())),
        "uint64" | "uint" | "uint128" => (Some(0.into()), Some(u64::MAX.into())),
        "float" => (Number::from_f64(f32::MIN.into()), Number::from_f64(f32::MAX.into())),
        "double" => (None, None),
        _ => return None,
    })
}
