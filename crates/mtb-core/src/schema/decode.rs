use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::{Number, Value};
use serde_path_to_error::{Path, Segment};

use super::issue::{Issue, segment};

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
/// When a hand-written `Deserialize` refuses what the schema accepts. The issue's path leads to the value that was
/// refused, or to the closest value around it where `serde` reads a whole value before it looks inside: in a flattened
/// field, and in an enum that is untagged or internally tagged. What `serde` says is not repeated, since it quotes
/// values.
///
/// ```
/// # #[derive(Debug, serde::Deserialize)] struct Route { hops: Vec<std::net::IpAddr> }
/// let sent = serde_json::json!({"hops": ["127.0.0.1", "home"]});
/// assert_eq!(mtb_core::decode::<Route>(&sent).unwrap_err().path, "/hops/1");
/// ```
pub fn decode<T: DeserializeOwned>(value: &Value) -> Result<T, Issue> {
    read(value).map_err(|refusal| Issue {
        path: refusal.path,
        message: "is not accepted by the tool's argument type".to_owned(),
        keyword: "type".to_owned(),
        declared: String::new(),
    })
}

/// Why a type does not read a value.
pub(super) struct Refusal {
    /// JSON Pointer to the closest value that is known.
    pub(super) path: String,
    /// What `serde` says, which quotes values.
    #[cfg_attr(not(feature = "schemars"), expect(dead_code, reason = "only derived schemas ask for it"))]
    pub(super) error: serde_json::Error,
}

pub(super) fn read<T: DeserializeOwned>(value: &Value) -> Result<T, Refusal> {
    let value = integers(value);
    serde_path_to_error::deserialize(&*value)
        .map_err(|error| Refusal { path: pointer(&value, error.path()), error: error.into_inner() })
}

/// Follows a path into the value, as far as the two agree.
fn pointer(root: &Value, path: &Path) -> String {
    let mut pointer = String::new();
    let mut at = root;
    for step in path {
        let (name, below) = match step {
            Segment::Seq { index } => (index.to_string(), at.get(index)),
            Segment::Map { key } => (key.clone(), at.get(key)),
            // A variant without content is a text, which has no place below.
            Segment::Enum { variant } => (variant.clone(), at.get(variant)),
            Segment::Unknown => break,
        };
        let Some(below) = below else { break };
        pointer.push_str(&segment(&name));
        at = below;
    }
    pointer
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
