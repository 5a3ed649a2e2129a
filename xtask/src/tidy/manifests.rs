//! How manifests state their dependencies.

use toml::{Table, Value};

use super::Violation;
use super::tree::Tree;

const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// Each package takes its dependencies and its lints from the workspace, where they are stated once.
pub(super) fn check_members(tree: &Tree) -> Vec<Violation> {
    tree.manifests().flat_map(|file| check_member(&file.path, &file.text)).collect()
}

fn check_member(path: &str, text: &str) -> Vec<Violation> {
    let Ok(manifest) = toml::from_str::<Table>(text) else {
        return vec![Violation::new("manifest", path, "is not TOML")];
    };
    let mut violations = Vec::new();
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
    let tables = targets.filter_map(|(_, target)| target.as_table()).chain([&manifest]);
    let stated = tables.flat_map(|table| KINDS.iter().filter_map(|kind| table.get(*kind)?.as_table())).flatten();
    for (name, dependency) in stated {
        if !inherits(dependency) {
            let problem = format!("`{name}` must be `workspace = true`, with its version in the root's Cargo.toml");
            violations.push(Violation::new("dependencies", path, problem));
        }
    }
    if !manifest.get("lints").is_some_and(inherits) {
        violations.push(Violation::new("lints", path, "must have `[lints]` with `workspace = true`"));
    }
    violations
}

fn inherits(value: &Value) -> bool {
    value.get("workspace").and_then(Value::as_bool) == Some(true)
}

/// Each dependency of the workspace that is not ours has a comment directly above that says why it is there.
pub(super) fn check_reasons(root_manifest: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut inside = false;
    let mut above = "";
    for line in root_manifest.lines() {
        if line.starts_with('[') {
            inside = line.trim_end() == "[workspace.dependencies]";
        } else if inside
            && let Some((name, value)) = line.split_once('=')
            && !line.starts_with(['#', ' ', '}', ']'])
            && !value.contains("path = ")
        {
            let reasoned = above.starts_with("# ") && !above.starts_with("# ---");
            if !reasoned {
                let problem = format!("`{}` needs a comment on the line above that says why it is there", name.trim());
                violations.push(Violation::new("dependencies", "Cargo.toml", problem));
            }
        }
        above = line;
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::{check_member, check_reasons};

    fn problems(manifest: &str) -> usize {
        check_member("crates/a/Cargo.toml", manifest).len()
    }

    #[test]
    fn refuses_dependencies_stated_in_place() {
        let lints = "[lints]\nworkspace = true\n";
        for bad in [
            "[dependencies]\nserde = \"1\"",
            "[dev-dependencies]\nserde = { version = \"1\" }",
            "[build-dependencies]\nserde = { workspace = false }",
            "[target.'cfg(unix)'.dependencies]\nrustix = \"1\"",
        ] {
            assert_eq!(problems(&format!("{lints}{bad}")), 1, "{bad}");
        }
        let good = "[dependencies]\nserde.workspace = true\n[target.'cfg(unix)'.dependencies]\nrustix = { workspace = true, features = [] }";
        assert_eq!(problems(&format!("{lints}{good}")), 0);
    }

    #[test]
    fn refuses_lints_of_a_package_of_its_own() {
        for bad in ["", "[lints.rust]\nunsafe_code = \"deny\"", "[lints]\nworkspace = false", "not toml at all"] {
            assert_eq!(problems(bad), 1, "{bad}");
        }
    }

    #[test]
    fn a_dependency_without_a_reason_is_named() {
        let manifest = "[workspace.package]\nversion = \"1\"\n[workspace.dependencies]\n# --- ours ---\n\
            ours = { path = \"crates/ours\" }\n# --- others ---\nbare = \"1\"\n# Says why.\ngood = \"1\"\nnext = \"1\"\n\
            \nalone = \"1\"\n[workspace.lints.rust]\nunsafe_code = \"forbid\"\n";
        let named: Vec<String> = check_reasons(manifest).into_iter().map(|v| v.problem).collect();
        let firsts: Vec<&str> = named.iter().map(|problem| problem.split(' ').next().unwrap()).collect();
        assert_eq!(firsts, ["`bare`", "`next`", "`alone`"]);
    }
}
