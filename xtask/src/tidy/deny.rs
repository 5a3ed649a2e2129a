use anyhow::{Context, Result};
use serde::Deserialize;

/// What `deny.toml` says, as far as it is checked here. cargo-deny reads the same file in `.github`.
#[derive(Debug, Deserialize)]
pub(super) struct Deny {
    pub(super) licenses: Licenses,
    pub(super) bans: Bans,
    pub(super) sources: Sources,
}

#[derive(Debug, Deserialize)]
pub(super) struct Licenses {
    /// SPDX ids, an exception beside its id: `Apache-2.0 WITH LLVM-exception`.
    pub(super) allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Bans {
    pub(super) deny: Vec<Banned>,
}

/// A crate that nobody may depend on.
#[derive(Debug, Deserialize)]
pub(super) struct Banned {
    #[serde(rename = "crate")]
    pub(super) name: String,
    /// Except these, directly.
    #[serde(default)]
    pub(super) wrappers: Vec<String>,
    pub(super) reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Sources {
    pub(super) unknown_registry: String,
    pub(super) unknown_git: String,
}

impl Deny {
    /// Reads the file's text.
    pub(super) fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).context("deny.toml does not say what tidy needs")
    }
}
