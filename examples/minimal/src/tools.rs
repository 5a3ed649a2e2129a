use std::sync::Arc;

use mcp_tool_bridge::ToolDraft;

use crate::notes::Notebook;

mod add_note;
mod search_notes;
mod send_email;

/// Every tool of the example, in the order clients see them.
pub(crate) fn all(notebook: &Arc<Notebook>) -> [ToolDraft; 3] {
    [search_notes::tool(notebook), add_note::tool(notebook), send_email::tool()]
}
