use std::sync::Arc;

use mtb_core::{CallId, Digest, Principal, Transport};

use crate::event::tool::AuditedTool;
use crate::kept::Kept;

/// What every event of one call says: who calls what, how, and with which arguments as far as they may be told.
///
/// Made by a [`Trail`](crate::Trail), which reduces arguments on the way in: a scope never holds what it may not keep.
/// Cheap to clone, so that the caller and the run can both record.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "a scope records nothing by itself: hand it to the trail with an event"]
pub struct CallScope(Arc<Facts>);

#[derive(Debug, Clone, PartialEq)]
struct Facts {
    call_id: CallId,
    transport: Transport,
    principal: Principal,
    tool: AuditedTool,
    args_digest: Option<Digest>,
    args: Option<Kept>,
}

impl CallScope {
    pub(crate) fn new(call_id: CallId, transport: Transport, principal: Principal, tool: AuditedTool) -> Self {
        Self(Arc::new(Facts { call_id, transport, principal, tool, args_digest: None, args: None }))
    }

    pub(crate) fn set_arguments(&mut self, digest: Digest, kept: Option<Kept>) {
        let facts = Arc::make_mut(&mut self.0);
        facts.args_digest = Some(digest);
        facts.args = kept;
    }

    /// The call.
    #[must_use]
    pub fn call_id(&self) -> CallId {
        self.0.call_id
    }

    /// The channel it came through.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.0.transport
    }

    /// Who calls, with the roles held at that moment.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.0.principal
    }

    /// What is called.
    #[must_use]
    pub fn tool(&self) -> &AuditedTool {
        &self.0.tool
    }

    /// The digest of the arguments, once they are valid.
    #[must_use]
    pub fn args_digest(&self) -> Option<Digest> {
        self.0.args_digest
    }

    /// The declared fields of the arguments, once they are valid.
    #[must_use]
    pub fn args(&self) -> Option<&Kept> {
        self.0.args.as_ref()
    }
}
