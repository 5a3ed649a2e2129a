use std::fmt;

use serde_json::Value;

use super::allowance::{Allowances, UnknownArguments};
use super::dialect::Dialect;
use super::problem::SchemaProblem;

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
    Derived(super::derived::Derived),
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
    /// It is as strict as the type: numeric formats (`uint32`, `int64`, `float`, …) become bounds, times without an
    /// offset a pattern, and what types of the standard library refuse is said. The root's `$schema` and `title` are
    /// dropped. Everything else is checked like any other schema, when it is compiled.
    ///
    /// A type that JSON cannot carry is refused then: one that is not always an object, one that uses a format nobody
    /// checks, and one with a map whose keys the schema accepts and the type does not, such as integers. To find such
    /// maps, the type is asked to read small values that fit the schema.
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn derived<T: schemars::JsonSchema + serde::de::DeserializeOwned>() -> Self {
        Self::of(Origin::Derived(super::derived::Derived::of::<T>()))
    }

    /// The schema of what a Rust type is serialised to, for structured results.
    ///
    /// ```
    /// use mtb_core::{Schema, SchemaRole, SchemaSource};
    ///
    /// #[derive(serde::Serialize, schemars::JsonSchema)]
    /// struct Count {
    ///     #[serde(default)]
    ///     open: u8,
    /// }
    ///
    /// let schema = Schema::compile(&SchemaSource::derived_output::<Count>(), SchemaRole::Output).unwrap();
    /// assert!(schema.validate(&serde_json::json!({"open": 3})).is_ok());
    /// assert!(schema.validate(&serde_json::json!({})).is_err());
    /// ```
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn derived_output<T: schemars::JsonSchema>() -> Self {
        Self::of(Origin::Value(super::derived::written_as::<T>()))
    }

    /// Lets the schema use these formats although nothing checks them; they stay annotations. To allow a format that is
    /// checked is a problem of the schema.
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
    /// `x-mcp-header` alone has to be the name of a header, of 128 characters at most, on a string, an integer or a boolean
    /// that a path of `properties` leads to: clients look for it nowhere else.
    /// A keyword of the schema's dialect is enforced all the same, and to allow one that every dialect has is a problem
    /// of the schema. Of `contentEncoding`, `contentMediaType` and `contentSchema`, this allows what cannot be checked:
    /// all but `base64` and the other encodings of RFC 4648, and `application/json`.
    #[must_use]
    pub fn allow_keywords(mut self, keywords: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.allowances.keywords.extend(keywords.into_iter().map(Into::into));
        self
    }

    /// Lets the schema declare a dialect that is not known, and reads it as one that is. To allow a dialect that is known
    /// is a problem of the schema.
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

    /// What came of the schema, with the problems of the type that it was derived from.
    pub(super) fn judge<C>(&self, checked: Result<C, Vec<SchemaProblem>>) -> Result<C, Vec<SchemaProblem>> {
        match &self.origin {
            Origin::Text(_) | Origin::Value(_) => checked,
            #[cfg(feature = "schemars")]
            Origin::Derived(derived) => derived.judge(checked),
        }
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
            Origin::Derived(derived) => {
                write!(f, "SchemaSource::derived({} bytes)", super::read::written(&derived.schema).len())
            }
        }
    }
}
