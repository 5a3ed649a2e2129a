use mtb_core::ToolName;
use mtb_core::json::{batch_items, member, members};

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
    /// Of the text of a definition, of which nothing else is looked at.
    pub(crate) fn of(name: ToolName, outer: &str) -> Self {
        let body = member(outer, "function").unwrap_or(outer);
        let mut schemas = [body, outer].into_iter().flat_map(|object| {
            ["input_schema", "inputSchema", "parameters"].into_iter().filter_map(|name| member(object, name))
        });
        let properties = schemas.find_map(|schema| member(schema, "properties"));
        let hint = |name: &str| match member(member(outer, "annotations")?, name)? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        Self {
            name,
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            arguments: properties.into_iter().flat_map(members).map(|(name, _)| name.into_owned()).collect(),
        }
    }
}

/// What stands at a JSON Pointer of a text.
pub(crate) fn at<'t>(text: &'t str, pointer: &str) -> Option<&'t str> {
    pointer.split('/').skip(1).try_fold(text.trim_ascii(), |text, token| match token.parse() {
        Ok(index) if text.starts_with('[') => text.get(batch_items(text.as_bytes()).nth(index)?),
        _ => member(text, token),
    })
}

#[cfg(test)]
mod tests {
    use mtb_core::ToolName;

    use super::{Outline, at};

    fn of(definition: &str) -> Outline {
        Outline::of(ToolName::new("a").unwrap(), definition)
    }

    #[test]
    fn reads_what_hints_at_harm_and_nothing_else() {
        let definition = r#"{"name": "a", "_meta": {"x": 1e400, "$serde_json::private::RawValue": "no JSON"},
            "annotations": {"readOnlyHint": false, "destructiveHint": true, "openWorldHint": "yes"},
            "inputSchema": {"properties": {"sql": {"type": "dict"}, "b": 1}}}"#;
        let outline = of(definition);
        assert_eq!((outline.read_only, outline.destructive), (Some(false), Some(true)));
        assert_eq!(outline.arguments, ["sql", "b"]);
        let function = of(r#"{"type": "function", "function": {"parameters": {"properties": {"to": {}}}}}"#);
        assert_eq!((function.read_only, function.arguments), (None, vec!["to".to_owned()]));
        for odd in ["7", "[]", "{}", r#"{"annotations": 7, "inputSchema": []}"#] {
            assert_eq!((of(odd).read_only, of(odd).arguments.len()), (None, 0), "{odd}");
        }
    }

    #[test]
    fn finds_what_a_pointer_leads_to() {
        let text = r#" {"tools": [{"a": 1}, [2, {"b": 3}]]} "#;
        for (pointer, found) in
            [("/tools/0", Some(r#"{"a": 1}"#)), ("/tools/1/1/b", Some("3")), ("/tools/2", None), ("/tool", None)]
        {
            assert_eq!(at(text, pointer), found, "{pointer}");
        }
        assert_eq!(at("[7]", "/0"), Some("7"));
    }
}
