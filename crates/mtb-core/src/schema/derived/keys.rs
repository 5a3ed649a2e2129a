use std::collections::{BTreeSet, HashSet};

use jsonschema::Validator;
use serde::de::{DeserializeOwned, Unexpected};
use serde_json::{Map, Value};

use super::witness::{Maker, View, said};
use crate::pointer::escape_token;
use crate::schema::decode::{Refusal, read};
use crate::schema::dialect::Dialect;
use crate::schema::engine::Checks;
use crate::schema::problem::SchemaProblem;

/// How `schemars` says that the keys of a map are integers, of whichever size.
const INTEGERS: [&str; 2] = [r"^\d+$", r"^-?\d+$"];

/// An integer of no type, which a text key takes.
const NO_INTEGER: &str = "9999999999999999999999999999999999999999";

/// Keys that any text key takes.
const WORDS: [&str; 3] = ["name", "key", "item"];

/// Keys that types other than text take.
const OTHERS: [&str; 6] = ["a", "true", "0", "2026-01-31", "127.0.0.1", "67e55044-10b1-426f-9247-bb680e5fe0c8"];

const PROBLEM: &str = "the keys of this map are not free text, and the schema does not say which ones fit";
const REMEDY: &str = "key it by `String`, or by an enum whose variants have neither content nor documentation; or take a \
                      list of entries";

/// Finds maps whose keys the type refuses although the schema accepts them. The schema of a map does not say what
/// type its keys have, so the type is asked: it is given small values that differ in one key.
pub(super) fn check<T: DeserializeOwned>(schema: &Value) -> Vec<SchemaProblem> {
    let reads = |value: &Value| read::<T>(value).map(drop);
    let mut search = Search {
        maker: Maker::new(schema),
        validator: Checks::new(Dialect::Draft202012).compile(schema).ok(),
        reads: &reads,
        seen: HashSet::new(),
        free: HashSet::new(),
        refused: BTreeSet::new(),
    };
    search.visit(schema, "", &Around { at: String::new(), build: &|value| value });
    let Search { free, mut refused, .. } = search;
    integer_keys(schema, "", &mut refused);
    let places = refused.into_iter().filter(|place| !free.contains(place));
    places.map(|place| SchemaProblem::new(place, PROBLEM, REMEDY)).collect()
}

/// The places where keys are integers.
fn integer_keys(schema: &Value, pointer: &str, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            for (name, inner) in members {
                let place = format!("{pointer}/{}", escape_token(name));
                if name == "patternProperties" {
                    let patterns = INTEGERS.iter().filter(|pattern| inner.get(**pattern).is_some());
                    found.extend(patterns.map(|pattern| format!("{place}/{}", escape_token(pattern))));
                }
                integer_keys(inner, &place, found);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                integer_keys(inner, &format!("{pointer}/{index}"), found);
            }
        }
        _ => {}
    }
}

struct Search<'s> {
    maker: Maker<'s>,
    /// None when the schema is refused, whatever the keys.
    validator: Option<Validator>,
    reads: &'s dyn Fn(&Value) -> Result<(), Refusal>,
    /// Places of schemas that were looked at.
    seen: HashSet<String>,
    /// Places of the values of maps: where the keys are free text, and where they are not.
    free: HashSet<String>,
    refused: BTreeSet<String>,
}

/// The arguments around a value: where it stands in them, and how they are made.
struct Around<'a> {
    at: String,
    build: &'a dyn Fn(Value) -> Value,
}

/// What the keys of one map are like.
enum Keys {
    Free,
    Refused,
    Unknown,
}

impl<'s> Search<'s> {
    fn visit(&mut self, schema: &'s Value, pointer: &str, around: &Around<'_>) {
        if !self.seen.insert(pointer.to_owned()) {
            return;
        }
        for view in self.maker.views(schema, pointer) {
            match self.maker.of_view(&view) {
                Some(Value::Object(members)) => self.object(&view, &members, around),
                Some(Value::Array(items)) => self.array(&view, &items, around),
                _ => {}
            }
        }
    }

    fn array(&mut self, view: &View<'s>, items: &[Value], around: &Around<'_>) {
        let mut visit = |schema, place: &str, index: usize| {
            let build = |value: Value| {
                let (before, after) = items.split_at_checked(index).unwrap_or((items, &[]));
                let after = after.get(1..).unwrap_or_default();
                (around.build)([before, &[value], after].concat().into())
            };
            self.visit(schema, place, &Around { at: format!("{}/{index}", around.at), build: &build });
        };
        for part in view {
            let first =
                part.members.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            for (index, schema) in first.iter().enumerate() {
                visit(schema, &format!("{}/prefixItems/{index}", part.pointer), index);
            }
            if let Some(schema) = part.members.get("items") {
                visit(schema, &format!("{}/items", part.pointer), first.len());
            }
        }
    }

    fn object(&mut self, view: &View<'s>, members: &Map<String, Value>, around: &Around<'_>) {
        for part in view {
            for (name, schema) in part.members.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let place = format!("{}/properties/{}", part.pointer, escape_token(name));
                self.visit_member(schema, &place, name, members, around);
            }
            if said(view, "propertyNames").is_some() {
                continue;
            }
            if let Some(entry) = part.members.get("additionalProperties") {
                let place = format!("{}/additionalProperties", part.pointer);
                let words = WORDS.iter().copied().filter(|word| !members.contains_key(*word));
                self.map(entry, place, &words.collect::<Vec<_>>(), members, around);
            }
            for pattern in INTEGERS {
                if let Some(entry) = part.members.get("patternProperties").and_then(|patterns| patterns.get(pattern)) {
                    let place = format!("{}/patternProperties/{}", part.pointer, escape_token(pattern));
                    self.map(entry, place, &[NO_INTEGER], members, around);
                }
            }
        }
    }

    fn visit_member(
        &mut self,
        schema: &'s Value,
        place: &str,
        name: &str,
        members: &Map<String, Value>,
        around: &Around<'_>,
    ) {
        let build = |value| (around.build)(with(members, name, value));
        self.visit(schema, place, &Around { at: format!("{}/{}", around.at, escape_token(name)), build: &build });
    }

    fn map(
        &mut self,
        entry: &'s Value,
        place: String,
        keys: &[&str],
        members: &Map<String, Value>,
        around: &Around<'_>,
    ) {
        let Some(value) = self.maker.value(entry) else { return };
        if let Some(key) = keys.first() {
            self.visit_member(entry, &place, key, members, around);
        }
        match self.keys(keys, &value, members, around) {
            Keys::Free => self.free.insert(place),
            Keys::Refused => self.refused.insert(place),
            Keys::Unknown => false,
        };
    }

    fn keys(&self, keys: &[&str], value: &Value, members: &Map<String, Value>, around: &Around<'_>) -> Keys {
        let fits = |whole: &Value| self.validator.as_ref().is_none_or(|validator| validator.is_valid(whole));
        let whole = |key: &str| Some((around.build)(with(members, key, value.clone()))).filter(fits);
        if (self.reads)(&(around.build)(Value::Object(members.clone()))).is_err() {
            return Keys::Unknown;
        }
        let mut refused = false;
        for key in keys {
            let Some(whole) = whole(key) else { continue };
            match (self.reads)(&whole) {
                Ok(()) => return Keys::Free,
                Err(refusal) => refused |= is_of_key(&refusal, key, &around.at),
            }
        }
        let takes_others = || OTHERS.iter().filter_map(|key| whole(key)).any(|whole| (self.reads)(&whole).is_ok());
        if refused || takes_others() { Keys::Refused } else { Keys::Unknown }
    }
}

/// Whether a key was refused and not its value: then the map is the place, or the key is what is quoted.
fn is_of_key(refusal: &Refusal, key: &str, map: &str) -> bool {
    refusal.path == map || refusal.error.to_string().contains(&Unexpected::Str(key).to_string())
}

fn with(members: &Map<String, Value>, name: &str, value: Value) -> Value {
    let mut members = members.clone();
    members.insert(name.to_owned(), value);
    Value::Object(members)
}
