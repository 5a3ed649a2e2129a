//! Where crates come from, and which must not come at all.

use std::collections::BTreeMap;

use super::Violation;
use super::deny::Deny;
use crate::metadata::Metadata;

/// How cargo writes the index of the public registry, up to the index's own name.
const REGISTRY: &str = "registry+https://github.com/rust-lang/";

/// Everything that is not ours comes from the public registry, and `deny.toml` tells cargo-deny so too.
pub(super) fn check_sources(metadata: &Metadata, deny: &Deny) -> Vec<Violation> {
    let mut violations = Vec::new();
    for package in &metadata.packages {
        let fine = match &package.source {
            None => metadata.workspace_members.contains(&package.id),
            Some(source) => source.starts_with(REGISTRY),
        };
        if !fine {
            let place = format!("{} {}", package.name, package.version);
            violations.push(Violation::new("sources", place, "comes from neither this workspace nor the registry"));
        }
    }
    for (name, value) in [("registry", &deny.sources.unknown_registry), ("git", &deny.sources.unknown_git)] {
        if value != "deny" {
            violations.push(Violation::new("sources", "deny.toml", format!("`sources.unknown-{name}` must be `deny`")));
        }
    }
    violations
}

/// Nobody depends on a crate of `bans.deny`, except the `wrappers` it names.
pub(super) fn check_bans(metadata: &Metadata, deny: &Deny) -> Vec<Violation> {
    let names: BTreeMap<&str, &str> =
        metadata.packages.iter().map(|package| (package.id.as_str(), package.name.as_str())).collect();
    let name = |id: &str| names.get(id).copied().unwrap_or_default();
    let mut violations = Vec::new();
    for banned in &deny.bans.deny {
        for node in &metadata.resolve.nodes {
            let depends = node.deps.iter().any(|dependency| name(&dependency.pkg) == banned.name);
            if depends && !banned.wrappers.iter().any(|wrapper| wrapper == name(&node.id)) {
                let place = format!("{} -> {}", name(&node.id), banned.name);
                violations.push(Violation::new("bans", place, format!("is banned: {}", banned.reason)));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Deny, check_bans, check_sources};
    use crate::metadata::fixture::{metadata, package};

    fn deny(registry: &str) -> Deny {
        let text = format!(
            "[licenses]\nallow = []\n[bans]\ndeny = [{{ crate = \"bad\", reason = \"worse\", wrappers = [\"tool\"] }}]\n\
             [sources]\nunknown-registry = \"{registry}\"\nunknown-git = \"deny\"\n"
        );
        Deny::parse(&text).unwrap()
    }

    #[test]
    fn refuses_foreign_folders_repositories_and_registries() {
        let from = |name: &str, source: serde_json::Value| package(name, &[], &json!({"source": source}));
        let packages = [
            from("ours", json!(null)),
            from("folder", json!(null)),
            from("git", json!("git+https://github.com/rust-lang/git")),
            from("mirror", json!("registry+https://example.com/index")),
            from("good", json!("registry+https://github.com/rust-lang/index")),
        ];
        let metadata = metadata(&packages, &["ours"]);
        let places = |deny: &Deny| -> Vec<String> {
            check_sources(&metadata, deny).into_iter().map(|violation| violation.place).collect()
        };
        assert_eq!(places(&deny("deny")), ["folder 1.0.0", "git 1.0.0", "mirror 1.0.0"]);
        assert_eq!(places(&deny("warn")).last().unwrap(), "deny.toml");
    }

    #[test]
    fn whoever_depends_on_a_banned_crate_is_named_with_the_reason() {
        let none = json!({});
        let uses = |name, dependency| package(name, &[(dependency, json!(null))], &none);
        let tree = [
            uses("library", "bad"),
            uses("tool", "bad"),
            uses("other", "badge"),
            package("bad", &[], &none),
            package("badge", &[], &none),
        ];
        let found = check_bans(&metadata(&tree, &["library", "tool", "other"]), &deny("deny"));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].place.as_str(), found[0].problem.as_str()), ("library -> bad", "is banned: worse"));
    }
}
