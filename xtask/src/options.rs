use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

/// More names than this are not told in an error.
const MOST_TOLD: usize = 50;

/// What may follow a command's name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// `--only NAME`, repeatable: run these and nothing else. Empty: run all.
    pub(crate) only: Vec<String>,
    /// `--list`: say what would run.
    pub(crate) list: bool,
    /// `--server PROGRAM`: drive this program instead of the testbed.
    pub(crate) server: Option<PathBuf>,
    /// `--versus COMMAND`: measure this server, too.
    pub(crate) versus: Option<String>,
    /// `--jobs N`: do so many at once.
    pub(crate) jobs: Option<NonZeroUsize>,
    /// `--json FILE`: write the result there, too.
    pub(crate) json: Option<PathBuf>,
    /// `--write-readme`: bring the README up to date and do nothing else.
    pub(crate) write_readme: bool,
}

impl Options {
    /// Reads `arguments`, of which the command understands the options in `known`.
    pub(crate) fn parse(arguments: &[String], known: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            if !known.contains(&name.as_str()) {
                bail!("no option `{name}` here");
            }
            let mut value = || arguments.next().with_context(|| format!("`{name}` needs a value"));
            match name.as_str() {
                "--only" => options.only.push(value()?.clone()),
                "--server" => options.server = Some(PathBuf::from(value()?)),
                "--versus" => options.versus = Some(value()?.clone()),
                "--json" => options.json = Some(PathBuf::from(value()?)),
                "--jobs" => {
                    let jobs = value()?.parse().context("`--jobs` needs a number, at least 1")?;
                    options.jobs = Some(jobs);
                }
                "--write-readme" => options.write_readme = true,
                _ => options.list = true,
            }
        }
        Ok(options)
    }

    /// The names of `--only` against those that exist.
    ///
    /// # Errors
    /// When one of them is no such name: a misspelt selection must not pass by running nothing.
    pub(crate) fn check_only<'a>(&self, names: impl IntoIterator<Item = &'a str> + Clone) -> Result<()> {
        for wanted in &self.only {
            if !names.clone().into_iter().any(|name| name == wanted) {
                let all: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
                match all.len() {
                    0..=MOST_TOLD => bail!("`--only {wanted}` names nothing; there are {}", all.join(", ")),
                    count => bail!("`--only {wanted}` names nothing; `--list` shows the {count} names there are"),
                }
            }
        }
        Ok(())
    }

    /// Whether `name` is to run.
    pub(crate) fn selects(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == name)
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        Options::parse(&arguments, &["--only", "--list", "--jobs"]).map_err(|error| error.to_string())
    }

    #[test]
    fn refuses_what_a_command_does_not_know() {
        assert_eq!(parse(&["--onyl", "fmt"]).unwrap_err(), "no option `--onyl` here");
        assert_eq!(parse(&["fmt"]).unwrap_err(), "no option `fmt` here");
        assert_eq!(parse(&["--server", "x"]).unwrap_err(), "no option `--server` here");
        assert_eq!(parse(&["--only"]).unwrap_err(), "`--only` needs a value");
        for jobs in ["0", "-1", "two"] {
            assert_eq!(parse(&["--jobs", jobs]).unwrap_err(), "`--jobs` needs a number, at least 1");
        }
    }

    #[test]
    fn a_selection_that_names_nothing_is_an_error() {
        let options = parse(&["--only", "fmt", "--only", "clipy"]).unwrap();
        let error = options.check_only(["fmt", "clippy"]).unwrap_err().to_string();
        assert_eq!(error, "`--only clipy` names nothing; there are `fmt`, `clippy`");
        let error = options.check_only(["fmt"; 51]).unwrap_err().to_string();
        assert_eq!(error, "`--only clipy` names nothing; `--list` shows the 51 names there are");
    }

    #[test]
    fn selects_what_was_named_or_everything() {
        let options = parse(&["--only", "fmt", "--list"]).unwrap();
        assert!(options.list && options.selects("fmt") && !options.selects("clippy"));
        assert!(parse(&[]).unwrap().selects("clippy"));
    }
}
