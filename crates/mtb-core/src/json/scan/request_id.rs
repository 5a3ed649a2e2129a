use std::fmt;
use std::hash::{Hash, Hasher};

use crate::json::escape::{read_string, write_string};
use crate::json::number::Number;

/// The id of a request: a string or an integer. Written back exactly as it came, compared by what it means.
///
/// ```
/// use mtb_core::json::RequestId;
///
/// let id = RequestId::from_json("1.0").unwrap();
/// assert_eq!(id.as_json(), "1.0");
/// assert_eq!(id, RequestId::from(1));
/// assert_ne!(id, RequestId::from("1"));
/// ```
///
/// `Debug` shows no more of a string than its length.
#[derive(Clone)]
pub struct RequestId {
    raw: Box<str>,
    value: IdValue,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum IdValue {
    Integer(i128),
    String(Box<str>),
}

impl RequestId {
    /// Longest string, in bytes of its decoded text.
    pub const MAX_BYTES: usize = 1_024;

    /// Reads an id from the text of one JSON value. `None` unless it is a string of at most
    /// [`MAX_BYTES`](Self::MAX_BYTES) or an integral number that 64 bits hold exactly.
    #[must_use]
    pub fn from_json(raw: &str) -> Option<Self> {
        let value = match raw.strip_prefix('"') {
            Some(_) => {
                read_string(raw).filter(|text| text.len() <= Self::MAX_BYTES).map(|text| IdValue::String(text.into()))
            }
            None => Number::parse(raw).ok().and_then(Number::to_integer).map(IdValue::Integer),
        }?;
        Some(Self { raw: raw.into(), value })
    }

    /// The id as JSON, exactly as it was received.
    #[must_use]
    pub fn as_json(&self) -> &str {
        &self.raw
    }

    /// The decoded text, if the id is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            IdValue::String(text) => Some(text),
            IdValue::Integer(_) => None,
        }
    }

    /// The number, if the id is one.
    #[must_use]
    pub fn as_integer(&self) -> Option<i128> {
        match &self.value {
            IdValue::String(_) => None,
            IdValue::Integer(integer) => Some(*integer),
        }
    }
}

impl From<i64> for RequestId {
    fn from(integer: i64) -> Self {
        Self { raw: integer.to_string().into(), value: IdValue::Integer(integer.into()) }
    }
}

impl From<&str> for RequestId {
    fn from(text: &str) -> Self {
        let mut raw = String::new();
        write_string(&mut raw, text);
        Self { raw: raw.into(), value: IdValue::String(text.into()) }
    }
}

impl PartialEq for RequestId {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for RequestId {}

impl PartialOrd for RequestId {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RequestId {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.value.cmp(&other.value)
    }
}

impl Hash for RequestId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            IdValue::Integer(integer) => write!(f, "RequestId({integer})"),
            IdValue::String(text) => write!(f, "RequestId({} bytes)", text.len()),
        }
    }
}
