//! Who is let in, and for how long.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use axum::response::Response;
use futures_util::FutureExt as _;
use http::StatusCode;
use http::request::Parts;
use mtb_core::Principal;
use tokio::time::timeout;

use crate::auth::{Denied, Identity};
use crate::server::Inner;
use crate::status;

/// Who calls, and what of them counts while the request is served.
pub(crate) struct Guest {
    pub(crate) identity: Identity,
}

impl Guest {
    pub(crate) fn principal(&self) -> &Principal {
        self.identity.principal()
    }
}

impl<C: Send + Sync + 'static> Inner<C> {
    /// Who sent a request, if it is to be served at all.
    pub(crate) async fn welcome(&self, head: &Parts) -> Result<Guest, Box<Response>> {
        self.check_open()?;
        let identity = self.identify(head).await.map_err(|why| Box::new(status::denied(why)))?;
        // That may have taken its time.
        self.check_open()?;
        match self.rate.take(identity.principal().id(), 1) {
            Ok(()) => Ok(Guest { identity }),
            Err(wait) => Err(Box::new(status::too_early(wait))),
        }
    }

    /// The same person, after a while: the server may be closing now, and their credential may be gone.
    pub(crate) async fn still_welcome(&self, head: &Parts, guest: Guest) -> Result<Guest, Box<Response>> {
        self.check_open()?;
        if self.is_good(&guest.identity).is_ok() {
            return Ok(guest);
        }
        let identity = self.identify(head).await.map_err(|why| Box::new(status::denied(why)))?;
        self.check_open()?;
        Ok(Guest { identity })
    }

    fn check_open(&self) -> Result<(), Box<Response>> {
        if self.closing.is_cancelled() {
            let text = "The server is shutting down. Nothing was done.";
            return Err(Box::new(status::later(StatusCode::SERVICE_UNAVAILABLE, text, Duration::from_secs(1))));
        }
        Ok(())
    }

    /// What panics or is slow knows nobody, and what it knew once counts for as long as it said.
    async fn identify(&self, head: &Parts) -> Result<Identity, Denied> {
        // Asked within, since what panics may do so before there is a future.
        let asked = AssertUnwindSafe(async { self.authenticate.authenticate(head).await }).catch_unwind();
        let identity = match timeout(self.limits.authentication, asked).await {
            Ok(Ok(answer)) => answer?,
            Ok(Err(_)) => {
                tracing::warn!("nobody is let in: `Authenticate` panicked");
                return Err(Denied::Unavailable);
            }
            Err(_) => {
                tracing::warn!("nobody is let in: `Authenticate` took longer than `HttpLimits::authentication`");
                return Err(Denied::Unavailable);
            }
        };
        self.is_good(&identity).map(|()| identity)
    }

    /// Whether a credential is still good.
    fn is_good(&self, identity: &Identity) -> Result<(), Denied> {
        match catch_unwind(AssertUnwindSafe(|| identity.is_over(&**self.bridge.clock()))) {
            Ok(false) => Ok(()),
            Ok(true) => Err(Denied::lapsed()),
            Err(_) => {
                tracing::warn!("nobody is let in: the clock panicked");
                Err(Denied::Unavailable)
            }
        }
    }
}
