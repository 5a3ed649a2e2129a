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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use mcp_tool_bridge::ToolRegistry;

    use super::all;
    use crate::notes::Notebook;

    #[test]
    fn the_review_table_is_what_was_agreed() {
        let registry: ToolRegistry = ToolRegistry::new();
        registry.register_all(all(&Arc::new(Notebook::new()))).unwrap();
        let table = registry.review().to_string();
        let rows: Vec<Vec<_>> = table.lines().skip(2).map(|row| row.split('|').map(str::trim).collect()).collect();
        assert_eq!(
            rows,
            [
                ["", "search_notes", "none", "reversible", "policy", "reader", "nothing", "nothing", ""],
                ["", "add_note", "low", "reversible", "policy", "editor", "nothing", "nothing", ""],
                ["", "send_email", "high", "irreversible", "policy", "editor", "arguments/to", "nothing", ""],
            ]
        );
        let send = registry.get("send_email").unwrap();
        let places =
            ["to", "subject", "body"].map(|name| send.declaration().arguments().text().find(&format!("\"{name}\"")));
        assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
        let limits: Vec<_> = registry.list().iter().map(|tool| tool.declaration().timeout()).collect();
        assert_eq!(limits, [None, None, Some(Duration::from_secs(10))]);
    }
}
