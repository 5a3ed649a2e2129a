//! Which crate of the workspace may know which.

use std::collections::BTreeSet;

use super::Violation;
use crate::metadata::{DependencyKind, Metadata, Package};

const RULE: &str = "arrows";

/// What a crate may depend on.
enum May {
    /// On these.
    Only(&'static [&'static str]),
    /// On every row above its own.
    AllAbove,
}

/// Data of tests: no library ships it.
const FIXTURES: &str = "mtb-fixtures";

/// The libraries from the ground up, then programs on top: an arrow points to a row above. ARCHITECTURE.md draws the
/// same.
const TABLE: &[(&str, May)] = &[
    (FIXTURES, May::Only(&[])),
    ("mtb-core", May::Only(&[])),
    ("mtb-guard", May::Only(&["mtb-core"])),
    ("mtb-audit", May::Only(&["mtb-core"])),
    ("mtb-bridge", May::Only(&["mtb-core", "mtb-guard", "mtb-audit"])),
    ("mtb-adapt", May::Only(&["mtb-core", "mtb-bridge"])),
    ("mtb-mcp", May::Only(&["mtb-core", "mtb-bridge"])),
    ("mtb-stdio", May::Only(&["mtb-core", "mtb-bridge", "mtb-mcp"])),
    ("mtb-http", May::Only(&["mtb-core", "mtb-bridge", "mtb-mcp"])),
    ("mtb-rmcp", May::Only(&["mtb-core", "mtb-bridge", "mtb-mcp"])),
    ("mcp-tool-bridge", May::AllAbove),
    ("mtb-import", May::AllAbove),
    ("mtb-testbed", May::AllAbove),
    ("mtb-bench", May::Only(&["mtb-core", "mtb-audit", "mtb-bridge", "mtb-mcp", "mtb-stdio", "mtb-http", FIXTURES])),
];

/// Examples may use any library; xtask uses none, so that it builds when they do not.
pub(super) fn check(metadata: &Metadata) -> Vec<Violation> {
    let ours: BTreeSet<&str> = metadata.members().map(|member| member.name.as_str()).collect();
    metadata.members().flat_map(|member| check_member(member, &ours)).collect()
}

fn check_member(member: &Package, ours: &BTreeSet<&str>) -> Vec<Violation> {
    let place = |dependency: &str| format!("{} -> {dependency}", member.name);
    let refuse = |dependency: &str, problem: &str| Violation::new(RULE, place(dependency), problem);
    let arrows = member.dependencies.iter().filter(|dependency| ours.contains(dependency.name.as_str()));
    let is_example = member.manifest_path.components().any(|part| part.as_os_str() == "examples");
    if is_example {
        return arrows
            .filter(|to| !is_library(&to.name))
            .map(|to| refuse(&to.name, "an example uses libraries only"))
            .collect();
    }
    if member.name == "xtask" {
        return arrows.map(|to| refuse(&to.name, "xtask must build without any crate it judges")).collect();
    }
    let Some(row) = rank(&member.name) else {
        let problem = "is not in the table of arrows: add its row in xtask/src/tidy/arrows.rs and in ARCHITECTURE.md";
        return vec![Violation::new(RULE, &member.name, problem)];
    };
    let mut violations = Vec::new();
    for to in arrows {
        let above = rank(&to.name).is_some_and(|rank| rank < row);
        let allowed = match TABLE.get(row) {
            Some((_, May::Only(names))) => names.contains(&to.name.as_str()),
            _ => above && to.name != FIXTURES,
        };
        if to.kind == Some(DependencyKind::Dev) {
            if !above {
                violations.push(refuse(&to.name, "tests too may only use crates above in the table"));
            }
        } else if !allowed {
            violations.push(refuse(&to.name, "no such arrow in the table"));
        }
    }
    violations
}

fn rank(name: &str) -> Option<usize> {
    TABLE.iter().position(|(row, _)| *row == name)
}

fn is_library(name: &str) -> bool {
    rank(name).is_some() && name != FIXTURES
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::check;
    use crate::metadata::fixture::{metadata, package};

    /// The places a workspace breaks the rule in; each row is a crate and its dependencies with their kind.
    fn broken(rows: &[(&str, &[(&str, Value)])]) -> Vec<String> {
        let member = |(name, dependencies): &(&str, &[(&str, Value)])| {
            let folder = if ["minimal", "other"].contains(name) { "examples" } else { "crates" };
            let manifest = json!({"manifest_path": format!("/w/{folder}/{name}/Cargo.toml")});
            package(name, dependencies, &manifest)
        };
        let mut packages: Vec<Value> = rows.iter().map(member).collect();
        packages.push(package("serde", &[], &json!({})));
        let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
        check(&metadata(&packages, &names)).into_iter().map(|violation| violation.place).collect()
    }

    #[test]
    fn refuses_arrows_that_point_down_or_aside() {
        let normal = Value::Null;
        let libraries: [(&str, &[(&str, Value)]); 8] = [
            ("mtb-fixtures", &[]),
            ("mtb-core", &[("mtb-guard", json!("dev"))]),
            ("mtb-guard", &[("mtb-audit", json!(null))]),
            ("mtb-audit", &[("mtb-core", json!(null)), ("mtb-guard", json!("build"))]),
            ("mtb-mcp", &[("mtb-guard", normal.clone())]),
            ("mcp-tool-bridge", &[("mtb-fixtures", json!(null))]),
            ("xtask", &[("mtb-core", json!("dev"))]),
            ("mtb-new", &[]),
        ];
        let found = broken(&libraries);
        let expected = [
            "mtb-core -> mtb-guard",
            "mtb-guard -> mtb-audit",
            "mtb-audit -> mtb-guard",
            "mtb-mcp -> mtb-guard",
            "mcp-tool-bridge -> mtb-fixtures",
            "xtask -> mtb-core",
            "mtb-new",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn an_example_is_nobodys_library() {
        let uses: &[(&str, Value)] = &[("other", Value::Null), ("mtb-fixtures", Value::Null)];
        let found = broken(&[("minimal", uses), ("other", &[]), ("mtb-fixtures", &[])]);
        assert_eq!(found, ["minimal -> other", "minimal -> mtb-fixtures"]);
    }

    #[test]
    fn allows_the_table_and_tests_that_look_up() {
        let found = broken(&[
            ("mtb-fixtures", &[]),
            ("mtb-core", &[("serde", Value::Null), ("mtb-fixtures", json!("dev"))]),
            ("mtb-guard", &[("mtb-core", Value::Null)]),
            ("mtb-audit", &[("mtb-core", Value::Null), ("mtb-guard", json!("dev"))]),
            ("mcp-tool-bridge", &[("mtb-core", Value::Null), ("mtb-audit", Value::Null)]),
            ("minimal", &[("mcp-tool-bridge", Value::Null), ("mtb-core", json!("dev"))]),
        ]);
        assert_eq!(found, [""; 0]);
    }
}
