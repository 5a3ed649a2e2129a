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
