//! Unfinished work is named by its issue or is not there.

use super::Violation;
use super::tree::{SourceFile, Tree};

/// Written in two parts, so that this file does not break its own rule.
const MARKS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// A mark must be followed by an issue number: `(#12)`.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let lines = tree.files().iter().filter(|file| file.is_ours()).flat_map(SourceFile::lines);
    let marked = lines.filter(|(_, line)| MARKS.iter().any(|mark| has_bare(line, mark)));
    marked.map(|(place, _)| Violation::new("marks", place, "finish it, or add its issue number: `(#12)`")).collect()
}

/// Whether `mark` stands in the line as a word of its own without an issue number behind it.
fn has_bare(line: &str, mark: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(mark).any(|(at, _)| {
        let (before, rest) = line.split_at(at);
        let after = rest.trim_start_matches(mark);
        let alone = !before.ends_with(is_word) && !after.starts_with(is_word);
        alone && !has_number(after)
    })
}

fn has_number(after: &str) -> bool {
    let number = after.strip_prefix("(#").and_then(|rest| rest.split_once(')')).map(|(number, _)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::{MARKS, check};

    #[test]
    fn refuses_marks_without_an_issue() {
        for mark in MARKS {
            for text in ["// @: later", "# @", "// @(me)", "// @(#)", "// @(#x1)", "// @ (#12)"] {
                let text = text.replace('@', mark);
                assert_eq!(check(&Tree::of(&[("a.rs", &text)])).len(), 1, "{text}");
            }
            for text in ["// @(#12): later", "let a@b = 1;", "// @S", "nothing"] {
                let text = text.replace('@', mark);
                assert_eq!(check(&Tree::of(&[("a.rs", &text)])).len(), 0, "{text}");
            }
        }
    }
}
