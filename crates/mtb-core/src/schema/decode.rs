use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use super::issue::Issue;

/// Deserialises a value that a derived schema accepted.
///
/// A number without a fraction counts as an integer, as it does in JSON Schema, however it is written.
///
/// ```
/// # #[derive(serde::Deserialize)] struct Mail { copies: u8 }
/// let mail: Mail = mtb_core::decode(&serde_json::json!({"copies": 2.0})).unwrap();
/// assert_eq!(mail.copies, 2);
/// ```
///
/// # Errors
/// When a hand-written `Deserialize` refuses what the schema accepts. The issue names the whole value and does not
/// repeat what `serde` says, since that quotes values.
pub fn decode<T: DeserializeOwned>(value: &Value) -> Result<T, Issue> {
    T::deserialize(&*integers(value)).map_err(|_| Issue {
        path: String::new(),
        message: "is not accepted by the tool's argument type".to_owned(),
        keyword: "type".to_owned(),
        declared: String::new(),
    })
}

/// The value, with every number that is a 64-bit integer written as one.
fn integers(value: &Value) -> Cow<'_, Value> {
    if has_integral_double(value) { Cow::Owned(with_integers(value)) } else { Cow::Borrowed(value) }
}

fn has_integral_double(value: &Value) -> bool {
    match value {
        Value::Number(number) => integer(number).is_some(),
        Value::Array(items) => items.iter().any(has_integral_double),
        Value::Object(members) => members.values().any(has_integral_double),
        _ => false,
    }
}

fn with_integers(value: &Value) -> Value {
    match value {
        Value::Number(number) => integer(number).map_or_else(|| value.clone(), Value::Number),
        Value::Array(items) => items.iter().map(with_integers).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, member)| (name.clone(), with_integers(member))).collect())
        }
        _ => value.clone(),
    }
}

fn integer(number: &Number) -> Option<Number> {
    if number.is_i64() || number.is_u64() {
        return None;
    }
    let whole = super::number::whole(&Value::Number(number.clone()))?;
    i64::try_from(whole).map(Number::from).or_else(|_| u64::try_from(whole).map(Number::from)).ok()
}
