use std::ops::ControlFlow;

use mtb_core::{KeepPointer, cut};
use serde_json::{Map, Value};

use crate::kept::Kept;
use crate::secret_keys::is_secret_key;

/// What stands in the place of a value under a secret-looking name.
pub const REDACTED: &str = "[REDACTED]";
/// The longest kept string or member name, in characters; an ellipsis says that more was there.
pub const MAX_KEPT_CHARS: usize = 500;
/// At most so many matches of one pointer, and so many members or items of one kept object or array.
pub const MAX_KEPT_ITEMS: usize = 100;
/// The deepest nesting of one kept value; an ellipsis stands for what is deeper. A scalar has depth 0.
pub const MAX_KEPT_DEPTH: usize = 8;
/// At most so many values for one pointer, nested ones included; in each place an ellipsis stands for the rest.
pub const MAX_KEPT_VALUES: usize = 1_000;

const ELLIPSIS: &str = "…";

/// What these pointers find in a value, and nothing else. `None` when they find nothing.
pub(crate) fn reduce(value: &Value, pointers: &[KeepPointer]) -> Option<Kept> {
    let found = |pointer: &KeepPointer| keep(value, pointer).map(|kept| (pointer.as_str().into(), kept));
    Kept::unless_empty(pointers.iter().filter_map(found).collect())
}

fn keep(value: &Value, pointer: &KeepPointer) -> Option<Value> {
    let path: Vec<_> = pointer.segments().collect();
    let most = if pointer.is_wild() { MAX_KEPT_ITEMS } else { 1 };
    let mut copy = Copy { left: MAX_KEPT_VALUES };
    let mut matches = Vec::new();
    let _ = visit(Match { value, secret: false }, &path, &mut |found| {
        matches.push(copy.of_match(found));
        if matches.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match matches.is_empty() {
        true => None,
        false if pointer.is_wild() => Some(Value::Array(matches)),
        false => matches.pop(),
    }
}

/// A value on the way along a pointer.
#[derive(Clone, Copy)]
struct Match<'v> {
    value: &'v Value,
    // Whether the nearest member name above the value looks secret. A name the declaration spells out decides alone;
    // names that `*` stands for only ever add a reason.
    secret: bool,
}

/// Calls `take` for every value at the end of the path: items in order, members by name.
fn visit<'v>(
    at: Match<'v>,
    path: &[Option<&str>],
    take: &mut impl FnMut(Match<'v>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some((first, rest)) = path.split_first() else {
        return take(at);
    };
    match (at.value, first) {
        (Value::Object(members), Some(name)) => match members.get(*name) {
            Some(value) => visit(Match { value, secret: is_secret_key(name) }, rest, take),
            None => ControlFlow::Continue(()),
        },
        (Value::Object(members), None) => sorted(members)
            .into_iter()
            .try_for_each(|(name, value)| visit(Match { value, secret: at.secret || is_secret_key(name) }, rest, take)),
        // Between array and index, `Value::pointer` reads the index exactly as RFC 6901 writes it.
        (Value::Array(_), Some(index)) => match at.value.pointer(&format!("/{index}")) {
            Some(value) => visit(Match { value, ..at }, rest, take),
            None => ControlFlow::Continue(()),
        },
        (Value::Array(items), None) => items.iter().try_for_each(|value| visit(Match { value, ..at }, rest, take)),
        _ => ControlFlow::Continue(()),
    }
}

/// Members by name, whichever order the map has.
fn sorted(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_unstable_by_key(|(name, _)| *name);
    members
}

/// Copies values within a budget.
struct Copy {
    left: usize,
}

impl Copy {
    fn of_match(&mut self, found: Match<'_>) -> Value {
        if found.secret { self.mask() } else { self.of(found.value, 0) }
    }

    fn of(&mut self, value: &Value, depth: usize) -> Value {
        let Some(left) = self.left.checked_sub(1) else {
            return ELLIPSIS.into();
        };
        self.left = left;
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
            Value::String(text) => cut(text, MAX_KEPT_CHARS).into(),
            Value::Array(_) | Value::Object(_) if depth == MAX_KEPT_DEPTH => ELLIPSIS.into(),
            Value::Array(items) => self.of_items(items, depth + 1).into(),
            Value::Object(members) => self.of_members(members, depth + 1).into(),
        }
    }

    fn of_items(&mut self, items: &[Value], depth: usize) -> Vec<Value> {
        let mut kept = Vec::new();
        for item in items.iter().take(MAX_KEPT_ITEMS) {
            if self.left == 0 {
                kept.push(ELLIPSIS.into());
                break;
            }
            kept.push(self.of(item, depth));
        }
        kept
    }

    fn of_members(&mut self, members: &Map<String, Value>, depth: usize) -> Map<String, Value> {
        let mut kept = Map::new();
        for (name, value) in sorted(members).into_iter().take(MAX_KEPT_ITEMS) {
            if self.left == 0 {
                kept.insert(ELLIPSIS.to_owned(), ELLIPSIS.into());
                break;
            }
            // The whole name decides, also where only its start is kept.
            let value = if is_secret_key(name) { self.mask() } else { self.of(value, depth) };
            kept.insert(cut(name, MAX_KEPT_CHARS), value);
        }
        kept
    }

    fn mask(&mut self) -> Value {
        self.left = self.left.saturating_sub(1);
        REDACTED.into()
    }
}

#[cfg(test)]
mod tests;
