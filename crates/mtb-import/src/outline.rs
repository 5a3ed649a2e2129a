use mtb_core::ToolName;
use serde_json::Value;

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
    pub(crate) fn of(name: ToolName, outer: &Value) -> Self {
        let body = outer.get("function").unwrap_or(outer);
        let mut schemas = [body, outer].into_iter().flat_map(|object| {
            ["input_schema", "inputSchema", "parameters"].into_iter().filter_map(|name| object.get(name))
        });
        let properties = schemas.find_map(|schema| schema.get("properties")?.as_object());
        let hint = |name: &str| outer.get("annotations")?.get(name)?.as_bool();
        Self {
            name,
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            arguments: properties.map(|names| names.keys().cloned().collect()).unwrap_or_default(),
        }
    }
}
