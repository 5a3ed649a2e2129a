use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use mtb_core::Principal;
use rmcp::ErrorData;
use rmcp::model::Extensions;

type Identify = Arc<dyn Fn(&Extensions) -> Option<Principal> + Send + Sync>;

/// In whose name requests are served.
#[derive(Clone)]
pub(crate) enum Who {
    /// All of them in the name of one.
    One(Principal),
    /// Each in the name of whoever the host finds in its extensions.
    EachRequest(Identify),
}

impl Who {
    /// The principal of a request. What cannot be told, for whatever reason, is nobody.
    pub(crate) fn of(&self, extensions: &Extensions) -> Result<Principal, ErrorData> {
        let principal = match self {
            Self::One(principal) => Some(principal.clone()),
            // What it panics with might panic again when it is dropped.
            Self::EachRequest(identify) => {
                catch_unwind(AssertUnwindSafe(|| identify(extensions))).map_err(mem::forget).unwrap_or_default()
            }
        };
        principal.ok_or_else(|| {
            ErrorData::internal_error("Internal error: the server cannot tell who is asking; nothing was done", None)
        })
    }
}
