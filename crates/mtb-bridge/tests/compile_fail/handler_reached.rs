//! The code of a tool is out of reach, from the tool and from its draft.

use mtb_bridge::{Tool, ToolDraft};

fn run(tool: &Tool, draft: ToolDraft) {
    let _ = &tool.handler;
    let _ = tool.handler();
    let _ = draft.handler;
}

fn main() {}
