use mtb_bridge::Clock;
use mtb_core::{Principal, PrincipalError, PrincipalId, Timestamp};
use tokio_util::sync::CancellationToken;

/// Who sent a request, and for how long that is known.
#[derive(Debug, Clone)]
pub struct Identity {
    principal: Principal,
    expires: Option<Timestamp>,
    revoked: Option<CancellationToken>,
}

impl Identity {
    /// This principal, for as long as a stream may stay open.
    #[must_use]
    pub fn of(principal: Principal) -> Self {
        Self { principal, expires: None, revoked: None }
    }

    /// The credential is good until this moment, by the bridge's clock: streams end then, and nothing is served from then
    /// on.
    #[must_use]
    pub fn until(mut self, expires: Timestamp) -> Self {
        self.expires = Some(expires);
        self
    }

    /// The credential is good until this is cancelled: streams end then, and nothing is served from then on.
    #[must_use]
    pub fn unless_revoked(mut self, revoked: CancellationToken) -> Self {
        self.revoked = Some(revoked);
        self
    }

    /// Who it is.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Whether the credential is no longer good.
    pub(crate) fn is_over(&self, clock: &dyn Clock) -> bool {
        self.expires.is_some_and(|expires| expires <= clock.now())
            || self.revoked.as_ref().is_some_and(CancellationToken::is_cancelled)
    }

    pub(crate) fn expires(&self) -> Option<Timestamp> {
        self.expires
    }

    pub(crate) fn revoked(&self) -> Option<&CancellationToken> {
        self.revoked.as_ref()
    }
}

/// An id for somebody whom an issuer vouches for, and for the client that acts for them, where there is one. Different
/// people have different ones, whatever their issuers call them.
///
/// ```
/// use mtb_http::principal_id;
///
/// let alice = principal_id("https://id.example.com", "alice", None).unwrap();
/// assert_eq!(alice.as_str(), "22:https://id.example.com,5:alice");
/// let other = principal_id("https://id.example.com,5:alice", "", None);
/// assert_ne!(other.ok(), Some(alice));
/// ```
///
/// # Errors
/// When it is too long or holds a control character: see [`PrincipalId::new`].
pub fn principal_id(issuer: &str, subject: &str, client: Option<&str>) -> Result<PrincipalId, PrincipalError> {
    let part = |text: &str| format!("{}:{text}", text.len());
    let parts: Vec<_> = [Some(issuer), Some(subject), client].into_iter().flatten().map(part).collect();
    PrincipalId::new(&parts.join(","))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::principal_id;

    #[test]
    fn different_people_have_different_ids() {
        let parts = ["a", "a,1:a", "1:a", "", "a,"];
        let mut ids = BTreeSet::new();
        let mut count = 0;
        for issuer in parts {
            for subject in parts {
                for client in [None, Some("a"), Some(""), Some("a,1:a")] {
                    ids.insert(principal_id(issuer, subject, client).unwrap());
                    count += 1;
                }
            }
        }
        assert_eq!(ids.len(), count);
        assert!(principal_id(&"x".repeat(1024), "a", None).is_err());
        assert!(principal_id("a\n", "a", None).is_err());
    }
}
