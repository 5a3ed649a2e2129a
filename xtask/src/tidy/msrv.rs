//! The stated Rust version is no lower than what the dependencies state.

use toml::{Table, Value};

use super::Violation;
use crate::metadata::Metadata;

/// Compares the root manifest with what hosts build.
pub(super) fn check(metadata: &Metadata, root_manifest: &Table) -> Vec<Violation> {
    let Some(ours) = stated(root_manifest).and_then(parts) else {
        return vec![Violation::new("msrv", "Cargo.toml", "`workspace.package.rust-version` is not stated")];
    };
    let needs_more = |wanted: &str| parts(wanted).is_none_or(|wanted| wanted > ours);
    let shipped = metadata.shipped();
    let newer = shipped.iter().filter_map(|package| {
        let wanted = package.rust_version.as_deref().filter(|wanted| needs_more(wanted))?;
        let problem = format!("needs Rust {wanted}, more than the `rust-version` of this workspace");
        Some(Violation::new("msrv", format!("{} {}", package.name, package.version), problem))
    });
    newer.collect()
}

/// `workspace.package.rust-version` of the root manifest.
pub(super) fn stated(root_manifest: &Table) -> Option<&str> {
    root_manifest.get("workspace")?.get("package")?.get("rust-version").and_then(Value::as_str)
}

/// Major, minor and patch; a missing part is 0.
fn parts(version: &str) -> Option<[u32; 3]> {
    let mut parts = [0; 3];
    let mut given = version.split('.');
    for part in &mut parts {
        if let Some(text) = given.next() {
            *part = text.parse().ok()?;
        }
    }
    given.next().is_none().then_some(parts)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{check, parts};
    use crate::metadata::fixture::{metadata, package};

    fn places(wanted: &str, root_manifest: &str) -> Vec<String> {
        let packages = [
            package("ours", &[("dep", Value::Null), ("tested-with", json!("dev"))], &json!({"rust_version": "1.89"})),
            package("dep", &[], &json!({"rust_version": wanted})),
            package("tested-with", &[], &json!({"rust_version": "9.9"})),
        ];
        let manifest = toml::from_str(root_manifest).unwrap();
        check(&metadata(&packages, &["ours"]), &manifest).into_iter().map(|violation| violation.place).collect()
    }

    #[test]
    fn a_dependency_that_needs_more_is_named() {
        let root = "[workspace.package]\nrust-version = \"1.89\"";
        for wanted in ["1.90", "1.89.1", "2", "1.100", "nightly"] {
            assert_eq!(places(wanted, root), ["dep 1.0.0"], "{wanted}");
        }
        for wanted in ["1.89", "1.89.0", "1.9.9", "1"] {
            assert_eq!(places(wanted, root), [""; 0], "{wanted}");
        }
    }

    #[test]
    fn the_version_must_be_stated() {
        assert_eq!(places("1.0", "[workspace]"), ["Cargo.toml"]);
    }

    #[test]
    fn reads_versions_by_number() {
        assert_eq!(parts("1.9"), Some([1, 9, 0]));
        assert_eq!(parts("1.89.2"), Some([1, 89, 2]));
        assert_eq!(parts("1.2.3.4"), None);
    }
}
