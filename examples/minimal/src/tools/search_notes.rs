use std::sync::Arc;

use mcp_tool_bridge::{Governance, JsonSchema, Reversibility, Sensitivity, Tool, ToolDraft, any_of};
use serde_json::json;

use crate::notes::{Note, Notebook};

/// Reading changes nothing, so it never waits.
pub(crate) fn tool(notebook: &Arc<Notebook>) -> ToolDraft {
    let schema = JsonSchema::text(
        r#"{
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "description": "Text that the notes must hold."}
            },
            "required": ["query"],
            "additionalProperties": false
        }"#,
    );
    let governance = Governance {
        sensitivity: Sensitivity::None,
        reversibility: Reversibility::Reversible,
        roles: any_of(["reader"]),
    };
    let notebook = Arc::clone(notebook);
    Tool::declare("search_notes", "Finds the notes that hold a text, whatever its case.", schema, governance)
        .title("Search notes")
        .handler(move |arguments, _call| {
            let notebook = Arc::clone(&notebook);
            async move {
                let found = notebook.search(arguments.string("query")?);
                let notes: Vec<_> = found
                    .into_iter()
                    .map(|Note { id, text, author }| json!({"id": id, "text": text, "author": author}))
                    .collect();
                Ok(json!({"notes": notes}))
            }
        })
}
