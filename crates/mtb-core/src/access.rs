use crate::declaration::Declaration;
use crate::principal::Principal;

/// The access rule: a principal may use a tool when it holds at least one of the tool's roles, compared exactly.
///
/// The list of tools and every call ask this one function, so that what is shown is what may be called.
#[must_use]
pub fn can_access(declaration: &Declaration, principal: &Principal) -> bool {
    declaration.roles().as_slice().iter().any(|role| principal.roles().contains(role))
}
