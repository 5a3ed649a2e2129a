use std::sync::Arc;

use mcp_tool_bridge::{Governance, JsonSchema, Reversibility, Sensitivity, Tool, ToolDraft, ToolError, any_of};

use crate::notes::{Full, Notebook};

/// A note too many does little harm, so it runs at once.
pub(crate) fn tool(notebook: &Arc<Notebook>) -> ToolDraft {
    let schema = JsonSchema::text(
        r#"{
            "type": "object",
            "properties": {
                "text": {"type": "string", "minLength": 1, "maxLength": 500, "description": "What the note says."}
            },
            "required": ["text"],
            "additionalProperties": false
        }"#,
    );
    let governance = Governance {
        sensitivity: Sensitivity::Low,
        reversibility: Reversibility::Reversible,
        roles: any_of(["editor"]),
    };
    let notebook = Arc::clone(notebook);
    Tool::declare("add_note", "Adds a note to the notebook, in the caller's name.", schema, governance)
        .title("Add a note")
        .handler(move |arguments, call| {
            let notebook = Arc::clone(&notebook);
            async move {
                match notebook.add(arguments.string("text")?, call.principal().id().as_str()) {
                    Ok(id) => Ok(format!("Note {id} added.")),
                    Err(Full) => Err(ToolError::new("The notebook is full.").into()),
                }
            }
        })
}
