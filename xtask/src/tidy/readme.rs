//! What the README tells a newcomer to run is what is checked, and so is what it says of other people's clients.

use anyhow::Result;

use super::Violation;
use super::tree::SourceFile;
use crate::interop;
use crate::workspace::TEST_COMMAND;

/// The README shows the test command of `cargo xtask ci`, letter by letter and without further options.
pub(super) fn check(readme: Option<&SourceFile>) -> Vec<Violation> {
    let problem = match readme {
        None => "is missing".to_owned(),
        Some(readme) if !shows(&readme.text) => format!("must show the command `{TEST_COMMAND}`, as it is"),
        Some(_) => return Vec::new(),
    };
    vec![violation(problem)]
}

/// The README shows the clients and scenarios of `cargo xtask interop`.
///
/// # Errors
/// When their tables cannot be read.
pub(super) fn check_clients(readme: Option<&SourceFile>) -> Result<Vec<Violation>> {
    let problem = interop::readme::problem(readme.map_or("", |readme| &readme.text))?;
    Ok(problem.into_iter().map(violation).collect())
}

fn violation(problem: String) -> Violation {
    Violation::new("readme", "README.md", problem)
}

fn shows(text: &str) -> bool {
    text.split(TEST_COMMAND).skip(1).any(|after| !after.trim_start_matches(' ').starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::check;

    #[test]
    fn refuses_a_readme_that_shows_other_tests() {
        for text in ["", "cargo test\n", "cargo test --workspace --all-features\n"] {
            assert_eq!(check(Tree::of(&[("README.md", text)]).find("README.md")).len(), 1, "{text:?}");
        }
        assert_eq!(check(None).len(), 1);
    }

    #[test]
    fn accepts_the_command_that_is_run() {
        for text in [
            "```sh\ncargo test --workspace\n```\n",
            "`cargo test --workspace` is green",
            "cargo test --workspace  # all",
        ] {
            assert_eq!(check(Tree::of(&[("README.md", text)]).find("README.md")), [], "{text:?}");
        }
    }
}
