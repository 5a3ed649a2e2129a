use std::borrow::Cow;
use std::fmt;

use serde_json::Value;
use thiserror::Error;

/// One reference token of a JSON Pointer, escaped: `~` as `~0`, `/` as `~1` (RFC 6901, section 3).
#[must_use]
pub fn escape_token(token: &str) -> Cow<'_, str> {
    if token.contains(['~', '/']) {
        Cow::Owned(token.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(token)
    }
}

/// A JSON Pointer (RFC 6901) that says what the audit may keep. A segment `*` stands for every member or item.
///
/// ```
/// use mtb_core::KeepPointer;
///
/// let ids = KeepPointer::new("/messages/*/id").unwrap();
/// let value = serde_json::json!({"messages": [{"id": 1}, {"id": 2}]});
/// assert_eq!(ids.find(&value).count(), 2);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct KeepPointer {
    text: Box<str>,
    segments: Box<[Segment]>,
}

#[derive(Clone, PartialEq, Eq)]
enum Segment {
    Any,
    Key(Box<str>),
}

/// Why a text is not such a pointer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PointerError {
    /// Empty text would keep the whole document.
    #[error("the empty pointer would keep everything: name the fields to keep")]
    Everything,
    /// A pointer starts with `/`.
    #[error("a JSON Pointer starts with `/`")]
    NoSlash,
    /// `~` is followed by something other than `0` or `1`.
    #[error("`~` is written `~0` and `/` is written `~1` inside a segment")]
    BadEscape,
    /// A segment without a name.
    #[error("a segment of the pointer is empty")]
    EmptySegment,
}

impl KeepPointer {
    /// Reads a pointer.
    ///
    /// # Errors
    /// When the text is empty, does not start with `/`, has an empty segment or an escape other than `~0` and `~1`.
    pub fn new(text: &str) -> Result<Self, PointerError> {
        if text.is_empty() {
            return Err(PointerError::Everything);
        }
        let path = text.strip_prefix('/').ok_or(PointerError::NoSlash)?;
        let segments = path.split('/').map(Segment::read).collect::<Result<_, _>>()?;
        Ok(Self { text: text.into(), segments })
    }

    /// The pointer as declared.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it may find more than one value.
    #[must_use]
    pub fn is_wild(&self) -> bool {
        self.segments.contains(&Segment::Any)
    }

    /// The segments; `None` stands for `*`.
    pub fn segments(&self) -> impl Iterator<Item = Option<&str>> {
        self.segments.iter().map(|segment| match segment {
            Segment::Any => None,
            Segment::Key(key) => Some(&**key),
        })
    }

    /// Every value it finds, in document order.
    pub fn find<'v>(&self, value: &'v Value) -> impl Iterator<Item = &'v Value> {
        Matches { pending: vec![(value, &*self.segments)] }
    }
}

impl Segment {
    fn read(text: &str) -> Result<Self, PointerError> {
        let bad_escape = || text.split('~').skip(1).any(|rest| !rest.starts_with(['0', '1']));
        match text {
            "" => Err(PointerError::EmptySegment),
            "*" => Ok(Self::Any),
            _ if bad_escape() => Err(PointerError::BadEscape),
            _ => Ok(Self::Key(text.replace("~1", "/").replace("~0", "~").into())),
        }
    }
}

/// Walks depth first, so that a caller who stops early has paid only for what it took.
struct Matches<'v, 's> {
    pending: Vec<(&'v Value, &'s [Segment])>,
}

impl<'v> Iterator for Matches<'v, '_> {
    type Item = &'v Value;

    fn next(&mut self) -> Option<&'v Value> {
        while let Some((value, segments)) = self.pending.pop() {
            let Some((first, rest)) = segments.split_first() else {
                return Some(value);
            };
            match (first, value) {
                (Segment::Key(key), Value::Object(members)) => {
                    self.pending.extend(members.get(&**key).map(|member| (member, rest)));
                }
                (Segment::Key(key), Value::Array(items)) => {
                    self.pending.extend(array_index(key).and_then(|index| items.get(index)).map(|item| (item, rest)));
                }
                (Segment::Any, Value::Object(members)) => {
                    let start = self.pending.len();
                    self.pending.extend(members.values().map(|member| (member, rest)));
                    self.pending.get_mut(start..).unwrap_or_default().reverse();
                }
                (Segment::Any, Value::Array(items)) => {
                    self.pending.extend(items.iter().rev().map(|item| (item, rest)));
                }
                _ => {}
            }
        }
        None
    }
}

/// An array index as RFC 6901 writes it: no sign, no leading zero.
fn array_index(text: &str) -> Option<usize> {
    let canonical = text == "0" || !text.starts_with('0');
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if canonical && digits { text.parse().ok() } else { None }
}

impl fmt::Display for KeepPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for KeepPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.text, f)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{KeepPointer, PointerError, escape_token};

    #[test]
    fn refuses_what_is_no_pointer() {
        for (text, error) in [
            ("", PointerError::Everything),
            ("messageId", PointerError::NoSlash),
            ("/", PointerError::EmptySegment),
            ("/a//b", PointerError::EmptySegment),
            ("/a/", PointerError::EmptySegment),
            ("/a~", PointerError::BadEscape),
            ("/a~2", PointerError::BadEscape),
        ] {
            assert_eq!(KeepPointer::new(text), Err(error), "{text:?}");
        }
    }

    #[test]
    fn finds_what_is_named_and_nothing_else() {
        let value = json!({"a": {"b": [1, 2, {"c": 3}]}, "x/y": 4, "~": 5, "k": {"p": {"id": 6}, "q": {"id": 7}}});
        for (pointer, found) in [
            ("/a/b/0", json!([1])),
            ("/a/b/*", json!([1, 2, {"c": 3}])),
            ("/a/b/*/c", json!([3])),
            ("/x~1y", json!([4])),
            ("/~0", json!([5])),
            ("/k/*/id", json!([6, 7])),
            ("/a/b/00", json!([])),
            ("/a/b/-1", json!([])),
            ("/a/b/+1", json!([])),
            ("/a/b/9", json!([])),
            ("/missing", json!([])),
            ("/x~1y/*", json!([])),
        ] {
            let pointer = KeepPointer::new(pointer).unwrap();
            assert_eq!(json!(pointer.find(&value).collect::<Vec<_>>()), found, "{pointer}");
        }
    }

    #[test]
    fn escapes_round_trip() {
        let pointer = KeepPointer::new(&format!("/{}", escape_token("a/b~c"))).unwrap();
        assert_eq!(pointer.segments().collect::<Vec<_>>(), [Some("a/b~c")]);
        assert_eq!(pointer.find(&json!({"a/b~c": 1})).count(), 1);
    }
}
