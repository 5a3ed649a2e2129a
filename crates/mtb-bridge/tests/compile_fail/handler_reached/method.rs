//! The handler of a tool, by its method.

use mtb_bridge::Tool;

fn run(tool: &Tool) {
    let _ = tool.handler();
}

fn main() {}
