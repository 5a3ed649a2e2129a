use std::env::{self, VarError};

use anyhow::{anyhow, bail};
use mcp_tool_bridge::Principal;

const ID: &str = "EXAMPLE_PRINCIPAL_ID";
const ROLES: &str = "EXAMPLE_PRINCIPAL_ROLES";

/// Who is served, as the environment says. Over stdio that is whoever may start the process.
pub(crate) fn from_environment() -> anyhow::Result<Principal> {
    let id = variable(ID, "alice")?;
    let roles = variable(ROLES, "reader,editor")?;
    principal(&id, &roles)
}

/// Roles are separated by commas; an empty text is a principal without roles, who is shown nothing.
fn principal(id: &str, roles: &str) -> anyhow::Result<Principal> {
    let roles: Vec<_> = match roles.trim() {
        "" => Vec::new(),
        roles => roles.split(',').map(str::trim).collect(),
    };
    Principal::new(id, roles).map_err(|error| anyhow!("`{ID}` and `{ROLES}` do not describe a principal: {error}"))
}

fn variable(name: &str, default: &str) -> anyhow::Result<String> {
    match env::var(name) {
        Ok(value) => Ok(value),
        Err(VarError::NotPresent) => Ok(default.to_owned()),
        Err(VarError::NotUnicode(_)) => bail!("`{name}` is not UTF-8 text"),
    }
}

#[cfg(test)]
mod tests {
    use super::principal;

    #[test]
    fn refuses_what_is_no_principal() {
        for (id, roles) in [("", "reader"), (" ", "reader"), ("al\nice", "reader"), ("alice", "reader,,editor")] {
            assert!(principal(id, roles).is_err(), "{id:?} {roles:?}");
        }
    }

    #[test]
    fn reads_roles_between_commas() {
        for (roles, expected) in [("", &[][..]), ("reader", &["reader"]), (" reader , editor ", &["reader", "editor"])]
        {
            let principal = principal("alice", roles).unwrap();
            let found: Vec<_> = principal.roles().iter().map(mcp_tool_bridge::Role::as_str).collect();
            assert_eq!(found, expected);
        }
    }
}
