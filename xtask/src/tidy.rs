//! `cargo xtask tidy`: the rules of this workspace that no compiler checks, all broken ones reported at once.
//!
//! A rule is a function from what it judges to [`Violation`]s; reading files and asking cargo happens here only.

mod arrows;
mod deny;
mod entry;
mod files;
mod footprint;
mod length;
mod licences;
mod manifests;
mod marks;
mod msrv;
mod mutations;
mod readme;
mod reference;
mod sources;
mod spdx;
mod tree;
mod words;

use anyhow::{Context, Result, bail};

use crate::mutations::table::Table;
use crate::workspace::Workspace;
use deny::Deny;
use tree::Tree;

/// One place where a rule is broken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Violation {
    rule: &'static str,
    /// A file, with its line where there is one, or a crate.
    place: String,
    /// What is wrong, and what to do.
    problem: String,
}

impl Violation {
    fn new(rule: &'static str, place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { rule, place: place.into(), problem: problem.into() }
    }
}

/// Judges the checkout.
///
/// # Errors
/// When a rule is broken, after printing every violation; or when something cannot be read.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let metadata = &workspace.metadata;
    let tree = Tree::read(&workspace.root)?;
    let root_manifest = toml::from_str(tree.text("Cargo.toml")).context("Cargo.toml is not TOML")?;
    let deny = Deny::parse(tree.text("deny.toml"))?;
    let table = Table::load(&workspace.root)?;

    let rules: [Vec<Violation>; 18] = [
        arrows::check(metadata),
        manifests::check_members(&tree),
        manifests::check_reasons(tree.text("Cargo.toml")),
        licences::check(metadata, &deny),
        sources::check_sources(metadata, &deny),
        sources::check_bans(metadata, &deny),
        footprint::check(&footprint::measure(workspace)?),
        msrv::check(metadata, &root_manifest),
        files::check_names(&tree),
        files::check_layout(&tree),
        length::check(&tree, length::LONG),
        marks::check(&tree),
        words::check(&tree),
        entry::check(&tree, &root_manifest),
        readme::check(tree.find("README.md")),
        readme::check_clients(tree.find("README.md"))?,
        reference::check(&tree),
        mutations::check(&tree, &table),
    ];
    let mut violations: Vec<Violation> = rules.into_iter().flatten().collect();
    violations.sort();
    for Violation { rule, place, problem } in &violations {
        println!("{rule}: {place}: {problem}");
    }
    match violations.len() {
        0 => {
            println!("tidy: {} crates, {} files, nothing to say", metadata.packages.len(), tree.files().len());
            Ok(())
        }
        1 => bail!("1 rule of the workspace is broken"),
        many => bail!("{many} places break a rule of the workspace"),
    }
}
