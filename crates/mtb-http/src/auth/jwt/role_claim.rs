use std::collections::{BTreeMap, BTreeSet};

use mtb_core::Role;
use serde_json::Value;

use super::error::JwtBearerError;

/// What a claim of a token grants: which roles its holder has by which of its values. What is not declared grants
/// nothing.
///
/// The claim is an array of strings, or a string of words between spaces, as `scope` is.
///
/// ```
/// use mtb_http::RoleClaim;
///
/// let claim = RoleClaim::at("/realm_access/roles")?
///     .grants("billing-team", ["support", "billing"])?
///     .grants("helpdesk", ["support"])?;
/// assert_eq!(claim.roles_of("helpdesk").map(|role| role.as_str()).collect::<Vec<_>>(), ["support"]);
/// assert_eq!(claim.roles_of("finance").count(), 0);
/// assert!(RoleClaim::at("realm_access").is_err());
/// # Ok::<(), mtb_http::JwtBearerError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "a claim grants nothing until a `JwtBearer` has it"]
pub struct RoleClaim {
    /// A JSON Pointer into the claims.
    place: String,
    granted: BTreeMap<String, BTreeSet<Role>>,
}

impl RoleClaim {
    /// The claim at this JSON Pointer: `/groups`, `/scope`, `/https:~1~1example.com~1roles`.
    ///
    /// # Errors
    /// When it is no JSON Pointer.
    pub fn at(place: &str) -> Result<Self, JwtBearerError> {
        let escapes = place.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
        if !place.starts_with('/') || !escapes {
            return Err(JwtBearerError::Claim(place.to_owned()));
        }
        Ok(Self { place: place.to_owned(), granted: BTreeMap::new() })
    }

    /// The roles that this value grants.
    pub fn roles_of(&self, value: &str) -> impl Iterator<Item = &Role> {
        self.granted.get(value).into_iter().flatten()
    }

    /// Whoever has this value has these roles, beside those of their other values.
    ///
    /// # Errors
    /// When one of them is no role.
    pub fn grants(
        mut self,
        value: &str,
        roles: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, JwtBearerError> {
        let granted = self.granted.entry(value.to_owned()).or_default();
        for role in roles {
            let named = Role::new(role.as_ref());
            granted.insert(named.map_err(|problem| JwtBearerError::Role { value: value.to_owned(), problem })?);
        }
        Ok(self)
    }

    /// The roles that these claims grant.
    pub(super) fn of<'r>(&'r self, claims: &'r Value) -> impl Iterator<Item = &'r Role> {
        let values = claims.pointer(&self.place).into_iter().flat_map(words);
        values.flat_map(|value| self.roles_of(value))
    }
}

/// The strings of an array, or the words of a string.
pub(super) fn words(claim: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match claim {
        Value::String(words) => Box::new(words.split(' ').filter(|word| !word.is_empty())),
        Value::Array(items) => Box::new(items.iter().filter_map(Value::as_str)),
        _ => Box::new(std::iter::empty()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::RoleClaim;
    use crate::JwtBearerError;

    #[test]
    fn only_what_is_declared_grants_roles() {
        let claim = RoleClaim::at("/realm/roles").unwrap();
        let claim = claim.grants("team", ["support", "billing"]).unwrap().grants("desk", ["support"]).unwrap();
        for (claims, expected) in [
            (json!({"realm": {"roles": ["team", "desk", "billing"]}}), "billing support support"),
            (json!({"realm": {"roles": "desk other"}}), "support"),
            (json!({"realm": {"roles": ["billing", "support", 7, ["team"]]}}), ""),
            (json!({"realm": {"roles": {"team": true}}}), ""),
            (json!({"realm": {"roles": "desk-2 Desk"}}), ""),
            (json!({"roles": ["team"]}), ""),
            (json!({}), ""),
        ] {
            let roles: Vec<_> = claim.of(&claims).map(ToString::to_string).collect();
            assert_eq!(roles.join(" "), expected, "{claims}");
        }
    }

    #[test]
    fn what_is_declared_is_a_pointer_and_roles() {
        for place in ["", "groups", "/a~2b", "/a~"] {
            assert_eq!(RoleClaim::at(place).unwrap_err(), JwtBearerError::Claim(place.to_owned()));
        }
        let claim = RoleClaim::at("/https:~1~1example.com~1roles").unwrap();
        assert!(claim.of(&json!({"https://example.com/roles": ["x"]})).next().is_none());
        assert!(matches!(claim.grants("x", [""]), Err(JwtBearerError::Role { .. })));
    }
}
