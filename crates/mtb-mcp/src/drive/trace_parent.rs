use std::fmt;

/// Which trace of the client's a request is a part of (<https://www.w3.org/TR/trace-context/#traceparent-header>): ids
/// and nothing else, so that they can be written down beside what has no content.
///
/// ```
/// use mtb_mcp::drive::TraceParent;
///
/// let parent = TraceParent::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").unwrap();
/// assert_eq!(parent.trace_id(), "0af7651916cd43dd8448eb211c80319c");
/// assert_eq!(parent.parent_id(), "b7ad6b7169203331");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TraceParent {
    /// `VERSION-TRACE-PARENT-FLAGS`, in lower case.
    text: Box<str>,
}

/// Where its parts stand.
const VERSION: usize = 2;
const TRACE: std::ops::Range<usize> = 3..35;
const PARENT: std::ops::Range<usize> = 36..52;
const LENGTH: usize = 55;

impl TraceParent {
    /// Reads the text; what a later version has at its end is left out.
    ///
    /// None where it is anything else, or an id is zero.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (known, rest) = (text.get(..LENGTH)?, text.get(LENGTH..)?);
        let version = known.get(..VERSION)?;
        let written = known.bytes().enumerate().all(|(at, byte)| match at {
            2 | 35 | 52 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        });
        let whole = rest.is_empty() || (version != "00" && rest.starts_with('-'));
        let parent = Self { text: known.into() };
        let named = |id: &str| id.bytes().any(|byte| byte != b'0');
        let usable = written && whole && version != "ff" && named(parent.trace_id()) && named(parent.parent_id());
        usable.then_some(parent)
    }

    /// 32 hexadecimal digits.
    #[must_use]
    pub fn trace_id(&self) -> &str {
        self.text.get(TRACE).unwrap_or_default()
    }

    /// 16 hexadecimal digits: the client's span.
    #[must_use]
    pub fn parent_id(&self) -> &str {
        self.text.get(PARENT).unwrap_or_default()
    }
}

impl fmt::Debug for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::TraceParent;

    #[test]
    fn only_ids_are_read() {
        let whole = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let later = format!("cc{}-what-comes", &whole[2..]);
        for text in [whole, &later, &later[..55]] {
            let parent = TraceParent::parse(text).unwrap();
            assert_eq!(parent.trace_id(), &whole[3..35], "{text}");
            assert_eq!(format!("{parent:?}").len(), 55);
        }
        for text in [
            "",
            &whole[..54],
            &format!("{whole}-"),
            &format!("{whole}0"),
            &format!("cc{}x", &whole[2..]),
            &format!("ff{}", &whole[2..]),
            &whole.to_uppercase(),
            &whole.replace("0af7651916cd43dd8448eb211c80319c", &"0".repeat(32)),
            &whole.replace("b7ad6b7169203331", &"0".repeat(16)),
            &whole.replace('-', "_"),
            &whole.replace("319c", "31\u{e9}"),
            &whole.replace('a', "g"),
        ] {
            assert_eq!(TraceParent::parse(text), None, "{text}");
        }
    }
}
