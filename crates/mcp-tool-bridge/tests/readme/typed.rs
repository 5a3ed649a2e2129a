use mcp_tool_bridge::{Governance, Tool, ToolDraft, ToolError, Typed};

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Invoice { number: u32 }

fn send_invoice(governance: Governance) -> ToolDraft {
    let tool = Tool::declare("send_invoice", "Emails an invoice.", Typed::<Invoice>::new(), governance);
    tool.handler(|invoice, _call| async move {
        match invoice.number {
            0 => Err(ToolError::new("no such invoice").into()),
            number => Ok(format!("Invoice {number} sent.")),
        }
    })
}
