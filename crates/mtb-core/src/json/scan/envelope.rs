use std::borrow::Cow;
use std::ops::Range;

use super::{Field, IdField, MethodField, RequestId};
use crate::json::escape::unescape;

/// The members of an envelope, as they are met.
pub(super) struct Envelope {
    pub(super) id: IdField,
    pub(super) jsonrpc: Field,
    pub(super) method: MethodField,
    pub(super) params: Option<Range<usize>>,
    pub(super) result: Option<Range<usize>>,
    pub(super) error: Option<Range<usize>>,
    seen: Vec<Member>,
    // The member whose value is being read, unless it is not one of these or was met before.
    current: Option<Member>,
    value_start: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    Id,
    JsonRpc,
    Method,
    Params,
    Result,
    Error,
}

/// A value of a member, as far as the envelope cares.
#[derive(Debug, Clone, Copy)]
pub(super) enum Small<'t> {
    Null,
    Number(&'t str),
    /// What stands between the quotes; `None` if it is longer than [`Envelope::wanted`] says.
    String(Option<&'t str>),
    Other,
}

/// Longest method name, in bytes of its decoded text.
const METHOD_BYTES: usize = 256;
/// How many bytes an escape may take for each byte of decoded text: `\u0041`.
const ESCAPED: usize = 6;
/// The most bytes a member name here can take.
pub(super) const NAME_BYTES: usize = ESCAPED * "jsonrpc".len();

impl Envelope {
    pub(super) fn new() -> Self {
        Self {
            id: IdField::Absent,
            jsonrpc: Field::Absent,
            method: MethodField::Absent,
            params: None,
            result: None,
            error: None,
            seen: Vec::new(),
            current: None,
            value_start: None,
        }
    }

    /// A member of this name begins. Says whether it is one of these and was met before.
    pub(super) fn name(&mut self, body: Option<&str>) -> bool {
        let member = body.and_then(unescape).and_then(|name| Member::named(&name));
        let twice = member.is_some_and(|member| self.seen.contains(&member));
        self.current = member.filter(|_| !twice);
        self.seen.extend(self.current);
        twice
    }

    /// How many bytes between the quotes of a string value are of interest.
    pub(super) fn wanted(&self) -> usize {
        match self.current {
            Some(Member::Id) => ESCAPED * RequestId::MAX_BYTES,
            Some(Member::Method) => ESCAPED * METHOD_BYTES,
            Some(Member::JsonRpc) => ESCAPED * "2.0".len(),
            _ => 0,
        }
    }

    /// Whether the value of `params` is being read.
    pub(super) fn is_in_params(&self) -> bool {
        self.current == Some(Member::Params) && self.value_start.is_some()
    }

    /// The member's value begins here.
    pub(super) fn value_starts(&mut self, offset: usize) {
        self.value_start = Some(offset);
    }

    /// The member's value ends here.
    pub(super) fn value_ends(&mut self, offset: usize, value: Small<'_>) {
        let span = self.value_start.take().map(|start| start..offset);
        match self.current.take() {
            Some(Member::Id) => self.id = read_id(value),
            Some(Member::JsonRpc) => {
                let is_two = matches!(value, Small::String(Some(body)) if unescape(body).as_deref() == Some("2.0"));
                self.jsonrpc = if is_two { Field::Two } else { Field::Other };
            }
            Some(Member::Method) => self.method = read_method(value),
            Some(Member::Params) => self.params = span,
            Some(Member::Result) => self.result = span,
            Some(Member::Error) => self.error = span,
            None => {}
        }
    }
}

impl Member {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "id" => Self::Id,
            "jsonrpc" => Self::JsonRpc,
            "method" => Self::Method,
            "params" => Self::Params,
            "result" => Self::Result,
            "error" => Self::Error,
            _ => return None,
        })
    }
}

fn read_id(value: Small<'_>) -> IdField {
    let id = match value {
        Small::Null => return IdField::Null,
        Small::Number(token) => RequestId::from_json(token),
        Small::String(Some(body)) => RequestId::from_json(&format!("\"{body}\"")),
        Small::String(None) | Small::Other => None,
    };
    id.map_or(IdField::Invalid, IdField::Id)
}

fn read_method(value: Small<'_>) -> MethodField {
    match value {
        Small::String(body) => body
            .and_then(unescape)
            .filter(|name| name.len() <= METHOD_BYTES)
            .map_or(MethodField::Invalid, |name| MethodField::Name(Cow::into_owned(name))),
        Small::Null | Small::Number(_) | Small::Other => MethodField::Invalid,
    }
}
