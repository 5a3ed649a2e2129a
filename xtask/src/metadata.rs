use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Deserialize;

/// What `cargo metadata --format-version 1` says, as far as it is used here.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) workspace_members: BTreeSet<String>,
    pub(crate) resolve: Resolve,
    pub(crate) target_directory: PathBuf,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    /// Where it comes from; none for a package of this workspace or of another folder.
    pub(crate) source: Option<String>,
    pub(crate) rust_version: Option<String>,
    pub(crate) manifest_path: PathBuf,
    /// The registries it may be published to; an empty list is `publish = false`.
    pub(crate) publish: Option<Vec<String>>,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) features: BTreeMap<String, Vec<String>>,
}

/// A dependency as a manifest states it.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Option<DependencyKind>,
}

/// Absent in cargo's JSON for a normal dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DependencyKind {
    Dev,
    Build,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Resolve {
    pub(crate) nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Node {
    pub(crate) id: String,
    pub(crate) deps: Vec<NodeDependency>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NodeDependency {
    pub(crate) pkg: String,
    pub(crate) dep_kinds: Vec<ResolvedKind>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ResolvedKind {
    pub(crate) kind: Option<DependencyKind>,
}

impl Metadata {
    /// The packages of this workspace, in cargo's order.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }

    /// Every package that ends up in what a host builds of a published crate: through normal and build dependencies,
    /// on any platform, the published crates included.
    pub(crate) fn shipped(&self) -> Vec<&Package> {
        let nodes: BTreeMap<&str, &Node> = self.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        let published = self.members().filter(|member| member.publish.as_ref().is_none_or(|to| !to.is_empty()));
        let mut open: Vec<&str> = published.map(|member| member.id.as_str()).collect();
        let mut reached = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !reached.insert(id) {
                continue;
            }
            let dependencies = nodes.get(id).into_iter().flat_map(|node| &node.deps);
            let built = dependencies.filter(|dep| dep.dep_kinds.iter().any(|k| k.kind != Some(DependencyKind::Dev)));
            open.extend(built.map(|dependency| dependency.pkg.as_str()));
        }
        self.packages.iter().filter(|package| reached.contains(package.id.as_str())).collect()
    }
}

#[cfg(test)]
pub(crate) mod fixture {
    use serde_json::{Value, json};

    use super::Metadata;

    /// Metadata of these packages, each made by [`package`]; ids are names.
    pub(crate) fn metadata(packages: &[Value], members: &[&str]) -> Metadata {
        let node = |package: &Value| {
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let deps: Vec<Value> =
                dependencies.map(|d| json!({"pkg": d["name"], "dep_kinds": [{"kind": d["kind"]}]})).collect();
            json!({"id": package["id"], "deps": deps})
        };
        let nodes: Vec<Value> = packages.iter().map(node).collect();
        let text = json!({
            "packages": packages, "workspace_members": members, "resolve": {"nodes": nodes}, "target_directory": "/t",
        });
        serde_json::from_value(text).unwrap()
    }

    /// A package that depends on `dependencies`, each a name and a kind (`null`, `"dev"`, `"build"`).
    pub(crate) fn package(name: &str, dependencies: &[(&str, Value)], more: &Value) -> Value {
        let dependencies: Vec<Value> =
            dependencies.iter().map(|(name, kind)| json!({"name": name, "kind": kind})).collect();
        let mut package = json!({
            "id": name, "name": name, "version": "1.0.0", "license": "MIT", "source": null, "rust_version": null,
            "manifest_path": format!("/w/crates/{name}/Cargo.toml"), "publish": null, "features": {},
            "dependencies": dependencies,
        });
        for (key, value) in more.as_object().unwrap() {
            package[key] = value.clone();
        }
        package
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::fixture::{metadata, package};

    #[test]
    fn ships_what_published_crates_build_and_nothing_else() {
        let none = json!({});
        let metadata = metadata(
            &[
                package("ours", &[("used", Value::Null), ("tested-with", json!("dev"))], &none),
                package("xtask", &[("tool-only", Value::Null)], &json!({"publish": []})),
                package("used", &[("generator", json!("build"))], &none),
                package("generator", &[], &none),
                package("tested-with", &[], &none),
                package("tool-only", &[], &none),
            ],
            &["ours", "xtask"],
        );
        let names: Vec<&str> = metadata.shipped().iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["ours", "used", "generator"]);
    }
}
