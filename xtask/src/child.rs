use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::interrupt;

mod served;

pub(crate) use served::Served;

const POLL: Duration = Duration::from_millis(10);

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    Exited(ExitStatus),
    /// It was still running at its limit, and was killed with every process it had started.
    TimedOut,
    /// We were asked to stop; it was killed in the same way.
    Interrupted,
}

impl Ended {
    /// The status of a child that ended by itself.
    ///
    /// # Errors
    /// When it was killed.
    pub(crate) fn exited(self) -> Result<ExitStatus> {
        match self {
            Self::Exited(status) => Ok(status),
            Self::TimedOut => bail!("did not end in time and was killed"),
            Self::Interrupted => bail!("interrupted"),
        }
    }
}

/// Runs `command` with `input` on stdin; what it prints goes to `stdout` and `stderr`, which are files so that nothing
/// has to be read while it runs. It leads a process group of its own, which is what is killed past `limit`.
///
/// # Errors
/// When it does not start, or cannot be waited for.
pub(crate) fn run_within(
    command: &mut Command,
    input: &[u8],
    stdout: &Path,
    stderr: &Path,
    limit: Duration,
) -> Result<Ended> {
    let mut child = start(command, stdout, stderr)?;
    // A child that ends without reading its input is judged by how it ended.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    wait(&mut child, limit)
}

/// Starts it as the leader of a process group of its own.
fn start(command: &mut Command, stdout: &Path, stderr: &Path) -> Result<Child> {
    let create = |path: &Path| File::create(path).with_context(|| format!("cannot write {}", path.display()));
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
        .stdin(Stdio::piped())
        .stdout(create(stdout)?)
        .stderr(create(stderr)?)
        .spawn()
        .with_context(|| format!("`{}` did not start", command.get_program().display()))
}

fn wait(child: &mut Child, limit: Duration) -> Result<Ended> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::Exited(status));
        }
        let stopping = interrupt::is_requested();
        if stopping || Instant::now() >= deadline {
            kill(child)?;
            child.wait()?;
            return Ok(if stopping { Ended::Interrupted } else { Ended::TimedOut });
        }
        std::thread::sleep(POLL);
    }
}

/// Kills the group that the child leads; it has not been waited for, so its id is still its own.
#[cfg(unix)]
fn kill(child: &Child) -> Result<()> {
    let group = rustix::process::Pid::from_child(child);
    rustix::process::kill_process_group(group, rustix::process::Signal::KILL).context("a child cannot be killed")
}

#[cfg(not(unix))]
fn kill(child: &mut Child) -> Result<()> {
    child.kill().context("a child cannot be killed")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::process::Command;
    use std::time::Duration;

    use super::{Ended, run_within};

    fn folder(script: &str) -> PathBuf {
        std::env::temp_dir().join(format!("xtask-child-{}-{}", std::process::id(), script.len()))
    }

    fn run(script: &str, limit: Duration) -> (Ended, String) {
        let folder = folder(script);
        std::fs::create_dir_all(&folder).unwrap();
        let (out, err) = (folder.join("out"), folder.join("err"));
        let ended = run_within(Command::new("sh").args(["-c", script]), b"input", &out, &err, limit).unwrap();
        let printed = std::fs::read_to_string(&out).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        (ended, printed)
    }

    #[test]
    fn a_child_that_does_not_end_is_killed() {
        assert_eq!(run("exec sleep 600", Duration::ZERO).0, Ended::TimedOut);
    }

    /// The second child holds the output open; a reader would wait for it in vain.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_childs_children_are_killed_with_it() {
        let (ended, printed) = run("sleep 600 & echo $!; wait", Duration::from_millis(500));
        assert_eq!(ended, Ended::TimedOut);
        let is_there = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", printed.trim())).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
        };
        // A killed process is gone as soon as the kernel comes to it.
        let deadline = std::time::Instant::now() + Duration::from_secs(10);
        while is_there() {
            assert!(std::time::Instant::now() < deadline, "it is still there");
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_child_gets_its_input_and_tells_how_it_ended() {
        let limit = Duration::from_secs(60);
        for (script, success, printed) in [("cat", true, "input"), ("exit 3", false, "")] {
            let (ended, out) = run(script, limit);
            assert!(matches!(ended, Ended::Exited(status) if status.success() == success), "{ended:?}");
            assert_eq!(out, printed);
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let folder = std::env::temp_dir();
        let (out, err) = (folder.join("xtask-none-out"), folder.join("xtask-none-err"));
        let ended = run_within(&mut Command::new("no-such-program"), b"", &out, &err, Duration::ZERO);
        assert_eq!(ended.unwrap_err().to_string(), "`no-such-program` did not start");
    }
}
