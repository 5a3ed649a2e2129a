use std::fmt;

use serde_json::Value;

use super::allowance::{Allowances, UnknownArguments};
use super::dialect::Dialect;

/// Where a schema comes from.
///
/// ```
/// use mtb_core::{Schema, SchemaRole, SchemaSource};
///
/// let source = SchemaSource::text(r#"{"type": "object", "properties": {"to": {"type": "string"}}}"#);
/// assert!(Schema::compile(&source, SchemaRole::Arguments).is_ok());
/// ```
#[derive(Clone)]
pub struct SchemaSource {
    pub(super) origin: Origin,
    pub(super) allowances: Allowances,
    pub(super) unknown_arguments: UnknownArguments,
}

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
        Self::of(Origin::Text(schema.into()))
    }

    /// A schema as a JSON value. It is written once, with the members of every object sorted by name.
    #[must_use]
    pub fn value(schema: Value) -> Self {
        Self::of(Origin::Value(schema))
    }

    /// The schema of a Rust type that is deserialised from JSON, as `schemars` derives it.
    ///
    /// Numeric formats (`uint32`, `int64`, `float`, …) become bounds, so that whatever the schema accepts, the type
    /// accepts. The root's `$schema` and `title` are dropped. Everything else is checked like any other schema: a type
    /// that is no JSON object, or that uses a format nobody checks, is refused when the schema is compiled.
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn derived<T: schemars::JsonSchema>() -> Self {
        Self::of(Origin::Derived(super::derived::schema_of::<T>()))
    }

    /// Lets the schema use these formats although nothing checks them; they stay annotations. A format that is known
    /// is checked all the same.
    ///
    /// ```
    /// use mtb_core::{Schema, SchemaRole, SchemaSource};
    ///
    /// let text = r#"{"type": "object", "properties": {"query": {"type": "string", "format": "sql"}}}"#;
    /// assert!(Schema::compile(&SchemaSource::text(text), SchemaRole::Arguments).is_err());
    /// let schema = Schema::compile(&SchemaSource::text(text).allow_formats(["sql"]), SchemaRole::Arguments).unwrap();
    /// assert_eq!(schema.allowances().to_string(), "formats `sql`");
    /// ```
    #[must_use]
    pub fn allow_formats(mut self, formats: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.allowances.formats.extend(formats.into_iter().map(Into::into));
        self
    }

    /// Lets the schema hold these keywords although nothing enforces them; they stay annotations, whatever they hold.
    /// A keyword of the schema's dialect is enforced all the same.
    #[must_use]
    pub fn allow_keywords(mut self, keywords: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.allowances.keywords.extend(keywords.into_iter().map(Into::into));
        self
    }

    /// Lets the schema declare a dialect that is not known, and reads it as one that is. A dialect that is known is
    /// read as itself all the same.
    #[must_use]
    pub fn allow_dialect(mut self, uri: impl Into<String>, read_as: Dialect) -> Self {
        self.allowances.dialects.insert(uri.into(), read_as);
        self
    }

    /// What is done about arguments that the root of the schema does not declare.
    #[must_use]
    pub fn unknown_arguments(mut self, unknown_arguments: UnknownArguments) -> Self {
        self.unknown_arguments = unknown_arguments;
        self
    }

    fn of(origin: Origin) -> Self {
        Self { origin, allowances: Allowances::default(), unknown_arguments: UnknownArguments::default() }
    }
}

impl fmt::Debug for SchemaSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Origin::Text(text) => write!(f, "SchemaSource::text({} bytes)", text.len()),
            Origin::Value(value) => write!(f, "SchemaSource::value({} bytes)", super::read::written(value).len()),
            #[cfg(feature = "schemars")]
            Origin::Derived(value) => write!(f, "SchemaSource::derived({} bytes)", super::read::written(value).len()),
        }
    }
}
