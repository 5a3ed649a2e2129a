use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// One command line of cargo's, which can be run and shown so that a person can repeat it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Invocation {
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
}

impl Invocation {
    /// `cargo` with these arguments, separated by spaces.
    pub(crate) fn cargo(arguments: &str) -> Self {
        Self { arguments: arguments.split_whitespace().map(String::from).collect(), environment: Vec::new() }
    }

    /// The same with more arguments, separated by spaces.
    pub(crate) fn with(mut self, arguments: &str) -> Self {
        self.arguments.extend(arguments.split_whitespace().map(String::from));
        self
    }

    /// The same with one more argument, as it is.
    pub(crate) fn with_argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// The same with an environment variable set.
    pub(crate) fn with_env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// The command, in `root`. The cargo that started us is used, so that the toolchain stays the same.
    pub(crate) fn command(&self, root: &Path) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(root);
        command
    }

    /// Runs it; its output goes straight to ours.
    pub(crate) fn run(&self, root: &Path) -> Result<()> {
        let status = self.command(root).status().with_context(|| format!("`{self}` did not start"))?;
        if !status.success() {
            bail!("`{self}` ended with {status}");
        }
        Ok(())
    }

    /// Runs it and returns what it printed on stdout.
    pub(crate) fn output(&self, root: &Path) -> Result<Vec<u8>> {
        let output = self.command(root).output().with_context(|| format!("`{self}` did not start"))?;
        if !output.status.success() {
            bail!("`{self}` ended with {}:\n{}", output.status, String::from_utf8_lossy(&output.stderr));
        }
        Ok(output.stdout)
    }
}

impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.environment {
            write!(f, "{name}={} ", quoted(value))?;
        }
        f.write_str("cargo")?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {}", quoted(argument)))
    }
}

/// The text as a POSIX shell reads it back.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@+".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::{Invocation, quoted};

    #[test]
    fn prints_a_line_that_a_shell_repeats() {
        let shown = Invocation::cargo("test -p mtb-guard").with_env("RUSTFLAGS", "--cfg shuttle").to_string();
        assert_eq!(shown, "RUSTFLAGS='--cfg shuttle' cargo test -p mtb-guard");
    }

    #[test]
    fn quotes_what_a_shell_would_split() {
        for (text, shown) in [("a-b", "a-b"), ("", "''"), ("a b", "'a b'"), ("it's", r"'it'\''s'")] {
            assert_eq!(quoted(text), shown);
        }
    }
}
