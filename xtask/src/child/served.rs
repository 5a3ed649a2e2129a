use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{Ended, POLL, kill, start, wait};
use crate::interrupt;

/// A child that says where it is, and serves until its input ends.
pub(crate) struct Served {
    child: Child,
    /// The first line of its output.
    pub(crate) address: String,
}

impl Served {
    /// Starts it, and waits for its address.
    ///
    /// # Errors
    /// When it does not start, or does not say its address within `limit`.
    pub(crate) fn start(command: &mut Command, stdout: &Path, stderr: &Path, limit: Duration) -> Result<Self> {
        let mut served = Self { child: start(command, stdout, stderr)?, address: String::new() };
        let deadline = Instant::now() + limit;
        loop {
            let said = std::fs::read_to_string(stdout).with_context(|| format!("cannot read {}", stdout.display()))?;
            if let Some((line, _)) = said.split_once('\n') {
                line.trim_end().clone_into(&mut served.address);
                return Ok(served);
            }
            if let Some(status) = served.child.try_wait()? {
                bail!("it ended with {status} before it said its address: see {}", stderr.display());
            }
            if interrupt::is_requested() || Instant::now() >= deadline {
                bail!("it did not say its address in time");
            }
            std::thread::sleep(POLL);
        }
    }

    /// Ends its input, and waits for its end.
    ///
    /// # Errors
    /// When it cannot be waited for.
    pub(crate) fn end(mut self, limit: Duration) -> Result<Ended> {
        drop(self.child.stdin.take());
        wait(&mut self.child, limit)
    }
}

/// Nothing that was started outlives a failure.
impl Drop for Served {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) && kill(&self.child).is_ok() {
            // Its end is not the failure that is told.
            let _ = self.child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::process::Command;
    use std::time::Duration;

    use super::{Ended, Served};

    const LIMIT: Duration = Duration::from_secs(60);

    fn start(script: &str, limit: Duration) -> (anyhow::Result<Served>, PathBuf) {
        let folder = std::env::temp_dir().join(format!("xtask-served-{}-{}", std::process::id(), script.len()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new("sh");
        let (out, err) = (folder.join("out"), folder.join("err"));
        (Served::start(command.args(["-c", script]), &out, &err, limit), folder)
    }

    #[test]
    fn it_serves_until_its_input_ends() {
        let (served, folder) = start("echo there; echo more; cat >/dev/null; exit 3", LIMIT);
        let served = served.unwrap();
        assert_eq!(served.address, "there");
        let ended = served.end(LIMIT).unwrap();
        assert!(matches!(ended, Ended::Exited(status) if status.code() == Some(3)), "{ended:?}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn who_does_not_end_is_killed() {
        let (served, folder) = start("echo there; exec sleep 600", LIMIT);
        assert_eq!(served.unwrap().end(Duration::ZERO).unwrap(), Ended::TimedOut);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn who_does_not_say_where_it_is_serves_nobody() {
        for (script, limit, told) in
            [("exit 4", LIMIT, "before it said its address"), ("exec sleep 601", Duration::ZERO, "in time")]
        {
            let (served, folder) = start(script, limit);
            assert!(served.err().unwrap().to_string().contains(told), "{script}");
            std::fs::remove_dir_all(folder).unwrap();
        }
    }
}
