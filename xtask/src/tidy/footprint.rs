//! How many crates a host takes on with the default facade.

use std::collections::BTreeSet;

use anyhow::Result;

use super::Violation;
use crate::invocation::Invocation;
use crate::workspace::Workspace;

/// The facade with its default features and all it needs is fewer crates than this.
const LIMIT: usize = 130;

/// Asks cargo for the tree: unlike the metadata, it does not mix in the features that other members switch on.
pub(super) fn measure(workspace: &Workspace) -> Result<BTreeSet<String>> {
    let tree = Invocation::cargo("tree -p mcp-tool-bridge -e normal --prefix none --locked --format {p}");
    let listed = String::from_utf8(tree.output(&workspace.root)?)?;
    Ok(crates(&listed))
}

pub(super) fn check(crates: &BTreeSet<String>) -> Vec<Violation> {
    if crates.len() < LIMIT {
        return Vec::new();
    }
    let problem = format!("{} crates with default features; fewer than {LIMIT} are allowed", crates.len());
    vec![Violation::new("footprint", "mcp-tool-bridge", problem)]
}

/// Name and version of each line; what follows them is a path or the mark of a repeated line.
fn crates(listed: &str) -> BTreeSet<String> {
    let lines = listed.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::{LIMIT, check, crates};

    #[test]
    fn counts_each_crate_once() {
        let listed = "a v1.0.0 (/w/crates/a)\nb v1.0.0\nc v2.0.0 (proc-macro)\nb v1.0.0 (*)\nb v2.0.0\n\n";
        assert_eq!(Vec::from_iter(crates(listed)), ["a v1.0.0", "b v1.0.0", "b v2.0.0", "c v2.0.0"]);
    }

    #[test]
    fn the_limit_itself_is_too_many() {
        let of = |count: usize| (0..count).map(|at| format!("c{at}")).collect();
        assert_eq!(check(&of(LIMIT)).len(), 1);
        assert_eq!(check(&of(LIMIT - 1)).len(), 0);
    }
}
