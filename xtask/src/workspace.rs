use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::invocation::Invocation;
use crate::metadata::Metadata;

/// What a newcomer runs; the README says so, and `tidy` holds it to that.
pub(crate) const TEST_COMMAND: &str = "cargo test --workspace";

/// Environment variables that tests read, and the folder that each names.
const DATA: [(&str, &str); 2] = [("MTB_CATALOGUES", "catalogues"), ("MTB_SCHEMA_SUITE", "json-schema-test-suite")];

/// The checkout and what cargo knows about it.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) metadata: Metadata,
}

impl Workspace {
    /// Asks cargo once, with every feature on, so that optional dependencies are judged too.
    ///
    /// # Errors
    /// When cargo fails, which includes a `Cargo.lock` that no longer fits the manifests.
    pub(crate) fn load() -> Result<Self> {
        // Set by `cargo run`; the other is where this program was built.
        let own =
            std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root = own.parent().context("xtask has no folder above it")?.to_path_buf();
        let text = Invocation::cargo("metadata --format-version 1 --locked --all-features").output(&root)?;
        let metadata = serde_json::from_slice(&text).context("`cargo metadata` printed something unexpected")?;
        Ok(Self { root, metadata })
    }

    /// The same command line with the data that lies beside the checkout, where it does: real tool definitions and the
    /// official test suite of JSON Schema, which are too large to be kept in it. What the environment says goes first.
    pub(crate) fn with_data(&self, invocation: Invocation) -> Invocation {
        let beside = self.root.parent().map(|parent| parent.join("shared")).unwrap_or_default();
        DATA.iter().fold(invocation, |invocation, (variable, folder)| {
            let found = beside.join(folder).canonicalize().ok().filter(|_| std::env::var_os(variable).is_none());
            found.into_iter().fold(invocation, |it, folder| it.with_env(variable, folder.to_string_lossy()))
        })
    }

    /// A program that was built without further options.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// The folder that holds what is built.
    pub(crate) fn target(&self) -> &Path {
        &self.metadata.target_directory
    }
}
