//! The handler of a tool, as its field.

use mtb_bridge::Tool;

fn run(tool: &Tool) {
    let _ = &tool.handler;
}

fn main() {}
