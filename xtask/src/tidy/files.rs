//! How files are named and begin.

use super::Violation;
use super::tree::{SourceFile, Tree};

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 5] = ["mod.rs", "utils.rs", "common.rs", "helpers.rs", "manager.rs"];

/// A file is named for the one concept it holds.
pub(super) fn check_names(tree: &Tree) -> Vec<Violation> {
    let empty = tree.files().iter().filter(|file| !file.is_foreign() && EMPTY_NAMES.contains(&file.name()));
    empty.map(|file| Violation::new("names", &file.path, "name the file for the concept it holds")).collect()
}

/// No tabs, no blanks at the end of a line, and every library begins with what it promises.
pub(super) fn check_layout(tree: &Tree) -> Vec<Violation> {
    tree.files().iter().filter(|file| file.is_ours()).flat_map(check_file).collect()
}

fn check_file(file: &SourceFile) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (place, line) in file.lines() {
        if line.contains('\t') {
            violations.push(Violation::new("layout", &place, "a tab: indent with spaces, write `\\t` in texts"));
        }
        if line.ends_with([' ', '\t', '\r']) {
            violations.push(Violation::new("layout", &place, "blanks at the end of the line"));
        }
    }
    if file.path.starts_with("crates/") && file.path.ends_with("/src/lib.rs") && !file.text.starts_with("//!") {
        violations.push(Violation::new("layout", &file.path, "must begin with the crate's documentation (`//!`)"));
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::{check_layout, check_names};

    #[test]
    fn refuses_names_that_say_nothing() {
        for name in ["mod.rs", "utils.rs", "common.rs", "helpers.rs", "manager.rs"] {
            assert_eq!(check_names(&Tree::of(&[(&format!("crates/a/src/{name}"), "")])).len(), 1, "{name}");
        }
        let fine = [("crates/a/src/model.rs", ""), ("crates/a/src/common_name.rs", ""), ("x/data/mod.rs", "")];
        assert_eq!(check_names(&Tree::of(&fine)), []);
    }

    #[test]
    fn refuses_sloppy_layout() {
        for (path, text, count) in [
            ("a.rs", "fn a() {}\t\n", 2),
            ("a.md", "text  \n", 1),
            ("a.toml", "a = 1\r\n", 1),
            (".ci/run", "\tls\n", 1),
            ("crates/a/src/lib.rs", "mod a;\n", 1),
            ("crates/a/src/lib.rs", "//! Promise.\nmod a;\n", 0),
            ("crates/a/tests/data/given.md", "text  \n", 0),
        ] {
            assert_eq!(check_layout(&Tree::of(&[(path, text)])).len(), count, "{path} {text:?}");
        }
    }
}
