//! Keywords that are checked here, because the engine rounds or leaves them out.

use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::{Map, Value};

use super::content::{Content, ENCODING, MEDIA_TYPE};
use super::number::is_multiple;

/// Puts them in the place of the engine's own.
pub(super) fn with_overrides(options: ValidationOptions<'static>) -> ValidationOptions<'static> {
    options
        .with_keyword("multipleOf", |_: &Map<String, Value>, step: &Value, _| ours(Override::MultipleOf(step.clone())))
        .with_keyword(ENCODING, |schema: &Map<String, Value>, _: &Value, _| {
            ours(Override::Content(Content::of(schema).encoding_only()))
        })
        .with_keyword(MEDIA_TYPE, |schema: &Map<String, Value>, _: &Value, _| {
            ours(Override::Content(Content::of(schema)))
        })
}

type Boxed = Box<dyn for<'i> Keyword<'i>>;

#[expect(clippy::unnecessary_wraps, reason = "the engine expects a keyword that may not be made")]
fn ours(keyword: Override) -> Result<Boxed, ValidationError<'static>> {
    Ok(Box::new(keyword))
}

enum Override {
    MultipleOf(Value),
    Content(Content),
}

impl Override {
    fn admits(&self, value: &Value) -> bool {
        match self {
            Self::MultipleOf(step) => !value.is_number() || is_multiple(value, step),
            Self::Content(content) => content.admits(value),
        }
    }
}

impl<'i> Keyword<'i> for Override {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.admits(instance) { Ok(()) } else { Err(ValidationError::custom("does not fit the keyword")) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.admits(instance)
    }
}
