//! Every crate of the tree, whatever it is used for, has a licence that `deny.toml` allows.

use super::deny::Deny;
use super::{Violation, spdx};
use crate::metadata::{Metadata, Package};

/// Judges what each package states.
pub(super) fn check(metadata: &Metadata, deny: &Deny) -> Vec<Violation> {
    let judged = |package: &Package| {
        let problem = problem(package.license.as_deref(), &deny.licenses.allow)?;
        Some(Violation::new("licences", format!("{} {}", package.name, package.version), problem))
    };
    metadata.packages.iter().filter_map(judged).collect()
}

fn problem(license: Option<&str>, allowed: &[String]) -> Option<String> {
    let Some(license) = license else { return Some("states no SPDX licence".into()) };
    match spdx::is_satisfied(license, allowed) {
        Ok(true) => None,
        Ok(false) => Some(format!("`{license}` is not within `licenses.allow` of deny.toml")),
        Err(error) => Some(format!("`{license}`: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn names_what_is_wrong_with_a_licence() {
        let allowed = ["MIT".to_owned()];
        assert_eq!(problem(None, &allowed).unwrap(), "states no SPDX licence");
        assert_eq!(
            problem(Some("GPL-3.0"), &allowed).unwrap(),
            "`GPL-3.0` is not within `licenses.allow` of deny.toml"
        );
        assert_eq!(problem(Some("MIT OR"), &allowed).unwrap(), "`MIT OR`: the licence expression ends too early");
        assert_eq!(problem(Some("MIT OR GPL-3.0"), &allowed), None);
    }
}
