use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;

/// The error inside an error that leads furthest into the value: of a union, the engine names the union only.
pub(super) fn innermost<'e>(error: &'e ValidationError<'_>) -> &'e ValidationError<'e> {
    let inner = match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            context.iter().flatten().map(innermost).max_by_key(|error| depth(error))
        }
        _ => None,
    };
    inner.filter(|inner| depth(inner) > depth(error)).unwrap_or(error)
}

fn depth(error: &ValidationError<'_>) -> usize {
    error.instance_path().as_str().matches('/').count()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::innermost;
    use crate::schema::dialect::Dialect;
    use crate::schema::engine::compile_alone;

    /// The keyword that is found, and where in the value.
    fn found(schema: &Value, value: &Value) -> (String, String) {
        let validator = compile_alone(schema, Dialect::Draft202012).unwrap();
        let error = validator.validate(value).unwrap_err();
        let inner = innermost(&error);
        (inner.kind().keyword().to_owned(), inner.instance_path().to_string())
    }

    #[test]
    fn what_leads_furthest_into_the_value_is_found() {
        let below = |name: &str, schema: Value| json!({"properties": {name: schema}});
        let string = || json!({"type": "string"});
        for (schema, value, keyword, path) in [
            (string(), json!(1), "type", ""),
            (json!({"anyOf": [string(), {"type": "null"}]}), json!(1), "anyOf", ""),
            (
                json!({"anyOf": [string(), below("a", string()), below("a", below("b", string()))]}),
                json!({"a": {"b": 1}}),
                "type",
                "/a/b",
            ),
            (
                json!({"oneOf": [{"anyOf": [below("a", string()), string()]}, {"type": "null"}]}),
                json!({"a": 1}),
                "type",
                "/a",
            ),
            (below("a", json!({"anyOf": [string(), {"type": "null"}]})), json!({"a": 1}), "anyOf", "/a"),
        ] {
            assert_eq!(found(&schema, &value), (keyword.to_owned(), path.to_owned()), "{schema} {value}");
        }
    }
}
