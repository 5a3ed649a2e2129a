use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Folders that hold nothing of the project's.
const SKIPPED: [&str; 4] = ["target", ".git", "__pycache__", "node_modules"];

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
        if kind.is_dir() && !SKIPPED.contains(&name.as_str()) {
            collect(&entry.path(), &format!("{path}/"), paths)?;
        } else if kind.is_file() {
            paths.push(path);
        }
    }
    Ok(())
}
