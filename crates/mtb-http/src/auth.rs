//! Who is calling, found out for every request.

mod api_keys;
pub mod danger;
mod identity;
#[cfg(feature = "jwt")]
mod jwt;
mod metadata;

use async_trait::async_trait;
use http::HeaderValue;
use http::request::Parts;

pub use api_keys::{ApiKey, ApiKeyError, ApiKeyHash, ApiKeys};
pub use identity::{Identity, principal_id};
#[cfg(feature = "jwt")]
pub use jwt::{
    FetchError, FetchKeys, Jwks, JwksTimes, JwtAlgorithm, JwtBearer, JwtBearerError, ResourceServer, RoleClaim,
};
pub use metadata::ResourceMetadata;

/// Finds out who sent a request. It is asked for every one of them, and nothing is served before it has answered.
///
/// ```
/// use async_trait::async_trait;
/// use http::{HeaderValue, request::Parts};
/// use mtb_core::Principal;
/// use mtb_http::{Authenticate, Denied, Identity};
///
/// /// Believes the proxy in front, which is the only one that reaches the port.
/// struct Proxy;
///
/// // With `async-trait` and `http = "1"` among the dependencies.
/// #[async_trait]
/// impl Authenticate for Proxy {
///     async fn authenticate(&self, head: &Parts) -> Result<Identity, Denied> {
///         let user = head.headers.get("x-user").and_then(|user| user.to_str().ok());
///         let known = user.and_then(|user| Principal::new(user, ["support"]).ok());
///         known.map(Identity::of).ok_or(Denied::Unauthorized(HeaderValue::from_static("Bearer")))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (head, ()) = http::Request::builder().header("x-user", "ada").body(())?.into_parts();
/// assert_eq!(Proxy.authenticate(&head).await.ok().map(|it| it.principal().id().to_string()).as_deref(), Some("ada"));
/// let (head, ()) = http::Request::new(()).into_parts();
/// assert!(Proxy.authenticate(&head).await.is_err());
/// # Ok(())
/// # }
/// ```
///
/// What it does not know is refused: when it panics, or takes longer than
/// [`HttpLimits::authentication`](crate::HttpLimits::authentication), the request is answered with 503.
#[async_trait]
pub trait Authenticate: Send + Sync + 'static {
    /// Who it is, by the head of the request. Its body has not been read.
    ///
    /// # Errors
    /// Why nobody is let in.
    async fn authenticate(&self, head: &Parts) -> Result<Identity, Denied>;

    /// What clients may learn of the server before they have credentials; asked when the server is made, and when its
    /// routes are. Default: nothing.
    fn metadata(&self) -> Option<ResourceMetadata> {
        None
    }
}

/// Why a request is not served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denied {
    /// 401: there are no credentials, or they are not good. The challenge is the value of `WWW-Authenticate`.
    Unauthorized(HeaderValue),
    /// 403: the credentials are good, and not for this. The challenge is the value of `WWW-Authenticate`.
    Forbidden(HeaderValue),
    /// 400: the credentials are not written as they have to be.
    Malformed,
    /// 503: it cannot be found out now.
    Unavailable,
}

impl Denied {
    /// Credentials that were good.
    pub(crate) fn lapsed() -> Self {
        Self::Unauthorized(HeaderValue::from_static("Bearer error=\"invalid_token\""))
    }
}

/// The token of `Authorization: Bearer …`, if that header is there once.
///
/// # Errors
/// [`Denied::Malformed`] when it is there twice, or is no text; `None` when there are other credentials or none.
pub(crate) fn bearer(head: &Parts) -> Result<Option<&str>, Denied> {
    let mut values = head.headers.get_all(http::header::AUTHORIZATION).iter();
    let Some(value) = values.next() else {
        tracing::debug!("a request has no `Authorization`");
        return Ok(None);
    };
    if values.next().is_some() {
        tracing::debug!("a request has `Authorization` twice");
        return Err(Denied::Malformed);
    }
    let value = value.to_str().map_err(|_| {
        tracing::debug!("a request has an `Authorization` that is no text");
        Denied::Malformed
    })?;
    let token = value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    if token.is_none() {
        tracing::debug!("a request has an `Authorization` that is not `Bearer` and a token");
    }
    Ok(token.map(|(_, token)| token.trim()))
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::{Denied, bearer};

    #[test]
    fn a_bearer_token_stands_in_one_header() {
        for (values, expected) in [
            (&[][..], Ok(None)),
            (&["Bearer abc"], Ok(Some("abc"))),
            (&["bearer  abc "], Ok(Some("abc"))),
            (&["Basic abc"], Ok(None)),
            (&["Bearer"], Ok(None)),
            (&["Bearer abc", "Bearer abc"], Err(Denied::Malformed)),
            (&["Bearer \u{e9}"], Err(Denied::Malformed)),
        ] {
            let mut request = Request::builder();
            for value in values {
                request = request.header("authorization", value.as_bytes());
            }
            let (head, ()) = request.body(()).unwrap().into_parts();
            assert_eq!(bearer(&head), expected, "{values:?}");
        }
    }
}
