use std::borrow::Cow;

use serde_json::{Map, Value};

use super::Generator;

/// So many references and branches are put together for one value; a reference to itself ends there.
const MAX_STEPS: usize = 32;

/// Keywords that bring other schemas to the same value.
const IN_PLACE: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];

impl Generator<'_> {
    /// The keywords that apply to one value: those of the schema, of what it refers to, of every part of `allOf` and of
    /// one branch of `anyOf` and `oneOf`. None for a schema that is a boolean.
    pub(super) fn flat<'v>(&mut self, schema: &'v Value) -> Option<Cow<'v, Map<String, Value>>> {
        let schema = schema.as_object()?;
        if !IN_PLACE.iter().any(|keyword| schema.contains_key(*keyword)) {
            return Some(Cow::Borrowed(schema));
        }
        let mut flat = schema.clone();
        for _ in 0..MAX_STEPS {
            if let Some(Value::String(reference)) = flat.remove("$ref") {
                merge(&mut flat, self.target(&reference));
            } else if let Some(Value::Array(parts)) = flat.remove("allOf") {
                for part in &parts {
                    merge(&mut flat, Some(part));
                }
            } else if let Some(Value::Array(branches)) = flat.remove("anyOf").or_else(|| flat.remove("oneOf")) {
                merge(&mut flat, self.chance.pick(&branches));
            } else {
                break;
            }
        }
        Some(Cow::Owned(flat))
    }

    /// Where a reference inside the document leads; anchors are not followed.
    fn target(&self, reference: &str) -> Option<&Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }
}

/// Adds the keywords of `other`: names and properties come together, of two other keywords the later one holds.
fn merge(flat: &mut Map<String, Value>, other: Option<&Value>) {
    for (keyword, value) in other.and_then(Value::as_object).into_iter().flatten() {
        match (flat.get_mut(keyword), value) {
            (Some(Value::Object(ours)), Value::Object(theirs)) if keyword == "properties" => {
                for (name, schema) in theirs {
                    let both = match ours.remove(name) {
                        Some(ours) => serde_json::json!({"allOf": [ours, schema]}),
                        None => schema.clone(),
                    };
                    ours.insert(name.clone(), both);
                }
            }
            (Some(Value::Array(ours)), Value::Array(theirs)) if keyword == "required" => ours.extend(theirs.clone()),
            _ => {
                flat.insert(keyword.clone(), value.clone());
            }
        }
    }
}
