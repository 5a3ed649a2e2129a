use mtb_core::{CallId, Digest, Principal, Timestamp, Transport};
use uuid::Uuid;

use crate::kept::Kept;
use crate::scope::CallScope;
use kind::EventKind;
use tool::AuditedTool;

pub(crate) mod confirmation;
pub(crate) mod id;
mod json;
pub(crate) mod kind;
pub(crate) mod outcome;
pub(crate) mod reject;
pub(crate) mod tool;

/// One line of the audit: something that happened to one call, without content unless the declaration keeps it.
///
/// Serializes to one flat JSON object with camelCase keys in a fixed order: `type`, `id`, `at`, `callId`, `transport`,
/// `principal`, `tool`, `argsDigest` and `args` if there are any, then the fields of its kind. `Debug` shows no kept
/// content.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEvent {
    id: Uuid,
    at: Timestamp,
    scope: CallScope,
    kind: EventKind,
}

impl AuditEvent {
    pub(crate) fn new(id: Uuid, at: Timestamp, scope: CallScope, kind: EventKind) -> Self {
        Self { id, at, scope, kind }
    }

    /// The event's own id, a UUID of version 7: ids of one trail ascend.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// When it happened.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The call it belongs to.
    #[must_use]
    pub fn call_id(&self) -> CallId {
        self.scope.call_id()
    }

    /// The channel the call came through.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.scope.transport()
    }

    /// Who calls, with the roles held at that moment.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        self.scope.principal()
    }

    /// What is called.
    #[must_use]
    pub fn tool(&self) -> &AuditedTool {
        self.scope.tool()
    }

    /// The digest of the arguments, from the moment they are valid.
    #[must_use]
    pub fn args_digest(&self) -> Option<Digest> {
        self.scope.args_digest()
    }

    /// The declared fields of the arguments, from the moment they are valid.
    #[must_use]
    pub fn args(&self) -> Option<&Kept> {
        self.scope.args()
    }

    /// What happened.
    #[must_use]
    pub fn kind(&self) -> &EventKind {
        &self.kind
    }
}
