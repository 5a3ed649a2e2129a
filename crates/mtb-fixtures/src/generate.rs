//! Values made from a schema.

mod flat;
mod scalar;

use proptest::strategy::{BoxedStrategy, Strategy};
use serde_json::{Map, Value, json};

use crate::chance::Chance;

/// Below this depth an object has its required members only.
const ROOMY_DEPTH: usize = 6;
/// Below this depth there is nothing but null, so that a schema which requires itself ends too.
const MAX_DEPTH: usize = 24;
/// After so many values the rest is kept small.
const MAX_VALUES: usize = 2_000;

/// A value that mostly fits the schema, decided by the seed alone.
///
/// It follows `$ref`, `allOf`, one branch of `anyOf` and `oneOf`, and the keywords of each type that real schemas use;
/// `not`, `if` and `contains` are not looked at, so a value may miss what they ask.
///
/// ```
/// let schema = serde_json::json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
/// let value = mtb_fixtures::valid(&schema, 1);
/// assert!(value["n"].is_i64());
/// assert_eq!(value, mtb_fixtures::valid(&schema, 1));
/// ```
#[must_use]
pub fn valid(schema: &Value, seed: u64) -> Value {
    Generator { root: schema, chance: Chance::new(seed), left: MAX_VALUES }.value(schema, 0)
}

/// Such values as a strategy. Shrinking leads to other values, not to smaller ones.
pub fn values(schema: Value) -> BoxedStrategy<Value> {
    proptest::num::u64::ANY.prop_map(move |seed| valid(&schema, seed)).boxed()
}

struct Generator<'s> {
    root: &'s Value,
    chance: Chance,
    left: usize,
}

impl Generator<'_> {
    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        self.left = self.left.saturating_sub(1);
        if depth >= MAX_DEPTH {
            return Value::Null;
        }
        let Some(schema) = self.flat(schema) else { return self.anything() };
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            return self.chance.pick(values).cloned().unwrap_or_default();
        }
        match self.kind(&schema).as_deref() {
            Some("object") => self.object(&schema, depth),
            Some("array") => self.array(&schema, depth),
            Some("string") => self.string(&schema).into(),
            Some("integer") => self.number(&schema, true),
            Some("number") => self.number(&schema, false),
            Some("boolean") => self.chance.percent(50).into(),
            Some("null") => Value::Null,
            _ => self.anything(),
        }
    }

    /// One of the declared types, else the one that the keywords are about.
    fn kind(&mut self, schema: &Map<String, Value>) -> Option<String> {
        match schema.get("type") {
            Some(Value::String(name)) => return Some(name.clone()),
            Some(Value::Array(names)) => return self.chance.pick(names)?.as_str().map(String::from),
            _ => {}
        }
        let about = [
            ("object", &["properties", "required", "additionalProperties", "patternProperties", "minProperties"][..]),
            ("array", &["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]),
            ("string", &["pattern", "format", "minLength", "maxLength"]),
            ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
        ];
        let kind = about.iter().find(|(_, keywords)| keywords.iter().any(|keyword| schema.contains_key(*keyword)));
        kind.map(|(kind, _)| (*kind).to_owned())
    }

    fn object(&mut self, schema: &Map<String, Value>, depth: usize) -> Value {
        let none = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let roomy = depth < ROOMY_DEPTH && self.left > 0;
        let mut names: Vec<&str> = texts(schema.get("required")).collect();
        for (name, property) in properties {
            if roomy && *property != Value::Bool(false) && self.chance.percent(40) {
                names.push(name);
            }
        }
        let dependent = ["dependentRequired", "dependencies"].map(|keyword| schema.get(keyword));
        for name in names.clone() {
            names.extend(dependent.iter().flatten().flat_map(|names| texts(names.get(name))));
        }
        let anything = Value::Bool(true);
        let additional = schema.get("additionalProperties").unwrap_or(&anything);
        let mut members = Map::new();
        for name in names {
            let property = properties.get(name).unwrap_or(additional);
            members.insert(name.to_owned(), self.value(property, depth + 1));
        }
        if roomy && properties.is_empty() && *additional != Value::Bool(false) {
            for index in 0..self.chance.below(3) {
                members.insert(format!("member{index}"), self.value(additional, depth + 1));
            }
        }
        members.into()
    }

    fn array(&mut self, schema: &Map<String, Value>, depth: usize) -> Value {
        let count = |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let least = count("minItems").unwrap_or(0);
        let spare = if depth < ROOMY_DEPTH && self.left > 0 { self.chance.below(4) } else { 0 };
        let most = (least + spare).min(count("maxItems").unwrap_or(usize::MAX));
        let anything = Value::Bool(true);
        let by_position = |schema: &Map<String, Value>| {
            let listed = schema.get("prefixItems").or_else(|| schema.get("items").filter(|items| items.is_array()));
            listed.and_then(Value::as_array).cloned().unwrap_or_default()
        };
        let first = by_position(schema);
        let rest = if schema.get("items").is_some_and(Value::is_array) { "additionalItems" } else { "items" };
        let rest = schema.get(rest).unwrap_or(&anything);
        let mut items: Vec<Value> = Vec::new();
        for index in 0..most.max(first.len()) {
            let item = match first.get(index) {
                Some(schema) => self.value(schema, depth + 1),
                None if *rest == Value::Bool(false) => break,
                None => self.value(rest, depth + 1),
            };
            let unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
            if !unique || !items.contains(&item) {
                items.push(item);
            }
        }
        items.into()
    }

    fn anything(&mut self) -> Value {
        let some = [json!(null), json!(true), json!(0), json!(-1.5), json!("text"), json!([1, "a"]), json!({"a": 1})];
        self.chance.pick(&some).cloned().unwrap_or_default()
    }
}

fn texts(names: Option<&Value>) -> impl Iterator<Item = &str> {
    names.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{MAX_DEPTH, valid};

    /// A schema, and whether a value fits it.
    type Row = (Value, fn(&Value) -> bool);

    fn depth(value: &Value) -> usize {
        match value {
            Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
            Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    #[test]
    fn each_keyword_is_followed() {
        let rows: [Row; 9] = [
            (json!({"const": 3}), |value| *value == 3),
            (json!({"enum": ["a", "b"]}), |value| *value == "a" || *value == "b"),
            (json!({"type": ["string", "null"]}), |value| value.is_string() || value.is_null()),
            (json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "boolean"}}}), Value::is_boolean),
            (json!({"anyOf": [{"type": "null"}, {"const": 1}]}), |value| value.is_null() || *value == 1),
            (json!({"allOf": [{"required": ["a"]}, {"required": ["b"]}]}), |value| {
                value.get("a").is_some() && value.get("b").is_some()
            }),
            (json!({"type": "array", "items": {"type": "null"}, "minItems": 2, "maxItems": 3}), |value| {
                value.as_array().is_some_and(|items| (2..=3).contains(&items.len()) && items.iter().all(Value::is_null))
            }),
            (json!({"prefixItems": [{"const": 1}, {"const": 2}], "items": false}), |value| *value == json!([1, 2])),
            (json!({"additionalProperties": {"const": 1}}), |value| {
                value.as_object().is_some_and(|members| members.values().all(|member| *member == 1))
            }),
        ];
        for (schema, fits) in rows {
            for seed in 0..50 {
                assert!(fits(&valid(&schema, seed)), "{schema} gave {}", valid(&schema, seed));
            }
        }
    }

    #[test]
    fn recursion_ends_even_where_it_is_required() {
        let list = json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]});
        let tree = json!({"type": "array", "items": {"$ref": "#"}, "minItems": 1});
        for seed in 0..20 {
            assert_eq!(depth(&valid(&list, seed)), MAX_DEPTH);
            assert!(depth(&valid(&tree, seed)) <= MAX_DEPTH);
        }
    }
}
