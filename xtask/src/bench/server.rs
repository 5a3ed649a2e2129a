use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

/// A server that runs until this is dropped. It ends by itself with its input, also when we are killed.
pub(super) struct Server {
    child: Child,
    /// The line with which it announced itself.
    pub(super) announced: String,
}

impl Server {
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        // In a group of its own: a Ctrl-C that is meant for us does not end it in the middle of a round.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let child = child.with_context(|| format!("`{}` did not start", command.get_program().display()))?;
        let mut server = Self { child, announced: String::new() };
        let output = server.child.stdout.take().context("its output is a pipe")?;
        BufReader::new(output).read_line(&mut server.announced)?;
        if server.announced.is_empty() {
            bail!("`{}` ended before it listened", command.get_program().display());
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // What cannot be killed has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::Server;

    #[test]
    fn a_server_announces_itself_or_has_not_started() {
        let start = |script: &str| Server::start(Command::new("sh").args(["-c", script]));
        assert_eq!(start("echo here; cat").unwrap().announced, "here\n");
        assert!(start("exit 0").err().unwrap().to_string().ends_with("ended before it listened"));
        assert!(Server::start(&mut Command::new("no-such-program")).is_err());
    }
}
