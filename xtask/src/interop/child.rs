use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

const POLL: Duration = Duration::from_millis(10);

/// Runs `command` with `input` on stdin; what it prints goes to `stdout` and `stderr`, which are files so that nothing
/// has to be read while it runs. Past `limit` it is killed: this one process, by its handle.
///
/// # Errors
/// When it does not start, or does not end in time.
pub(super) fn run_within(
    command: &mut Command,
    input: &[u8],
    stdout: &Path,
    stderr: &Path,
    limit: Duration,
) -> Result<ExitStatus> {
    let create = |path: &Path| File::create(path).with_context(|| format!("cannot write {}", path.display()));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(create(stdout)?)
        .stderr(create(stderr)?)
        .spawn()
        .with_context(|| format!("`{}` did not start", command.get_program().display()))?;
    // A child that ends without reading its input is judged by how it ended.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    wait(&mut child, limit)
}

fn wait(child: &mut Child, limit: Duration) -> Result<ExitStatus> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            bail!("did not end within {} s and was killed", limit.as_secs());
        }
        std::thread::sleep(POLL);
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::run_within;

    fn run(script: &str, limit: Duration) -> Result<String, String> {
        let folder = std::env::temp_dir().join(format!("xtask-child-{}-{}", std::process::id(), script.len()));
        std::fs::create_dir_all(&folder).unwrap();
        let (out, err) = (folder.join("out"), folder.join("err"));
        let ended = run_within(Command::new("sh").args(["-c", script]), b"input", &out, &err, limit);
        let printed = std::fs::read_to_string(&out).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        ended.map(|status| format!("{} {printed}", status.success())).map_err(|error| error.to_string())
    }

    #[test]
    fn a_child_that_does_not_end_is_killed() {
        let error = run("exec sleep 600", Duration::ZERO).unwrap_err();
        assert_eq!(error, "did not end within 0 s and was killed");
    }

    #[test]
    fn a_child_gets_its_input_and_tells_how_it_ended() {
        let limit = Duration::from_secs(60);
        assert_eq!(run("cat", limit).unwrap(), "true input");
        assert_eq!(run("exit 3", limit).unwrap(), "false ");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let folder = std::env::temp_dir();
        let (out, err) = (folder.join("xtask-none-out"), folder.join("xtask-none-err"));
        let ended = run_within(&mut Command::new("no-such-program"), b"", &out, &err, Duration::ZERO);
        assert_eq!(ended.unwrap_err().to_string(), "`no-such-program` did not start");
    }
}
