//! The handler of a tool that is not checked yet.

use mtb_bridge::ToolDraft;

fn run(draft: ToolDraft) {
    let _ = draft.handler;
}

fn main() {}
