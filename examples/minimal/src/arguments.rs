use std::ffi::OsString;

/// What `--help` says.
pub(crate) const HELP: &str = "\
Three governed tools served to an MCP client over stdio.

Usage: minimal [--demo | --help]

Without an option it serves: search_notes, add_note and send_email.

  --demo   start servers with different roles and walk through what each of
           them is shown, refused and asked, with the audit beside it
  --help   this text

Environment
  EXAMPLE_PRINCIPAL_ID     who is served             (default: alice)
  EXAMPLE_PRINCIPAL_ROLES  the roles, with commas    (default: reader,editor)

Add it to an MCP client, for example
  claude mcp add notes -- cargo run -q -p minimal
";

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Serve,
    Demo,
    Help,
}

/// # Errors
/// A sentence on what is wrong with the command line.
pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Asked, String> {
    let mut arguments = arguments.into_iter();
    let (first, second) = (arguments.next(), arguments.next());
    let asked = match first.as_ref().map(|argument| argument.to_string_lossy()).as_deref() {
        None => Asked::Serve,
        Some("--demo") => Asked::Demo,
        Some("--help" | "-h") => Asked::Help,
        Some(other) => return Err(format!("`{other}` is not known here; try `minimal --help`")),
    };
    if second.is_some() { Err("one option at a time; try `minimal --help`".to_owned()) } else { Ok(asked) }
}

#[cfg(test)]
mod tests {
    use super::{Asked, HELP, read};

    fn of(arguments: &[&str]) -> Result<Asked, String> {
        read(arguments.iter().map(Into::into))
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for arguments in [&["--dmeo"][..], &["demo"], &[""], &["--demo", "--help"], &["--demo", "x"]] {
            assert!(of(arguments).is_err(), "{arguments:?}");
        }
    }

    #[test]
    fn reads_the_command_line() {
        assert_eq!(of(&[]), Ok(Asked::Serve));
        assert_eq!(of(&["--demo"]), Ok(Asked::Demo));
        assert_eq!(of(&["--help"]), Ok(Asked::Help));
        assert_eq!(of(&["-h"]), Ok(Asked::Help));
    }

    #[test]
    fn the_help_fits_a_terminal() {
        assert!(HELP.lines().all(|line| line.chars().count() <= 80));
    }
}
