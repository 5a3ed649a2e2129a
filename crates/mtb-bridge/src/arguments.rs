use std::fmt;

use mtb_core::{CanonicalJson, Dialect, Issue, SchemaSource, UnknownArguments};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// Where the schema of a tool's arguments comes from, and what its handler gets once they are validated.
pub trait ArgumentSource: Send + Sync + 'static {
    /// What the handler gets.
    type Arguments: Send + 'static;

    /// The schema that is shown to clients and enforced on every call.
    fn schema(&self) -> SchemaSource;

    /// Turns validated arguments into what the handler gets.
    ///
    /// # Errors
    /// When the type behind it refuses what the schema allows; the issue says where, without the value.
    fn decode(&self, arguments: &CanonicalJson) -> Result<Self::Arguments, Issue>;
}

/// An argument schema written as JSON Schema, in 2020-12 unless it declares another dialect. The handler gets [`Arguments`].
///
/// ```
/// use mtb_bridge::JsonSchema;
///
/// let from_value = JsonSchema::value(serde_json::json!({"type": "object", "properties": {}}));
/// let from_text = JsonSchema::text(r#"{"type": "object", "properties": {}}"#);
/// # let _ = (from_value, from_text);
/// ```
#[derive(Debug, Clone)]
pub struct JsonSchema(SchemaSource);

impl JsonSchema {
    /// A schema as a value.
    #[must_use]
    pub fn value(schema: Value) -> Self {
        Self(SchemaSource::value(schema))
    }

    /// A schema as text. Clients get it as it is written.
    #[must_use]
    pub fn text(schema: &str) -> Self {
        Self(SchemaSource::text(schema))
    }

    /// Lets the schema use these formats although nothing checks them. See [`SchemaSource::allow_formats`].
    #[must_use]
    pub fn allow_formats(self, formats: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(self.0.allow_formats(formats))
    }

    /// Lets the schema hold these keywords although nothing enforces them. See [`SchemaSource::allow_keywords`].
    #[must_use]
    pub fn allow_keywords(self, keywords: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(self.0.allow_keywords(keywords))
    }

    /// Reads a schema that declares a foreign dialect as one that is known. See [`SchemaSource::allow_dialect`].
    #[must_use]
    pub fn allow_dialect(self, uri: impl Into<String>, read_as: Dialect) -> Self {
        Self(self.0.allow_dialect(uri, read_as))
    }

    /// What is done about arguments that the schema does not declare. See [`UnknownArguments`].
    ///
    /// ```
    /// use mtb_bridge::{ArgumentSource, JsonSchema};
    /// use mtb_core::{Schema, SchemaRole, UnknownArguments};
    /// use serde_json::json;
    ///
    /// let declared = JsonSchema::text(r#"{"type": "object", "properties": {"to": {"type": "string"}}}"#);
    /// let closed = declared.unknown_arguments(UnknownArguments::Refuse);
    /// let schema = Schema::compile(&closed.schema(), SchemaRole::Arguments).unwrap();
    /// assert!(schema.validate(&json!({"to": "a", "bcc": "b"})).is_err());
    /// ```
    #[must_use]
    pub fn unknown_arguments(self, unknown_arguments: UnknownArguments) -> Self {
        Self(self.0.unknown_arguments(unknown_arguments))
    }

    /// The schema of a tool that takes no arguments at all.
    #[must_use]
    pub fn no_arguments() -> Self {
        Self::value(json!({"type": "object", "properties": {}, "additionalProperties": false}))
    }
}

impl ArgumentSource for JsonSchema {
    type Arguments = Arguments;

    fn schema(&self) -> SchemaSource {
        self.0.clone()
    }

    fn decode(&self, arguments: &CanonicalJson) -> Result<Arguments, Issue> {
        match arguments.value() {
            Value::Object(members) => Ok(Arguments(members.clone())),
            _ => Ok(Arguments(Map::new())),
        }
    }
}

/// Validated arguments, by name.
#[derive(Clone, PartialEq)]
pub struct Arguments(Map<String, Value>);

/// An argument that the handler wants and the schema did not promise.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the handler wants `{name}` as {wanted}, which the schema does not make certain; declare its type and require it"
)]
pub struct MissingArgument {
    name: String,
    wanted: &'static str,
}

impl Arguments {
    /// A value, if it was given.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// A text.
    ///
    /// # Errors
    /// When it was not given or is no string. A schema that requires a string makes that impossible.
    pub fn string(&self, name: &str) -> Result<&str, MissingArgument> {
        self.wanted(name, "a string", Value::as_str)
    }

    /// An integer.
    ///
    /// # Errors
    /// When it was not given or is no integer of 64 bits.
    pub fn integer(&self, name: &str) -> Result<i64, MissingArgument> {
        self.wanted(name, "an integer", Value::as_i64)
    }

    /// A number.
    ///
    /// # Errors
    /// When it was not given or is no number.
    pub fn number(&self, name: &str) -> Result<f64, MissingArgument> {
        self.wanted(name, "a number", Value::as_f64)
    }

    /// A truth value.
    ///
    /// # Errors
    /// When it was not given or is no boolean.
    pub fn boolean(&self, name: &str) -> Result<bool, MissingArgument> {
        self.wanted(name, "a boolean", Value::as_bool)
    }

    /// All of them.
    #[must_use]
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    /// All of them, as one JSON object.
    #[must_use]
    pub fn into_value(self) -> Value {
        Value::Object(self.0)
    }

    fn wanted<'a, T>(
        &'a self,
        name: &str,
        wanted: &'static str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<T, MissingArgument> {
        self.get(name).and_then(read).ok_or_else(|| MissingArgument { name: name.to_owned(), wanted })
    }
}

/// Says how many there are, never what they are.
impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Arguments({} members)", self.0.len())
    }
}

/// Arguments of a Rust type: its schema is derived, and the handler gets the type.
///
/// The schema is as strict as the type. A struct that is not `deny_unknown_fields` takes arguments that it does not
/// declare, and so does its schema: deny them on the type, or with
/// [`unknown_arguments`](Self::unknown_arguments). An `alias` is no part of the schema: callers read the name, and with
/// unknown arguments denied only the name is taken.
///
/// Types of other crates come with features of this one: `chrono`, `url` and `uuid`, for types that are deserialised
/// with the `serde` feature of those crates.
///
/// ```
/// use mtb_bridge::{ArgumentSource, Typed};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Booking {
///     guests: u8,
/// }
///
/// let arguments = mtb_core::CanonicalJson::from_text(r#"{"guests": 2}"#, &Default::default()).unwrap();
/// let booking = Typed::<Booking>::new().decode(&arguments).unwrap();
/// assert_eq!(booking.guests, 2);
/// ```
///
/// # How it fails
/// A type that JSON cannot carry is a definition error of the tool: see [`SchemaSource::derived`]. A value that the
/// schema accepts and a hand-written `Deserialize` refuses is an invalid argument, at its place and without the value.
#[cfg(feature = "schemars")]
pub struct Typed<T> {
    unknown_arguments: UnknownArguments,
    arguments: std::marker::PhantomData<fn() -> T>,
}

#[cfg(feature = "schemars")]
impl<T> Typed<T> {
    /// The arguments of a tool are a `T`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a declaration names its argument type in full")]
    pub fn new() -> Self {
        Self { unknown_arguments: UnknownArguments::AsDeclared, arguments: std::marker::PhantomData }
    }

    /// What is done about arguments that the type does not declare. See [`UnknownArguments`].
    #[must_use]
    pub fn unknown_arguments(mut self, unknown_arguments: UnknownArguments) -> Self {
        self.unknown_arguments = unknown_arguments;
        self
    }
}

#[cfg(feature = "schemars")]
impl<T> ArgumentSource for Typed<T>
where
    T: serde::de::DeserializeOwned + schemars::JsonSchema + Send + 'static,
{
    type Arguments = T;

    fn schema(&self) -> SchemaSource {
        SchemaSource::derived::<T>().unknown_arguments(self.unknown_arguments)
    }

    fn decode(&self, arguments: &CanonicalJson) -> Result<T, Issue> {
        mtb_core::decode(arguments.value())
    }
}
