use mtb_core::ToolName;
use serde_json::Value;
use serde_json::value::RawValue;

/// What a definition says that hints at the harm of its tool.
pub(crate) struct Outline {
    pub(crate) name: ToolName,
    /// `readOnlyHint` of MCP's annotations.
    pub(crate) read_only: Option<bool>,
    /// `destructiveHint` of MCP's annotations.
    pub(crate) destructive: Option<bool>,
    /// The names of the arguments.
    pub(crate) arguments: Vec<String>,
}

impl Outline {
    /// Nothing for a definition without a usable name: there is nothing to classify until it has one.
    pub(crate) fn of(definition: &RawValue) -> Option<Self> {
        let outer: Value = serde_json::from_str(definition.get()).ok()?;
        let body = outer.get("function").unwrap_or(&outer);
        let mut schemas = [body, &outer].into_iter().flat_map(|object| {
            ["input_schema", "inputSchema", "parameters"].into_iter().filter_map(|name| object.get(name))
        });
        let properties = schemas.find_map(|schema| schema.get("properties")?.as_object());
        let hint = |name: &str| outer.get("annotations")?.get(name)?.as_bool();
        Some(Self {
            name: ToolName::new(body.get("name")?.as_str()?).ok()?,
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            arguments: properties.map(|names| names.keys().cloned().collect()).unwrap_or_default(),
        })
    }
}
