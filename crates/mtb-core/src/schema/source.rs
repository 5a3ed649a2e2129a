use std::fmt;

use serde_json::Value;

/// Where a schema comes from.
///
/// ```
/// use mtb_core::{Schema, SchemaRole, SchemaSource};
///
/// let source = SchemaSource::text(r#"{"type": "object", "properties": {"to": {"type": "string"}}}"#);
/// assert!(Schema::compile(&source, SchemaRole::Arguments).is_ok());
/// ```
#[derive(Clone)]
pub struct SchemaSource(pub(super) Origin);

#[derive(Clone)]
pub(super) enum Origin {
    Text(Box<str>),
    Value(Value),
    #[cfg(feature = "schemars")]
    Derived(Value),
}

impl SchemaSource {
    /// A schema as JSON text. It reaches clients byte for byte, except that line breaks between its tokens become
    /// spaces, because a message is one line. Nothing is checked yet.
    #[must_use]
    pub fn text(schema: &str) -> Self {
        Self(Origin::Text(schema.into()))
    }

    /// A schema as a JSON value. It is written once, with the members of every object sorted by name.
    #[must_use]
    pub fn value(schema: Value) -> Self {
        Self(Origin::Value(schema))
    }

    /// The schema of a Rust type that is deserialised from JSON, as `schemars` derives it.
    ///
    /// Numeric formats (`uint32`, `int64`, `float`, …) become bounds, so that whatever the schema accepts, the type
    /// accepts. The root's `$schema` and `title` are dropped. Everything else is checked like any other schema: a type
    /// that is no JSON object, or that uses a format nobody checks, is refused when the schema is compiled.
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn derived<T: schemars::JsonSchema>() -> Self {
        Self(Origin::Derived(super::derived::schema_of::<T>()))
    }
}

impl fmt::Debug for SchemaSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Origin::Text(text) => write!(f, "SchemaSource::text({} bytes)", text.len()),
            Origin::Value(value) => write!(f, "SchemaSource::value({} bytes)", super::read::written(value).len()),
            #[cfg(feature = "schemars")]
            Origin::Derived(value) => write!(f, "SchemaSource::derived({} bytes)", super::read::written(value).len()),
        }
    }
}
