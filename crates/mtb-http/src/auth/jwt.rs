//! Tokens that an authorization server signs, checked here: this server is a resource server of OAuth 2.1.

mod algorithm;
mod challenge;
mod claims;
mod error;
mod https;
mod jwks;
mod keys;
mod problem;
mod role_claim;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http::request::Parts;
use jsonwebtoken::crypto::CryptoProvider;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use mtb_bridge::{Clock, SystemClock};
use mtb_core::{Principal, PrincipalId, Role};
use serde_json::Value;

use super::{Authenticate, Denied, Identity, ResourceMetadata, bearer};
use challenge::Challenge;
use problem::Problem;

pub use algorithm::JwtAlgorithm;
pub use error::JwtBearerError;
pub use jwks::{FetchError, FetchKeys, Jwks, JwksTimes};
pub use role_claim::RoleClaim;

/// Longest token that is looked at, in bytes.
const MAX_BYTES: usize = 16 * 1024;

/// Whose tokens are good for what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceServer {
    /// Where clients find this server: `https://mcp.example.com/mcp`.
    pub resource: String,
    /// Who signs: exactly what stands in `iss`.
    pub issuer: String,
    /// What stands in `aud` of tokens for this server and no other. Where the issuer knows RFC 8707, it is `resource`.
    pub audience: String,
}

/// Access tokens that clients send as `Authorization: Bearer …`: signed by one issuer, for this server, by one of its
/// keys, in a way that is pinned, and good now.
///
/// A principal is the issuer, the subject and the client, where the token says one ([`principal_id`]). It has the roles
/// that its claims grant, none at all unless [`with_roles`](Self::with_roles) declares some.
///
/// ```
/// use mtb_http::{Authenticate as _, Jwks, JwtBearer, ResourceServer, RoleClaim};
///
/// // Without an issuer to ask; else `Jwks::at("https://id.example.com/jwks.json")`.
/// let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
/// let keys = Jwks::fixed(&format!(r#"{{"keys": [{{"kid": "1", "kty": "OKP", "crv": "Ed25519", "x": "{x}"}}]}}"#))?;
/// let server = ResourceServer {
///     resource: "https://mcp.example.com/mcp".into(),
///     issuer: "https://id.example.com".into(),
///     audience: "https://mcp.example.com/mcp".into(),
/// };
/// let tokens = JwtBearer::new(server, keys)?
///     .with_roles(RoleClaim::at("/groups")?.grants("billing-team", ["billing"])?)
///     .with_required_scopes(["orders"])?;
/// // Clients are told where to get one.
/// let metadata = tokens.metadata().expect("those of a resource server");
/// assert_eq!(metadata.address(), "https://mcp.example.com/.well-known/oauth-protected-resource/mcp");
/// # Ok::<(), mtb_http::JwtBearerError>(())
/// ```
///
/// [`principal_id`]: crate::principal_id
#[derive(Clone)]
#[must_use = "it lets nobody in until a server has it"]
pub struct JwtBearer {
    server: ResourceServer,
    keys: Jwks,
    algorithms: Vec<Algorithm>,
    leeway: Duration,
    scopes: Vec<String>,
    roles: Vec<RoleClaim>,
    clock: Arc<dyn Clock>,
    metadata: ResourceMetadata,
}

impl JwtBearer {
    /// Tokens of this issuer for this server, signed with RS256 or ES256.
    ///
    /// # Errors
    /// When an address is none, the audience is empty, or there is no cryptography.
    pub fn new(server: ResourceServer, keys: Jwks) -> Result<Self, JwtBearerError> {
        let is_address = |text: &str| text.strip_prefix("https://").is_some_and(|rest| !rest.is_empty());
        if !is_address(&server.issuer) || !server.issuer.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(JwtBearerError::Issuer(server.issuer));
        }
        if server.audience.trim().is_empty() {
            return Err(JwtBearerError::Audience);
        }
        if CryptoProvider::try_get_default().is_none() {
            return Err(JwtBearerError::Cryptography);
        }
        let Some(metadata) = metadata(&server, &[]) else { return Err(JwtBearerError::Resource(server.resource)) };
        Ok(Self {
            server,
            keys,
            algorithms: vec![Algorithm::RS256, Algorithm::ES256],
            leeway: Duration::from_secs(30),
            scopes: Vec::new(),
            roles: Vec::new(),
            clock: Arc::new(SystemClock),
            metadata,
        })
    }

    /// How the issuer signs; nothing else is taken.
    ///
    /// # Errors
    /// When there are none.
    pub fn with_algorithms(
        mut self,
        algorithms: impl IntoIterator<Item = JwtAlgorithm>,
    ) -> Result<Self, JwtBearerError> {
        self.algorithms = algorithms.into_iter().map(JwtAlgorithm::named).collect();
        if self.algorithms.is_empty() { Err(JwtBearerError::Algorithms) } else { Ok(self) }
    }

    /// How far the issuer's clock may be from this one. Default 30 s.
    pub fn with_leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway;
        self
    }

    /// Grants roles by a claim, beside those of other claims.
    pub fn with_roles(mut self, claim: RoleClaim) -> Self {
        self.roles.push(claim);
        self
    }

    /// Scopes that every token needs, for the whole server; without them the answer is 403. A scope of a single tool
    /// would tell that there is such a tool: what a tool needs are roles.
    ///
    /// # Errors
    /// When one of them is no scope.
    pub fn with_required_scopes(
        mut self,
        scopes: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, JwtBearerError> {
        for scope in scopes {
            let scope = scope.as_ref();
            let usable = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
            if scope.is_empty() || !scope.bytes().all(usable) {
                return Err(JwtBearerError::Scope(scope.to_owned()));
            }
            self.scopes.push(scope.to_owned());
        }
        if let Some(metadata) = metadata(&self.server, &self.scopes) {
            self.metadata = metadata;
        }
        Ok(self)
    }

    /// A clock of the host's, by which tokens expire.
    pub fn with_clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    fn challenge(&self) -> Challenge {
        Challenge { metadata: self.metadata.address().to_owned(), scopes: self.scopes.clone() }
    }

    /// What the token says, once it is known that the issuer says it, and says it to this server.
    async fn claims(&self, token: &str) -> Result<Value, NoClaims> {
        if token.len() > MAX_BYTES {
            return Err(Problem::Malformed.into());
        }
        let header = decode_header(token).map_err(|_| Problem::Malformed)?;
        if !self.algorithms.contains(&header.alg) {
            return Err(Problem::Algorithm.into());
        }
        let kind = header.typ.as_deref().map(str::to_ascii_lowercase);
        if !matches!(kind.as_deref(), None | Some("jwt" | "at+jwt" | "application/at+jwt")) {
            return Err(Problem::Kind.into());
        }
        let id = header.kid.ok_or(Problem::NoKey)?;
        let key = self.keys.find(&id, header.alg).await.map_err(|_| NoClaims::Unavailable)?;
        let key = key.ok_or(Problem::UnknownKey)?;
        let mut validation = Validation::new(header.alg);
        // Moments are told by the host's clock; the rest is looked at again where the library takes more than one form.
        validation.validate_exp = false;
        validation.set_required_spec_claims(&["iss", "sub", "aud"]);
        validation.set_issuer(&[&self.server.issuer]);
        validation.set_audience(&[&self.server.audience]);
        let decoded = decode::<Value>(token, &key.key, &validation);
        Ok(decoded.map_err(|error| problem(error.kind()))?.claims)
    }

    async fn identify(&self, token: &str) -> Result<Identity, Denied> {
        let denied = |problem: Problem| {
            tracing::debug!(?problem, "a token is not good");
            Denied::Unauthorized(self.challenge().to(problem))
        };
        let claims = match self.claims(token).await {
            Ok(claims) => claims,
            Err(NoClaims::Problem(problem)) => return Err(denied(problem)),
            Err(NoClaims::Unavailable) => return Err(Denied::Unavailable),
        };
        claims::is_bearers(&claims).map_err(denied)?;
        let holder = claims::holder(&claims, &self.server.issuer).map_err(denied)?;
        let until = claims::good_until(&claims, self.clock.now(), self.leeway).map_err(denied)?;
        if !claims::has_scopes(&claims, &self.scopes) {
            tracing::debug!("a token lacks a scope that this server requires");
            return Err(Denied::Forbidden(self.challenge().to_more_scopes()));
        }
        let principal = self.principal(&holder, &claims).ok_or_else(|| denied(Problem::Subject))?;
        Ok(Identity::of(principal).until(until))
    }

    fn principal(&self, holder: &PrincipalId, claims: &Value) -> Option<Principal> {
        let roles: BTreeSet<&Role> = self.roles.iter().flat_map(|claim| claim.of(claims)).collect();
        Principal::new(holder.as_str(), roles.into_iter().map(Role::as_str)).ok()
    }
}

/// Why nothing that a token says counts.
enum NoClaims {
    Problem(Problem),
    /// Whether it is good cannot be found out.
    Unavailable,
}

impl From<Problem> for NoClaims {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

fn problem(kind: &ErrorKind) -> Problem {
    match kind {
        ErrorKind::InvalidSignature => Problem::Signature,
        ErrorKind::InvalidAlgorithm => Problem::Algorithm,
        ErrorKind::InvalidIssuer => Problem::Issuer,
        ErrorKind::InvalidAudience => Problem::Audience,
        ErrorKind::MissingRequiredClaim(claim) | ErrorKind::InvalidClaimFormat(claim) => match claim.as_str() {
            "aud" => Problem::Audience,
            "iss" => Problem::Issuer,
            _ => Problem::Subject,
        },
        _ => Problem::Malformed,
    }
}

fn metadata(server: &ResourceServer, scopes: &[String]) -> Option<ResourceMetadata> {
    let scopes: Vec<_> = scopes.iter().map(String::as_str).collect();
    ResourceMetadata::of(&server.resource, &[&server.issuer], &scopes)
}

#[async_trait]
impl Authenticate for JwtBearer {
    async fn authenticate(&self, head: &Parts) -> Result<Identity, Denied> {
        match bearer(head)? {
            Some(token) => self.identify(token).await,
            None => Err(Denied::Unauthorized(self.challenge().to_nobody())),
        }
    }

    fn metadata(&self) -> Option<ResourceMetadata> {
        Some(self.metadata.clone())
    }
}

impl fmt::Debug for JwtBearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JwtBearer")
            .field("server", &self.server)
            .field("algorithms", &self.algorithms)
            .field("scopes", &self.scopes)
            .field("roles", &self.roles)
            .finish_non_exhaustive()
    }
}
