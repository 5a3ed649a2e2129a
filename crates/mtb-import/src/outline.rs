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

/// The texts in the list in which the first stands at this JSON Pointer.
pub(crate) fn list<'t>(text: &'t str, first: &str) -> Option<impl Iterator<Item = &'t str>> {
    let (list, _) = first.rsplit_once('/')?;
    let list = list.split('/').skip(1).try_fold(text.trim_ascii(), member)?;
    Some(batch_items(list.as_bytes()).filter_map(|span| list.get(span)))
}

#[cfg(test)]
mod tests {
    use mtb_core::ToolName;

    use super::{Outline, list};

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
    fn finds_the_list_of_definitions() {
        for (text, first, found) in [
            (r#" [{"a": 1}, 7] "#, "/0", &[r#"{"a": 1}"#, "7"][..]),
            (r#"{"tools": [[2], {}]}"#, "/tools/0", &["[2]", "{}"]),
            (r#"{"result": {"tools": []}}"#, "/result/tools/0", &[]),
        ] {
            assert_eq!(list(text, first).unwrap().collect::<Vec<_>>(), found, "{text}");
        }
        assert!(list("{}", "/tools/0").is_none());
    }
}
