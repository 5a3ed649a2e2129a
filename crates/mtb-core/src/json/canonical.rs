mod order;
mod read;
mod walk;
mod write;

use std::fmt;
use std::hash::{Hash, Hasher};

use serde_json::{Map, Value};

use super::{JsonError, Limits};
use crate::digest::Digest;

/// A JSON document in the one form in which arguments are hashed, confirmed, stored and handed to a tool.
///
/// Members are sorted and strings escaped as RFC 8785 says. Numbers go further, since through a double 2^53 and
/// 2^53 + 1 would be the same:
/// - an integer that 64 bits hold is exact, a wider one is refused;
/// - an integral double of magnitude below 2^53 *is* its integer: `1.0` is `1`, `-0` is `0`;
/// - any other double has the shortest digits that read back as it, as in ECMAScript, and an exponent if it is
///   integral, so that no text stands for two values.
///
/// ```
/// use mtb_core::CanonicalJson;
///
/// let canonical = |text| CanonicalJson::from_text(text, &Default::default()).unwrap();
/// let booking = canonical(r#"{"room": "\u0041", "guests": 2.0}"#);
/// assert_eq!(booking.as_str(), r#"{"guests":2,"room":"A"}"#);
/// assert_eq!(booking.digest(), canonical(r#"{"guests": 2, "room": "A"}"#).digest());
/// ```
///
/// Equality and hash are those of the text. `Debug` shows its length only.
#[derive(Clone)]
pub struct CanonicalJson {
    value: Value,
    // Always the text of `value`: only `read` and `walk` make the two, together.
    text: Box<str>,
}

impl CanonicalJson {
    /// Reads JSON text.
    ///
    /// ```
    /// use mtb_core::{CanonicalJson, json::JsonFault};
    ///
    /// let twice = CanonicalJson::from_text(r#"{"a": 1, "\u0061": 2}"#, &Default::default()).unwrap_err();
    /// assert_eq!(twice.fault, JsonFault::DuplicateKey);
    /// ```
    ///
    /// # Errors
    /// When the text is not JSON, passes a limit, names a member twice or holds a number that 64 bits or a double
    /// cannot hold. The first problem is reported, with its byte offset.
    pub fn from_text(text: &str, limits: &Limits) -> Result<Self, JsonError> {
        let (value, text) = read::document(text, limits)?;
        Ok(Self { value, text: text.into() })
    }

    /// The canonical form of a value: the same that its JSON text has.
    ///
    /// # Errors
    /// When the value passes a limit or holds a number that 64 bits or a double cannot hold, which a value only can
    /// when `serde_json` was built to keep numbers as text. The offset is 0.
    pub fn from_value(value: &Value, limits: &Limits) -> Result<Self, JsonError> {
        let (value, text) = walk::document(value, limits).map_err(|fault| JsonError { fault, offset: 0 })?;
        Ok(Self { value, text: text.into() })
    }

    /// `{}`, the arguments of a call that gives none.
    #[must_use]
    pub fn empty_object() -> Self {
        Self { value: Value::Object(Map::new()), text: "{}".into() }
    }

    /// The tree.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The tree, by value.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.value
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// SHA-256 of the canonical text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.text.as_bytes())
    }
}

impl PartialEq for CanonicalJson {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for CanonicalJson {}

impl Hash for CanonicalJson {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl fmt::Debug for CanonicalJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CanonicalJson({} bytes)", self.text.len())
    }
}
