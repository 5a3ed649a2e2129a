use serde_json::{Map, Value};

use crate::schema::problem::SchemaProblem;

/// References that are followed in one place before a schema counts as no object.
const MAX_HOPS: usize = 16;

/// Writes down that the root is an object, where the schema says so only in each of its forms.
pub(super) fn say_object(schema: &mut Value) {
    if is_object(schema, schema, MAX_HOPS)
        && let Value::Object(members) = schema
    {
        members.insert("type".to_owned(), "object".into());
    }
}

pub(super) fn check(schema: &Value) -> Vec<SchemaProblem> {
    if schema.get("type").is_some_and(|name| name == "object") {
        return Vec::new();
    }
    let problem = "the argument type is not always a JSON object";
    let remedy = "take a struct with named fields, an enum that is internally or adjacently tagged, or a map";
    vec![SchemaProblem::new("", problem, remedy)]
}

/// Whether only objects can fit.
fn is_object(root: &Value, schema: &Value, hops: usize) -> bool {
    let (Some(members), Some(hops)) = (schema.as_object(), hops.checked_sub(1)) else { return false };
    let object = |schema: &Value| is_object(root, schema, hops);
    let forms = |keyword| members.get(keyword).and_then(Value::as_array).filter(|forms| !forms.is_empty());
    members.get("type").is_some_and(|name| name == "object")
        || referred(root, members).is_some_and(object)
        || forms("allOf").is_some_and(|forms| forms.iter().any(object))
        || ["oneOf", "anyOf"].iter().any(|keyword| forms(keyword).is_some_and(|forms| forms.iter().all(object)))
}

/// Where the reference of a schema leads, if it has one. What `schemars` writes needs no base URI.
pub(super) fn referred<'s>(root: &'s Value, members: &Map<String, Value>) -> Option<&'s Value> {
    root.pointer(members.get("$ref")?.as_str()?.strip_prefix('#')?)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{check, say_object};

    fn is_object(mut schema: Value) -> bool {
        say_object(&mut schema);
        check(&schema).is_empty()
    }

    #[test]
    fn a_schema_that_only_objects_fit_says_so() {
        let (object, text) = (json!({"type": "object"}), json!({"type": "string"}));
        for (schema, expected) in [
            (object.clone(), true),
            (json!({"$ref": "#/$defs/a", "$defs": {"a": object}}), true),
            (json!({"allOf": [text, object]}), true),
            (json!({"oneOf": [object, object]}), true),
            (json!({"anyOf": [object, {"$ref": "#/$defs/a"}], "$defs": {"a": object}}), true),
            (json!({"$ref": "#/$defs/a", "$defs": {"a": text}}), false),
            (json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}), false),
            (json!({"allOf": [text]}), false),
            (json!({"oneOf": [object, text]}), false),
            (json!({"oneOf": []}), false),
            (json!({}), false),
            (json!(true), false),
        ] {
            assert_eq!(is_object(schema.clone()), expected, "{schema}");
        }
    }
}
