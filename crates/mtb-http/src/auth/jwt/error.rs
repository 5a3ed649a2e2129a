use std::fmt;

use mtb_core::RoleError;
use thiserror::Error;

/// Why tokens cannot be checked as declared. `Debug` gives the same text as `Display`.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JwtBearerError {
    /// Not the address of a server.
    #[error(
        "`{0}` is no address of a resource; write where clients find the server, as `https://mcp.example.com/mcp` (or \
         `http://` on this machine), without parameters and fragment"
    )]
    Resource(String),
    /// Not an issuer.
    #[error("`{0}` is no issuer; write what stands in `iss`, which is an address that begins with `https://`")]
    Issuer(String),
    /// No audience.
    #[error("the audience is empty; write what stands in `aud` of tokens for this server and no other")]
    Audience,
    /// No algorithm.
    #[error("no algorithm is pinned, so no token could be good; name those that the issuer signs with")]
    Algorithms,
    /// Not a scope (<https://www.rfc-editor.org/rfc/rfc6749#section-3.3>).
    #[error("`{0}` is no scope; one is visible ASCII without spaces, quotes and backslashes")]
    Scope(String),
    /// Not the place of a claim.
    #[error("`{0}` is no JSON Pointer to a claim; write `/groups` or `/realm_access/roles`")]
    Claim(String),
    /// Not a role.
    #[error("what `{value}` grants is no role: {problem}")]
    Role {
        /// The value of the claim that was to grant it.
        value: String,
        /// Why.
        problem: RoleError,
    },
    /// Not an address from which keys can be fetched.
    #[error("`{0}` is no address of keys; write the issuer's `jwks_uri`, which begins with `https://`")]
    KeysAddress(String),
    /// Not a set of keys.
    #[error("the keys cannot be read: {0}")]
    Keys(String),
    /// Nothing tells which servers are who they say.
    #[error("no certificate can be used to know the issuer's server by: {0}")]
    Certificates(String),
    /// There is not one implementation of signatures.
    #[error(
        "`jsonwebtoken` has no cryptography, or two kinds of it, because of features that other crates switch on; call \
         its `CryptoProvider::install_default` first"
    )]
    Cryptography,
}

impl fmt::Debug for JwtBearerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
