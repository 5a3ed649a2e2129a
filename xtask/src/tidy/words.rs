//! Words that tie the project to a place or a service.

use super::Violation;
use super::tree::{SourceFile, Tree};

/// Each with what it would tie us to; written in two parts, so that this file does not break its own rule.
const FORBIDDEN: [(&str, &str); 4] = [
    (concat!("crates", ".io"), "a package registry's host"),
    (concat!("pypi", ".org"), "a package registry's host"),
    (concat!("npmjs", "."), "a package registry's host"),
    (concat!("/wo", "rk/"), "a folder of one machine"),
];

/// No file of ours names them: registries are reached through their clients' own settings.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (place, line) in tree.files().iter().filter(|file| !file.is_foreign()).flat_map(SourceFile::lines) {
        let lower = line.to_ascii_lowercase();
        for (word, what) in FORBIDDEN.iter().filter(|(word, _)| lower.contains(word)) {
            violations.push(Violation::new("words", &place, format!("`{word}` is {what}: leave it out")));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::{FORBIDDEN, check};

    #[test]
    fn finds_each_word_wherever_it_stands() {
        for (word, _) in FORBIDDEN {
            for text in [format!("see https://static.{word}"), word.to_uppercase(), format!("a\nb {word}x")] {
                assert_eq!(check(&Tree::of(&[("README.md", &text)])).len(), 1, "{text}");
            }
            assert_eq!(check(&Tree::of(&[("crates/a/tests/data/x.json", word), ("Cargo.lock", word)])), []);
        }
        assert_eq!(check(&Tree::of(&[("README.md", "crates, io, work/ and networking")])), []);
    }
}
