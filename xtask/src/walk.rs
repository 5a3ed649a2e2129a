use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// What holds nothing of the project's: folders, and in a second worktree `.git` as a file.
const SKIPPED: [&str; 4] = ["target", ".git", "__pycache__", "node_modules"];

/// What marks a folder of things that can be made again, such as a target folder of any name
/// (<https://bford.info/cachedir/>).
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// Marks the folder so that [`files`] passes it by, wherever it is.
///
/// # Errors
/// When the mark cannot be written.
pub(crate) fn mark_as_cache(folder: &Path) -> Result<()> {
    let mark = folder.join(CACHE_TAG);
    fs::write(&mark, "Signature: 8a477f597d28d172789f06886806bc55\n")
        .with_context(|| format!("cannot write {}", mark.display()))
}

/// The paths of the files below `root`, from there and with `/` between folders, in order.
///
/// # Errors
/// When a folder cannot be read.
pub(crate) fn files(root: &Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    collect(root, "", &mut paths).with_context(|| format!("the files below {} cannot be listed", root.display()))?;
    paths.sort();
    Ok(paths)
}

fn collect(folder: &Path, prefix: &str, paths: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if SKIPPED.contains(&name.as_str()) {
            continue;
        }
        if kind.is_dir() {
            if entry.path().join(CACHE_TAG).exists() {
                continue;
            }
            collect(&entry.path(), &format!("{path}/"), paths)?;
        } else if kind.is_file() {
            paths.push(path);
        }
    }
    Ok(())
}
