use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use thiserror::Error;

use crate::role::{Role, RoleError};

/// Who is calling: an opaque, stable identifier that the host vouches for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrincipalId(Arc<str>);

impl PrincipalId {
    /// The longest id, in bytes.
    pub const MAX_BYTES: usize = 1024;

    /// Checks an id.
    ///
    /// # Errors
    /// When it is blank, longer than 1,024 bytes or holds a control character.
    pub fn new(id: &str) -> Result<Self, PrincipalError> {
        if id.trim().is_empty() || id.len() > Self::MAX_BYTES || id.chars().any(char::is_control) {
            Err(PrincipalError::Id)
        } else {
            Ok(Self(id.into()))
        }
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PrincipalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for PrincipalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// A caller and the roles it holds at this moment. Cheap to clone; nobody can change it once made.
///
/// ```
/// use mtb_core::Principal;
///
/// let alice = Principal::new("alice", ["billing"]).unwrap();
/// assert_eq!(alice.id().as_str(), "alice");
/// assert!(Principal::new(" ", ["billing"]).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    id: PrincipalId,
    roles: Arc<[Role]>,
}

/// Why something is not a principal. `Debug` gives the same text as `Display`, since that is what a `main` that returns
/// it prints.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrincipalError {
    /// The JSON is not an object.
    #[error("a principal is a JSON object with `id` and `roles`")]
    NotAnObject,
    /// `id` is missing or unusable.
    #[error("`id` is text of 1 to 1,024 bytes that is not blank and holds no control characters")]
    Id,
    /// `roles` is missing or not an array.
    #[error("`roles` is an array of role names, empty if there are none")]
    Roles,
    /// One of the roles is unusable.
    #[error("`roles/{index}` is not usable: {problem}")]
    Role {
        /// Which one, counted from 0.
        index: usize,
        /// Why.
        problem: RoleError,
    },
}

impl fmt::Debug for PrincipalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Principal {
    /// A principal with these roles; none at all is fine and opens nothing.
    ///
    /// # Errors
    /// When the id or a role is unusable.
    pub fn new<R: AsRef<str>>(id: &str, roles: impl IntoIterator<Item = R>) -> Result<Self, PrincipalError> {
        let id = PrincipalId::new(id)?;
        let role = |(index, role): (usize, R)| {
            Role::new(role.as_ref()).map_err(|problem| PrincipalError::Role { index, problem })
        };
        let roles = roles.into_iter().enumerate().map(role).collect::<Result<_, _>>()?;
        Ok(Self { id, roles })
    }

    /// Reads `{"id": …, "roles": […]}`. Other members are ignored.
    ///
    /// # Errors
    /// When the value is not an object, or a member is missing, of another type or unusable.
    pub fn from_json(value: &Value) -> Result<Self, PrincipalError> {
        let object = value.as_object().ok_or(PrincipalError::NotAnObject)?;
        let id = object.get("id").and_then(Value::as_str).ok_or(PrincipalError::Id)?;
        let roles = object.get("roles").and_then(Value::as_array).ok_or(PrincipalError::Roles)?;
        let role = |(index, role): (usize, &Value)| {
            let role = role.as_str().ok_or(RoleError).and_then(Role::new);
            role.map_err(|problem| PrincipalError::Role { index, problem })
        };
        let roles = roles.iter().enumerate().map(role).collect::<Result<_, _>>()?;
        Ok(Self { id: PrincipalId::new(id)?, roles })
    }

    /// Who it is.
    #[must_use]
    pub fn id(&self) -> &PrincipalId {
        &self.id
    }

    /// The roles it holds.
    #[must_use]
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Principal, PrincipalId};

    #[test]
    fn refuses_what_is_no_principal() {
        for value in [
            json!(null),                              // case 11
            json!("alice"),                           // case 12
            json!({"roles": []}),                     // case 13
            json!({"id": " ", "roles": []}),          // case 14
            json!({"id": 7, "roles": []}),            // case 15
            json!({"id": "alice"}),                   // case 16
            json!({"id": "alice", "roles": "admin"}), // case 17
            json!({"id": "alice", "roles": [""]}),    // case 18
            json!({"id": "alice", "roles": [true]}),  // case 19
            json!({"id": "al\nice", "roles": []}),
        ] {
            assert!(Principal::from_json(&value).is_err(), "{value}");
        }
        assert!(PrincipalId::new(&"a".repeat(1025)).is_err());
    }

    #[test]
    fn reads_a_principal_and_ignores_the_rest() {
        let alice = Principal::from_json(&json!({"id": "alice", "roles": ["reader"], "team": "x"})).unwrap(); // case 9
        assert_eq!(alice, Principal::new("alice", ["reader"]).unwrap());
        let eve = Principal::from_json(&json!({"id": "eve", "roles": []})).unwrap(); // case 10
        assert!(eve.roles().is_empty());
    }
}
