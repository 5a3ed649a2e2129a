use std::fmt;

use mtb_bridge::JsonSchema;
use mtb_core::json::{batch_items, whole_object};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

/// Tool definitions as somebody else wrote them: JSON text or a JSON value, not yet read.
///
/// From text, the schemas reach clients byte for byte; from a value, they are written once, members sorted by name.
#[derive(Clone, Copy)]
pub struct Definitions<'d>(pub(crate) Source<'d>);

#[derive(Clone, Copy)]
pub(crate) enum Source<'d> {
    Text(&'d str),
    Value(&'d Value),
}

impl<'d> From<&'d str> for Definitions<'d> {
    fn from(text: &'d str) -> Self {
        Self(Source::Text(text))
    }
}

impl<'d> From<&'d String> for Definitions<'d> {
    fn from(text: &'d String) -> Self {
        Self(Source::Text(text))
    }
}

impl<'d> From<&'d Value> for Definitions<'d> {
    fn from(value: &'d Value) -> Self {
        Self(Source::Value(value))
    }
}

impl fmt::Debug for Definitions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Source::Text(_) => "Definitions(text)",
            Source::Value(_) => "Definitions(value)",
        })
    }
}

/// A part of a JSON document, as text that keeps its bytes or as a value.
#[derive(Clone, Copy)]
pub(crate) enum Part<'d> {
    /// Exactly one value.
    Text(&'d str),
    Value(&'d Value),
}

/// Why a text is not JSON.
pub(crate) struct NotJson {
    /// What is wrong, to be said of the text; the place is counted from 1.
    pub(crate) problem: String,
    /// What to do about it, where that is clear.
    pub(crate) remedy: Option<&'static str>,
}

impl NotJson {
    fn of(text: &str, error: &serde_json::Error) -> Self {
        if text.starts_with('\u{feff}') {
            let problem = "not JSON: the text begins with a byte order mark".to_owned();
            return Self { problem, remedy: Some("save it as UTF-8 without a byte order mark") };
        }
        if text.trim().is_empty() {
            return Self { problem: "not JSON: the text is empty".to_owned(), remedy: None };
        }
        let (line, column, reason) = (error.line(), error.column(), error.to_string());
        let reason = reason.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&reason);
        Self {
            problem: format!("not valid JSON (line {line}, column {column}): {reason}"),
            remedy: Some("correct it there"),
        }
    }
}

impl<'d> Part<'d> {
    pub(crate) fn read(source: Source<'d>) -> Result<Self, NotJson> {
        match source {
            Source::Value(value) => Ok(Self::Value(value)),
            Source::Text(text) => {
                serde_json::from_str::<IgnoredAny>(text).map_err(|error| NotJson::of(text, &error))?;
                Ok(Self::Text(text.trim_ascii()))
            }
        }
    }

    /// The items, if it is an array.
    pub(crate) fn items(self) -> Option<Vec<Self>> {
        match self {
            Self::Text(text) if text.starts_with('[') => {
                batch_items(text.as_bytes()).map(|span| text.get(span).map(Self::Text)).collect()
            }
            Self::Text(_) => None,
            Self::Value(value) => Some(value.as_array()?.iter().map(Self::Value).collect()),
        }
    }

    /// The members in the order of the document, if it is an object. A name may stand in it twice.
    pub(crate) fn members(self) -> Option<Vec<(String, Self)>> {
        match self {
            Self::Text(text) => {
                let members = whole_object(text)?.into_iter();
                members.map(|(name, span)| Some((name.into_owned(), Self::Text(text.get(span)?)))).collect()
            }
            Self::Value(value) => {
                let members = value.as_object()?.iter();
                Some(members.map(|(name, member)| (name.clone(), Self::Value(member))).collect())
            }
        }
    }

    pub(crate) fn is_null(self) -> bool {
        match self {
            Self::Text(text) => text == "null",
            Self::Value(value) => value.is_null(),
        }
    }

    /// A string, a boolean, a number or a list of these, if that is what it is.
    pub(crate) fn scalar<T: DeserializeOwned>(self) -> Option<T> {
        match self {
            Self::Text(text) => serde_json::from_str(text).ok(),
            Self::Value(value) => T::deserialize(value).ok(),
        }
    }

    pub(crate) fn schema(self) -> JsonSchema {
        match self {
            Self::Text(text) => JsonSchema::text(text),
            Self::Value(value) => JsonSchema::value(value.clone()),
        }
    }
}
