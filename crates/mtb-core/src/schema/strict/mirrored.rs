use std::collections::BTreeSet;

use serde_json::Value;

use crate::schema::document::Node;
use crate::schema::problem::SchemaProblem;

/// The keyword of a property whose value travels in a header, too, which it names
/// (2026-07-28/server/tools, Custom Header Mappings).
pub(super) const KEYWORD: &str = "x-mcp-header";

/// Types whose values can stand in a header.
const TYPES: [&str; 4] = ["string", "integer", "boolean", "null"];

/// Longest name of a header, in bytes: what is between client and server takes no much longer ones.
const MAX_BYTES: usize = 128;

/// The headers that a schema names, in lower case.
#[derive(Default)]
pub(super) struct Headers(BTreeSet<String>);

impl Headers {
    /// Why clients and servers would not take the same notice of this one, or none.
    pub(super) fn problem(&mut self, node: &Node<'_>, value: &Value) -> Option<SchemaProblem> {
        let (problem, remedy) = match value.as_str().filter(|name| is_token(name)) {
            None => (
                "the value of `x-mcp-header` is no name of a header",
                "write letters, digits and `-`, 128 of them at most",
            ),
            Some(_) if !is_property(&node.pointer) => (
                "`x-mcp-header` stands where no one property is meant",
                "write it in a property of the root, or of an object that is one, and not behind `$ref` or in a list",
            ),
            Some(_) if node.types().is_empty() || !node.types().iter().all(|name| TYPES.contains(name)) => (
                "`x-mcp-header` says something about strings, integers and booleans only",
                "declare one of them as the `type` beside it, or remove it",
            ),
            Some(name) if !self.0.insert(name.to_ascii_lowercase()) => {
                ("`x-mcp-header` names a header that another property has", "name another header")
            }
            Some(_) => return None,
        };
        Some(SchemaProblem::new(node.at(KEYWORD), problem, remedy))
    }
}

/// Whether a path of `properties`, and of nothing else, leads there.
fn is_property(pointer: &str) -> bool {
    let tokens: Vec<&str> = pointer.split('/').skip(1).collect();
    !tokens.is_empty() && tokens.chunks(2).all(|pair| matches!(pair, ["properties", _]))
}

/// <https://www.rfc-editor.org/rfc/rfc9110#name-tokens>
fn is_token(name: &str) -> bool {
    (1..=MAX_BYTES).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
