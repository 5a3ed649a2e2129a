use std::cell::Cell;

use serde_json::{Map, Number, Value};

use super::root::referred;

/// Schemas looked at while values are made up; what takes more stays without one.
const MAX_STEPS: usize = 20_000;

/// Values made up inside one another.
const MAX_DEPTH: usize = 12;

/// Combinations of forms that one schema is taken apart into.
const MAX_VIEWS: usize = 64;

/// Schemas that apply to the same value inside one another.
const MAX_IN_PLACE: usize = 16;

/// Texts of the formats that are checked.
const TEXTS: [(&str, &str); 12] = [
    ("date", "2026-01-31"),
    ("date-time", "2026-01-31T12:00:00Z"),
    ("duration", "P1D"),
    ("email", "ada@example.com"),
    ("hostname", "example.com"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("iri", "https://example.com/"),
    ("json-pointer", "/a"),
    ("time", "12:00:00Z"),
    ("uri", "https://example.com/"),
    ("uuid", "67e55044-10b1-426f-9247-bb680e5fe0c8"),
];

/// A schema with the place where it stands.
#[derive(Clone)]
pub(super) struct Part<'s> {
    pub(super) members: &'s Map<String, Value>,
    pub(super) pointer: String,
}

/// One way for a value to fit a schema: every part applies to it.
pub(super) type View<'s> = Vec<Part<'s>>;

/// Makes up small values that fit a derived schema. Whether they do is for the validator to say.
pub(super) struct Maker<'s> {
    root: &'s Value,
    steps: Cell<usize>,
}

impl<'s> Maker<'s> {
    pub(super) fn new(root: &'s Value) -> Self {
        Self { root, steps: Cell::new(MAX_STEPS) }
    }

    /// The ways in which a value can fit a schema.
    pub(super) fn views(&self, schema: &'s Value, pointer: &str) -> Vec<View<'s>> {
        self.views_in_place(schema, pointer, MAX_IN_PLACE)
    }

    fn views_in_place(&self, schema: &'s Value, pointer: &str, left: usize) -> Vec<View<'s>> {
        let (Some(left), true) = (left.checked_sub(1), self.step()) else { return Vec::new() };
        let members = match schema {
            Value::Object(members) => members,
            Value::Bool(true) => return vec![Vec::new()],
            _ => return Vec::new(),
        };
        let mut views = vec![vec![Part { members, pointer: pointer.to_owned() }]];
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            let target = referred(self.root, members);
            let place = reference.trim_start_matches('#');
            views = product(&views, &target.map(|it| self.views_in_place(it, place, left)).unwrap_or_default());
        }
        for (index, form) in listed(members, "allOf").enumerate() {
            views = product(&views, &self.views_in_place(form, &format!("{pointer}/allOf/{index}"), left));
        }
        for keyword in ["oneOf", "anyOf"] {
            if members.contains_key(keyword) {
                let place = |index| format!("{pointer}/{keyword}/{index}");
                let forms = listed(members, keyword).enumerate();
                let forms: Vec<_> =
                    forms.flat_map(|(index, form)| self.views_in_place(form, &place(index), left)).collect();
                views = product(&views, &forms);
            }
        }
        views
    }

    /// A value for a schema.
    pub(super) fn value(&self, schema: &'s Value) -> Option<Value> {
        self.value_at(schema, MAX_DEPTH)
    }

    /// A value for one way to fit a schema.
    pub(super) fn of_view(&self, view: &View<'s>) -> Option<Value> {
        self.of_view_at(view, MAX_DEPTH)
    }

    fn value_at(&self, schema: &'s Value, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        self.views(schema, "").iter().find_map(|view| self.of_view_at(view, depth))
    }

    fn of_view_at(&self, view: &View<'s>, depth: usize) -> Option<Value> {
        if let Some(only) = said(view, "const") {
            return Some(only.clone());
        }
        if let Some(choice) = said(view, "enum") {
            return choice.as_array()?.first().cloned();
        }
        let types = said(view, "type").map(|types| types.as_array().and_then(|types| types.first()).unwrap_or(types));
        match types.and_then(Value::as_str) {
            None | Some("null") => Some(Value::Null),
            Some("boolean") => Some(Value::Bool(false)),
            Some("integer" | "number") => number(view),
            Some("string") => text(view).map(Value::String),
            Some("array") => self.array(view, depth),
            Some(_) => self.object(view, depth),
        }
    }

    fn array(&self, view: &View<'s>, depth: usize) -> Option<Value> {
        let first = said(view, "prefixItems").and_then(Value::as_array).into_iter().flatten();
        let mut items = first.map(|item| self.value_at(item, depth)).collect::<Option<Vec<_>>>()?;
        let least = usize::try_from(said(view, "minItems").and_then(Value::as_u64).unwrap_or_default()).ok()?;
        while items.len() < least.min(MAX_VIEWS) {
            items.push(said(view, "items").map_or(Some(Value::Null), |item| self.value_at(item, depth))?);
        }
        Some(Value::Array(items))
    }

    fn object(&self, view: &View<'s>, depth: usize) -> Option<Value> {
        let mut object = Map::new();
        for name in view.iter().flat_map(|part| listed(part.members, "required")).filter_map(Value::as_str) {
            let declared = view.iter().find_map(|part| part.members.get("properties")?.get(name));
            object.insert(name.to_owned(), declared.map_or(Some(Value::Null), |schema| self.value_at(schema, depth))?);
        }
        Some(Value::Object(object))
    }

    fn step(&self) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        left > 0
    }
}

/// What the first part that uses a keyword says with it.
pub(super) fn said<'s>(view: &View<'s>, keyword: &str) -> Option<&'s Value> {
    view.iter().find_map(|part| part.members.get(keyword))
}

fn listed<'s>(members: &'s Map<String, Value>, keyword: &str) -> impl Iterator<Item = &'s Value> + use<'s> {
    members.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

fn product<'s>(ones: &[View<'s>], others: &[View<'s>]) -> Vec<View<'s>> {
    let pairs = ones.iter().flat_map(|one| others.iter().map(move |other| [one.as_slice(), other].concat()));
    pairs.take(MAX_VIEWS).collect()
}

fn number(view: &View<'_>) -> Option<Value> {
    let bound = |keyword| said(view, keyword).and_then(Value::as_f64);
    let fits = |number: f64| {
        bound("minimum").is_none_or(|least| number >= least)
            && bound("maximum").is_none_or(|greatest| number <= greatest)
            && bound("exclusiveMinimum").is_none_or(|least| number > least)
            && bound("exclusiveMaximum").is_none_or(|greatest| number < greatest)
            && said(view, "not").is_none_or(|not| not.get("const").and_then(Value::as_f64) != Some(number))
    };
    let small = [0_i32, 1, -1].into_iter().find(|number| fits(f64::from(*number))).map(Number::from);
    let declared = || said(view, "minimum").or_else(|| said(view, "maximum")).cloned();
    small.map(Value::Number).or_else(declared)
}

fn text(view: &View<'_>) -> Option<String> {
    if let Some(format) = said(view, "format") {
        return TEXTS.iter().find(|(name, _)| format == name).map(|(_, text)| (*text).to_owned());
    }
    if let Some(example) = said(view, "examples") {
        return Some(example.get(0)?.as_str()?.to_owned());
    }
    let least = said(view, "minLength").and_then(Value::as_u64).unwrap_or_default();
    Some("a".repeat(usize::try_from(least).ok()?.min(1_000)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Maker;

    fn made(schema: &Value) -> Option<Value> {
        Maker::new(schema).value(schema)
    }

    #[test]
    fn a_number_is_the_plainest_that_fits() {
        for (schema, expected) in [
            (json!({}), Some(json!(0))),
            (json!({"minimum": 0}), Some(json!(0))),
            (json!({"maximum": 0}), Some(json!(0))),
            (json!({"minimum": 1}), Some(json!(1))),
            (json!({"maximum": -1}), Some(json!(-1))),
            (json!({"exclusiveMinimum": 0}), Some(json!(1))),
            (json!({"exclusiveMaximum": 0}), Some(json!(-1))),
            (json!({"exclusiveMaximum": 1}), Some(json!(0))),
            (json!({"not": {"const": 0}}), Some(json!(1))),
            (json!({"minimum": 7}), Some(json!(7))),
            (json!({"maximum": -7}), Some(json!(-7))),
            (json!({"exclusiveMinimum": 0, "exclusiveMaximum": 1}), None),
        ] {
            let mut schema = schema;
            schema["type"] = json!("number");
            assert_eq!(made(&schema), expected, "{schema}");
        }
    }

    #[test]
    fn other_values_are_as_small_as_they_can_be() {
        for (schema, expected) in [
            (json!(true), Some(json!(null))),
            (json!(false), None),
            (json!({"type": "array", "items": {"type": "boolean"}, "minItems": 2}), Some(json!([false, false]))),
            (json!({"type": "array", "items": {"type": "boolean"}}), Some(json!([]))),
            (json!({"type": "array", "prefixItems": [true, {"const": 1}]}), Some(json!([null, 1]))),
            (json!({"anyOf": [false, {"const": "x"}]}), Some(json!("x"))),
            (json!({"type": "string"}), Some(json!(""))),
            (json!({"type": "string", "minLength": 3}), Some(json!("aaa"))),
            (json!({"type": "string", "format": "date"}), Some(json!("2026-01-31"))),
            (json!({"type": "string", "examples": ["xyz"]}), Some(json!("xyz"))),
            (json!({"type": "string", "format": "regex"}), None),
        ] {
            assert_eq!(made(&schema), expected, "{schema}");
        }
    }
}
