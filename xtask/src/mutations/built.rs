//! What cargo has built in one target folder, made use of in another.

use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context, Result};

use super::checkout::remove;

/// The parts of a target folder that hold dependencies: those of ordinary tests, and those of programs that must not
/// compile.
const PARTS: [&str; 4] = ["debug/.fingerprint", "debug/build", "debug/deps", "tests"];

/// Copies what is built in `from` to the new folder `to`.
///
/// # Errors
/// When a file cannot be copied.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    let copy = to.with_extension("copy");
    remove(&copy)?;
    fs::create_dir_all(&copy)?;
    for part in PARTS.iter().filter(|part| from.join(part).exists()) {
        copy_folder(&from.join(part), &copy.join(part))
            .with_context(|| format!("{} cannot be copied", from.join(part).display()))?;
    }
    // A copy that was cut short is never taken for a whole one.
    fs::rename(&copy, to).with_context(|| format!("{} cannot be moved", copy.display()))
}

/// Files keep their times, by which cargo tells what is fresh. Programs stay behind: they are ours, and built anew.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            if entry.file_name() != "incremental" {
                copy_folder(&path, &to)?;
            }
        } else if !from.ends_with("debug/deps") || path.extension().is_some() {
            fs::copy(&path, &to)?;
            File::options().write(true).open(&to)?.set_modified(entry.metadata()?.modified()?)?;
        }
    }
    Ok(())
}
