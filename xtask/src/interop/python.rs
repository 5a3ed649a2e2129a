use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use serde::Deserialize;

use crate::child::run_within;

/// Installing may take this long, downloads included.
const LIMIT: Duration = Duration::from_secs(300);

/// A package and the exact version that is installed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pin {
    pub(super) name: String,
    pub(super) version: String,
}

/// Installs the packages into a virtual environment at `venv`, or finds them there; returns that Python's path.
///
/// pip's own settings (index, certificates, proxies) are left as the machine has them.
///
/// # Errors
/// When Python, `venv` or the package index is missing.
pub(super) fn install(pins: &[Pin], venv: &Path) -> Result<PathBuf> {
    let python = if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin").join("python") };
    let missing = |pin: &&Pin| installed(&python, &pin.name).as_deref() != Some(pin.version.as_str());
    if !pins.iter().any(|pin| missing(&pin)) {
        return Ok(python);
    }
    let wanted: Vec<String> = pins.iter().map(|pin| format!("{}=={}", pin.name, pin.version)).collect();
    let shown = wanted.join(" ");
    println!("installing {shown} into {}", venv.display());
    let system = if cfg!(windows) { "python" } else { "python3" };
    let venv_needs = "this needs Python 3.10 or later with `venv` and `pip`";
    run(Command::new(system).args(["-m", "venv", "--clear"]).arg(venv), venv)
        .with_context(|| format!("`{system} -m venv` failed; {venv_needs}"))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--no-input"]).args(&wanted), venv)
        .with_context(|| format!("pip could not install `{shown}`; is the package index reachable?"))?;
    match pins.iter().find(missing) {
        None => Ok(python),
        Some(pin) => {
            let found = installed(&python, &pin.name).unwrap_or_else(|| "nothing".to_owned());
            bail!("pip installed {found} instead of {} {}", pin.name, pin.version)
        }
    }
}

/// The version of `package` that this Python would import.
fn installed(python: &Path, package: &str) -> Option<String> {
    let script = "import sys, importlib.metadata as m; print(m.version(sys.argv[1]), end='')";
    let output = Command::new(python).args(["-c", script, package]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs it to its end; what it said is told when it failed.
fn run(command: &mut Command, venv: &Path) -> Result<()> {
    let (stdout, stderr) = (venv.with_extension("out"), venv.with_extension("err"));
    let status = run_within(command, b"", &stdout, &stderr, LIMIT)?.exited()?;
    if !status.success() {
        bail!("it ended with {status}:\n{}", std::fs::read_to_string(&stderr).unwrap_or_default().trim_end());
    }
    Ok(())
}
