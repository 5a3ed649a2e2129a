use std::fmt::Display;

use mtb_core::{Principal, Role};
use serde::ser::{SerializeMap, SerializeStruct as _};
use serde::{Serialize, Serializer};

use super::AuditEvent;
use super::kind::EventKind;

impl Serialize for AuditEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.kind().as_str())?;
        map.serialize_entry("id", &Shown(self.id()))?;
        map.serialize_entry("at", &Shown(self.at()))?;
        map.serialize_entry("callId", &Shown(self.call_id()))?;
        map.serialize_entry("transport", self.transport().as_str())?;
        map.serialize_entry("principal", &Caller(self.principal()))?;
        map.serialize_entry("tool", self.tool())?;
        if let Some(digest) = self.args_digest() {
            map.serialize_entry("argsDigest", &Shown(digest))?;
        }
        if let Some(args) = self.args() {
            map.serialize_entry("args", args)?;
        }
        kind_fields(self.kind(), &mut map)?;
        map.end()
    }
}

fn kind_fields<M: SerializeMap>(kind: &EventKind, map: &mut M) -> Result<(), M::Error> {
    match kind {
        EventKind::CallRejected { reason, detail, issues } => {
            map.serialize_entry("reason", reason)?;
            if let Some(detail) = detail {
                map.serialize_entry("detail", detail)?;
            }
            if !issues.is_empty() {
                map.serialize_entry("issues", issues)?;
            }
            Ok(())
        }
        EventKind::ConfirmationIssued { expires_at } => map.serialize_entry("expiresAt", &Shown(expires_at)),
        EventKind::ConfirmationDeclined { detail } => map.serialize_entry("detail", detail),
        EventKind::ConfirmationWithdrawn { detail } => map.serialize_entry("detail", detail),
        EventKind::CallStarted { confirmed } => map.serialize_entry("confirmed", confirmed),
        EventKind::CallSucceeded { confirmed, duration_ms, result } => {
            map.serialize_entry("confirmed", confirmed)?;
            map.serialize_entry("durationMs", duration_ms)?;
            map.serialize_entry("result", result)
        }
        EventKind::CallFailed { confirmed, duration_ms, error } => {
            map.serialize_entry("confirmed", confirmed)?;
            map.serialize_entry("durationMs", duration_ms)?;
            map.serialize_entry("error", error)
        }
    }
}

/// Something that is written as its text.
struct Shown<T>(T);

impl<T: Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

struct Caller<'p>(&'p Principal);

impl Serialize for Caller<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("principal", 2)?;
        fields.serialize_field("id", self.0.id().as_str())?;
        fields.serialize_field("roles", &RoleNames(self.0.roles()))?;
        fields.end()
    }
}

struct RoleNames<'p>(&'p [Role]);

impl Serialize for RoleNames<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Role::as_str))
    }
}
