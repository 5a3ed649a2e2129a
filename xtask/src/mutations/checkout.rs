use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::table::Mutation;
use crate::walk;

/// A copy of the workspace that a mutant may be made in. It is gone when this value is.
///
/// Files get the time of the copy, never that of the original: cargo would take an older file for one that it has
/// built already.
#[derive(Debug)]
pub(super) struct Checkout {
    folder: PathBuf,
    /// The files as they were copied.
    files: BTreeMap<String, Vec<u8>>,
}

impl Checkout {
    /// Copies the files of the workspace at `root` to `folder`, in place of what is there.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub(super) fn copy(root: &Path, folder: PathBuf) -> Result<Self> {
        remove(&folder)?;
        let mut checkout = Self { folder, files: BTreeMap::new() };
        for path in walk::files(root)? {
            let to = checkout.folder.join(&path);
            let copied = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| {
                let bytes = fs::read(root.join(&path))?;
                fs::write(&to, &bytes)?;
                fs::set_permissions(&to, fs::metadata(root.join(&path))?.permissions())?;
                Ok(bytes)
            });
            let bytes =
                copied.with_context(|| format!("`{path}` cannot be copied to {}", checkout.folder.display()))?;
            checkout.files.insert(path, bytes);
        }
        Ok(checkout)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs `work` while the mutant stands in this copy, and puts everything back as it was copied.
    ///
    /// # Errors
    /// When the file cannot be read, written or put back, and what `work` says.
    ///
    /// # Returns
    /// In the inner error, how often the text to replace is in the file, when that is not once.
    pub(super) fn with<T>(&self, mutation: &Mutation, work: impl FnOnce() -> Result<T>) -> Result<Result<T, usize>> {
        let path = self.folder.join(&mutation.file);
        let Ok(original) = fs::read_to_string(&path) else { return Ok(Err(0)) };
        let mutant = match mutation.apply(&original) {
            Ok(mutant) => mutant,
            Err(times) => return Ok(Err(times)),
        };
        fs::write(&path, mutant).with_context(|| format!("cannot write {}", path.display()))?;
        let done = work();
        self.reset()?;
        done.map(Ok)
    }

    /// Puts back what was changed and takes away what was added, by the mutant or by its tests. What is as it was is not
    /// written again: cargo would build it again.
    fn reset(&self) -> Result<()> {
        for path in walk::files(&self.folder)?.iter().filter(|path| !self.files.contains_key(*path)) {
            fs::remove_file(self.folder.join(path)).with_context(|| format!("`{path}` cannot be removed"))?;
        }
        for (path, bytes) in &self.files {
            let path = self.folder.join(path);
            if fs::read(&path).ok().as_ref() != Some(bytes) {
                fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        Ok(())
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        if let Err(error) = remove(&self.folder) {
            eprintln!("warning: {error:#}");
        }
    }
}

/// The SHA-256 of the files of the workspace at `root`: their paths, lengths and bytes.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn digest(root: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    for path in walk::files(root)? {
        let bytes = fs::read(root.join(&path)).with_context(|| format!("`{path}` cannot be read"))?;
        hash.update(format!("{path}\0{}\0", bytes.len()));
        hash.update(&bytes);
    }
    let bytes: Vec<String> = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(bytes.concat())
}

/// Removes a folder with what is in it, if it is there.
pub(super) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be removed", folder.display()))
        }
        _ => Ok(()),
    }
}
