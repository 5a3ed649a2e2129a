use std::borrow::Cow;
use std::ops::Range;

use super::escape::{plain_run, read_string};

/// The members of an object, in the order of its text.
///
/// See [`members`].
#[derive(Debug, Clone)]
pub struct Members<'t> {
    text: &'t str,
    items: Items<'t>,
}

/// Where the members of an object stand: each with its decoded name and the byte range of its value, exactly the value.
///
/// The text must be one that a scan accepted, or found at fault with single values only. Of any other text, or of a
/// value that is no object, it gives some members or none.
///
/// ```
/// let params = r#"{"name": "pay", "arguments" : {"cents":1.50} , "_meta":null}"#;
/// let members: Vec<_> = mtb_core::json::members(params).map(|(name, span)| (name, &params[span])).collect();
/// assert_eq!(members, [("name".into(), r#""pay""#), ("arguments".into(), r#"{"cents":1.50}"#), ("_meta".into(), "null")]);
/// ```
#[must_use]
pub fn members(text: &str) -> Members<'_> {
    Members { text, items: Items::of(text.as_bytes(), b'{') }
}

impl<'t> Iterator for Members<'t> {
    type Item = (Cow<'t, str>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let name = self.items.next()?;
        let name = read_string(self.text.get(name)?)?;
        let value = self.items.next()?;
        Some((name, value))
    }
}

/// The values in an array or object, as byte ranges of its text.
///
/// See [`batch_items`].
#[derive(Debug, Clone)]
pub struct Items<'t> {
    bytes: &'t [u8],
    at: usize,
}

/// Where the items of an array stand: the messages of a batch, each to be scanned by itself.
///
/// The text must be one that a scan accepted, or found at fault with single values only. Of any other text, or of a
/// value that is no array, it gives some ranges or none.
///
/// ```
/// let batch = br#" [ {"id":1}, 7 ]"#;
/// let items: Vec<_> = mtb_core::json::batch_items(batch).map(|span| &batch[span]).collect();
/// assert_eq!(items, [br#"{"id":1}"#.as_slice(), b"7"]);
/// ```
#[must_use]
pub fn batch_items(text: &[u8]) -> Items<'_> {
    Items::of(text, b'[')
}

/// The JSON of the first member of this name. The text is as [`members`] takes it.
///
/// ```
/// assert_eq!(mtb_core::json::member(r#"{"a": [1], "b": 2}"#, "a"), Some("[1]"));
/// assert_eq!(mtb_core::json::member("[1]", "a"), None);
/// ```
#[must_use]
pub fn member<'t>(object: &'t str, name: &str) -> Option<&'t str> {
    members(object).find(|(found, _)| found == name).and_then(|(_, span)| object.get(span))
}

/// All [`members`] of an object. `None` where the name of one is no text (half of a surrogate pair), or the value is no
/// object: [`members`] end there.
///
/// ```
/// use mtb_core::json::whole_object;
///
/// assert_eq!(whole_object(r#"{"a": 1, "b": 2}"#).unwrap().len(), 2);
/// assert_eq!(whole_object(r#"{"a": 1, "\ud800": 2}"#), None);
/// assert_eq!(whole_object("[1]"), None);
/// ```
#[must_use]
pub fn whole_object(text: &str) -> Option<Vec<(Cow<'_, str>, Range<usize>)>> {
    let all: Vec<_> = members(text).collect();
    let is_whole =
        text.trim_ascii_start().starts_with('{') && 2 * all.len() == Items::of(text.as_bytes(), b'{').count();
    is_whole.then_some(all)
}

impl<'t> Items<'t> {
    fn of(bytes: &'t [u8], bracket: u8) -> Self {
        let start = bytes.iter().position(|byte| !is_space(*byte)).filter(|at| bytes.get(*at) == Some(&bracket));
        Self { bytes, at: start.map_or(bytes.len(), |start| start + 1) }
    }

    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }
}

impl Iterator for Items<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        self.at += self.rest().iter().position(|byte| !is_space(*byte) && !matches!(byte, b',' | b':'))?;
        let start = self.at;
        let length = value_length(self.rest());
        if length == 0 {
            self.at = self.bytes.len();
            return None;
        }
        self.at += length;
        Some(start..self.at)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// How many bytes the value takes that these bytes start with; 0 when none does.
fn value_length(bytes: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at += string_length(bytes.get(at..).unwrap_or_default()),
            b'[' | b'{' => {
                depth += 1;
                at += 1;
            }
            b']' | b'}' if depth == 0 => return at,
            b']' | b'}' => {
                depth -= 1;
                at += 1;
            }
            _ if depth == 0 => return scalar_length(bytes),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    at
}

fn scalar_length(bytes: &[u8]) -> usize {
    let ends = |byte: &u8| is_space(*byte) || matches!(byte, b',' | b':' | b']' | b'}');
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

/// How many bytes a string takes, from quote to quote.
fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let run = plain_run(rest);
        match rest.get(run) {
            Some(b'"') => return at + run + 1,
            Some(b'\\') => at += run + 2,
            Some(_) => at += run + 1,
            None => return bytes.len(),
        }
    }
}
