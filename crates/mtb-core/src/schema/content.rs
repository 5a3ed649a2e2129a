//! What a text holds by `contentEncoding` and `contentMediaType`. Only the names that are listed here can be checked.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::dialect::Dialect;
use super::engine::compile_alone;

pub(super) const ENCODING: &str = "contentEncoding";
pub(super) const MEDIA_TYPE: &str = "contentMediaType";
const SCHEMA: &str = "contentSchema";

/// The encodings of RFC 4648.
const ENCODINGS: [&str; 5] = ["base16", "base32", "base32hex", "base64", "base64url"];
const MEDIA_TYPES: [&str; 1] = ["application/json"];

/// The encoding and the media type of a text, as far as they are checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) encoding: Option<&'static str>,
    pub(super) media_type: Option<&'static str>,
}

/// Draft-07 is the dialect in which the engine checks them; others take over what it says.
static CHECKS: LazyLock<Vec<(Content, Validator)>> = LazyLock::new(|| {
    let media_types = MEDIA_TYPES.map(Some).into_iter().chain([None]);
    let all = media_types.flat_map(|media_type| {
        let encodings = ENCODINGS.map(Some).into_iter().chain([None]);
        encodings.map(move |encoding| Content { encoding, media_type })
    });
    all.filter_map(|content| Some((content, compile_alone(&content.schema(), Dialect::Draft7).ok()?))).collect()
});

impl Content {
    /// What a schema says about the content of texts.
    pub(super) fn of(keywords: &Map<String, Value>) -> Self {
        let known = |keyword: &str, names: &[&'static str]| {
            let declared = keywords.get(keyword).and_then(Value::as_str);
            names.iter().copied().find(|name| Some(*name) == declared)
        };
        Self { encoding: known(ENCODING, &ENCODINGS), media_type: known(MEDIA_TYPE, &MEDIA_TYPES) }
    }

    /// The same without the media type.
    pub(super) fn encoding_only(self) -> Self {
        Self { media_type: None, ..self }
    }

    /// Whether a value that is a text holds that. Other values hold nothing.
    pub(super) fn admits(self, value: &Value) -> bool {
        // The engine reads texts that are padded more than once as if they were put together.
        let is_padded_inside = |text: &str| text.trim_end_matches('=').contains('=');
        if self.encoding.is_some() && value.as_str().is_some_and(is_padded_inside) {
            return false;
        }
        CHECKS.iter().find(|(content, _)| *content == self).is_some_and(|(_, check)| check.is_valid(value))
    }

    fn schema(self) -> Value {
        let said = [(ENCODING, self.encoding), (MEDIA_TYPE, self.media_type)];
        said.into_iter().filter_map(|(keyword, name)| Some((keyword.to_owned(), json!(name?)))).collect()
    }
}

/// The names that a keyword about content may hold and that are checked; `None` for any other keyword.
pub(super) fn known(keyword: &str) -> Option<&'static [&'static str]> {
    match keyword {
        ENCODING => Some(&ENCODINGS),
        MEDIA_TYPE => Some(&MEDIA_TYPES),
        SCHEMA => Some(&[]),
        _ => None,
    }
}

/// Whether a keyword about content holds something that nothing checks.
pub(super) fn is_unchecked(keyword: &str, value: &Value) -> bool {
    known(keyword).is_some_and(|names| !value.as_str().is_some_and(|name| names.contains(&name)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{CHECKS, Content, ENCODINGS, MEDIA_TYPES};

    #[test]
    fn each_content_is_checked() {
        assert_eq!(CHECKS.len(), (ENCODINGS.len() + 1) * (MEDIA_TYPES.len() + 1));
        for (encoding, media_type, fits, refused) in [
            (Some("base64"), None, "aGk=", "aGk"),
            (Some("base64"), None, "+/8=", "-_8="),
            (Some("base64"), None, "aA==", "aGk=aGk="),
            (Some("base64"), None, "aA==", "aA==aGkh"),
            (Some("base64url"), None, "-_8=", "-_8=-_8="),
            (Some("base32"), None, "NBUQ====", "NBUQ====NBUQ===="),
            (Some("base32hex"), None, "D1KG====", "D1KG====D1KG===="),
            (Some("base64"), Some("application/json"), "MQ==", "MQ==MQ=="),
            (Some("base64url"), None, "-_8=", "+/8="),
            (Some("base32"), None, "NBUQ====", "NBUQ"),
            (Some("base32hex"), None, "D1KG====", "d1kg"),
            (Some("base16"), None, "6869", "686"),
            (None, Some("application/json"), "[1]", "[1"),
            (Some("base64"), Some("application/json"), "WzFd", "[1]"),
            (Some("base64"), Some("application/json"), "WzFd", "WzE="),
            (Some("base64"), Some("application/json"), "WzFd", "/w=="),
        ] {
            let keywords = json!({"contentEncoding": encoding, "contentMediaType": media_type});
            let content = Content::of(keywords.as_object().unwrap());
            assert_eq!((content.encoding, content.media_type), (encoding, media_type));
            assert!(content.admits(&json!(fits)), "{keywords} {fits}");
            assert!(!content.admits(&json!(refused)), "{keywords} {refused}");
            assert!(content.admits(&Value::Null) && content.admits(&json!([refused])), "{keywords}");
        }
    }
}
