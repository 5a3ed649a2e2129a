//! What lets people in without asking who they are. It is named so that a review sees it.

use async_trait::async_trait;
use http::request::Parts;
use mtb_core::Principal;

use super::{Authenticate, Denied, Identity};

/// Everybody who can reach the server is this principal. For demonstrations on one's own machine.
#[derive(Debug, Clone)]
pub struct Anonymous(pub Principal);

#[async_trait]
impl Authenticate for Anonymous {
    async fn authenticate(&self, _head: &Parts) -> Result<Identity, Denied> {
        Ok(Identity::of(self.0.clone()))
    }
}
