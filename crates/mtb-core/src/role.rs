use std::fmt;
use std::sync::Arc;

use thiserror::Error;

/// A role that a principal holds and a tool asks for. Compared exactly: no wildcard, no hierarchy, no case folding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Role(Arc<str>);

/// Why a text is not a role.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a role is 1 to 256 bytes of text without blanks at its ends and without control characters")]
pub struct RoleError;

impl Role {
    /// The longest role, in bytes.
    pub const MAX_BYTES: usize = 256;

    /// Checks a role.
    ///
    /// # Errors
    /// When it is empty, longer than 256 bytes, has blanks at either end or holds a control character.
    pub fn new(role: &str) -> Result<Self, RoleError> {
        let fits = (1..=Self::MAX_BYTES).contains(&role.len());
        if fits && role.trim() == role && !role.chars().any(char::is_control) {
            Ok(Self(role.into()))
        } else {
            Err(RoleError)
        }
    }

    /// The role as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// The roles a declaration names, not yet checked. Made by [`any_of`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyOf(Vec<String>);

/// Who may use a tool: whoever holds at least one of these roles.
///
/// The names are checked with the rest of the declaration, so that every problem is reported at once.
///
/// ```
/// let billing = mtb_core::any_of(["billing", "admin"]);
/// assert_eq!(billing.names().collect::<Vec<_>>(), ["billing", "admin"]);
/// ```
pub fn any_of<R: Into<String>>(roles: impl IntoIterator<Item = R>) -> AnyOf {
    AnyOf(roles.into_iter().map(Into::into).collect())
}

impl AnyOf {
    /// The names as declared.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The checked roles of a declaration: never empty, each once, in the order they were declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roles(Box<[Role]>);

impl Roles {
    /// Checks declared roles; on failure, one sentence for each problem.
    pub(crate) fn check(declared: &AnyOf) -> Result<Self, Vec<String>> {
        if declared.0.is_empty() {
            return Err(vec!["no role is named, so the tool would be open to nobody".to_owned()]);
        }
        let mut roles: Vec<Role> = Vec::new();
        let mut problems = Vec::new();
        for (index, name) in declared.names().enumerate() {
            match Role::new(name) {
                Ok(role) if roles.contains(&role) => {}
                Ok(role) => roles.push(role),
                Err(error) => problems.push(format!("role {index} is not usable: {error}")),
            }
        }
        if problems.is_empty() { Ok(Self(roles.into())) } else { Err(problems) }
    }

    /// The roles, in declared order.
    #[must_use]
    pub fn as_slice(&self) -> &[Role] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, Roles, any_of};

    #[test]
    fn refuses_what_is_no_role() {
        for role in ["", " ", " admin", "admin ", "a\u{7}b", &"a".repeat(257)] {
            assert!(Role::new(role).is_err(), "{role:?}");
            assert!(Roles::check(&any_of([role])).is_err(), "{role:?}");
        }
        assert!(Roles::check(&any_of(Vec::<String>::new())).is_err());
    }

    #[test]
    fn every_bad_role_is_named() {
        let problems = Roles::check(&any_of(["", "ok", " x"])).unwrap_err();
        assert_eq!(problems.len(), 2);
    }

    #[test]
    fn keeps_order_and_drops_repetitions() {
        let roles = Roles::check(&any_of(["billing", "admin", "billing"])).unwrap();
        let names: Vec<_> = roles.as_slice().iter().map(Role::as_str).collect();
        assert_eq!(names, ["billing", "admin"]);
    }
}
