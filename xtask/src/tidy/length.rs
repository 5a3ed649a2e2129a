//! A Rust file is one concept, and a concept rarely needs more than 400 lines.

use super::Violation;
use super::tree::Tree;

const LIMIT: usize = 400;

/// Files that are longer, each with the reason why it is still one concept.
pub(super) const LONG: &[(&str, &str)] = &[];

/// A file over the limit that `long` does not name, and a name in `long` that no longer needs to stand there.
pub(super) fn check(tree: &Tree, long: &[(&str, &str)]) -> Vec<Violation> {
    let over: Vec<(&str, usize)> = tree
        .files()
        .iter()
        .filter(|file| file.is_rust() && !file.is_foreign())
        .map(|file| (file.path.as_str(), file.text.lines().count()))
        .filter(|(_, lines)| *lines > LIMIT)
        .collect();
    let unnamed = over.iter().filter(|(path, _)| !long.iter().any(|(named, _)| named == path));
    let unnamed = unnamed.map(|(path, lines)| {
        let problem = format!("{lines} lines, over {LIMIT}: split it, or say why not in xtask/src/tidy/length.rs");
        Violation::new("length", *path, problem)
    });
    let stale = long.iter().filter(|(named, _)| !over.iter().any(|(path, _)| path == named));
    let stale = stale.map(|(named, _)| {
        Violation::new("length", *named, "is not that long any more: take it off xtask/src/tidy/length.rs")
    });
    unnamed.chain(stale).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::{LIMIT, check};

    #[test]
    fn long_files_are_split_or_explained() {
        let long = "\n".repeat(LIMIT + 1);
        let fits = "\n".repeat(LIMIT);
        let tree = Tree::of(&[("a.rs", &long), ("b.rs", &fits), ("c.md", &long), ("d.rs", &long)]);
        let places = |named: &[(&str, &str)]| -> Vec<String> {
            check(&tree, named).into_iter().map(|violation| violation.place).collect()
        };
        assert_eq!(places(&[]), ["a.rs", "d.rs"]);
        assert_eq!(places(&[("a.rs", "one table")]), ["d.rs"]);
        assert_eq!(places(&[("a.rs", "one table"), ("d.rs", "same"), ("b.rs", "stale")]), ["b.rs"]);
    }
}
