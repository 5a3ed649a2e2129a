use mtb_bridge::{Confirmation, ToolResult};
use mtb_core::CallId;
use serde_json::Value;

use super::content;
use super::elicitation;
use super::json::Object;
use super::result::{complete, complete_with_meta, input_required};
use crate::identity::Identity;
use crate::message::Message;
use crate::meta::{CONFIRMATION_META_KEY, STATUS_META_KEY};
use crate::reply_to::ReplyTo;
use crate::version::Version;
use crate::wording;

/// Whether a tool declares the schema of its structured results. Clients check every structured answer against it, so
/// an answer that is not the tool's own must have none, and must be an error to be excused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputSchema {
    Declared,
    None,
}

impl OutputSchema {
    pub(crate) fn of(declared: bool) -> Self {
        if declared { Self::Declared } else { Self::None }
    }
}

/// What the tool answered, as far as the revision can carry it.
pub(crate) fn answered(to: &ReplyTo, identity: &Identity, answer: &ToolResult) -> Message {
    let structured = answer.structured.as_ref();
    let shown = structured.filter(|value| shows(to.version, value));
    complete(to, identity, |result| {
        result.array("content", |blocks| {
            for block in &answer.content {
                content::write(blocks, block, to.version);
            }
            // 2025-06-18/server/tools, Structured Content: who does not read it finds it as text.
            if let Some(value) = structured.filter(|_| answer.content.is_empty()) {
                content::text(blocks, &value.to_string());
            }
        });
        if let Some(value) = shown {
            result.value("structuredContent", value);
        }
        if answer.is_error {
            result.flag("isError", true);
        }
    })
}

fn shows(version: Version, structured: &Value) -> bool {
    version.has_structured_values() || (version.has_structured_content() && structured.is_object())
}

/// A failure that the model reads.
pub(crate) fn failed(to: &ReplyTo, identity: &Identity, text: &str) -> Message {
    complete(to, identity, |result| {
        result.array("content", |blocks| content::text(blocks, text));
        result.flag("isError", true);
    })
}

/// A call that waits for the host to bring a person's yes.
pub(crate) fn held(to: &ReplyTo, identity: &Identity, call_id: CallId, confirmation: &Confirmation) -> Message {
    let schema = OutputSchema::of(confirmation.has_output_schema);
    let expires_at = confirmation.expires_at.to_string();
    let status = |object: &mut Object<'_>| {
        object.text("status", "confirmation_required");
        object.text("tool", confirmation.tool.as_str());
        object.text("summary", confirmation.summary.as_str());
        object.text("expiresAt", &expires_at);
    };
    let text = wording::held(&confirmation.summary);
    complete_with_meta(
        to,
        identity,
        |result| unanswered(result, to, schema, &text, status),
        |meta| {
            meta.object(CONFIRMATION_META_KEY, |carried| {
                carried.text("token", confirmation.token.expose());
                carried.text("expiresAt", &expires_at);
                carried.text("callId", &call_id.to_string());
            });
            if schema == OutputSchema::Declared {
                meta.object(STATUS_META_KEY, status);
            }
        },
    )
}

/// A call that a person said no to.
pub(crate) fn declined(to: &ReplyTo, identity: &Identity, tool: &str, schema: OutputSchema) -> Message {
    let status = |object: &mut Object<'_>| {
        object.text("status", "declined");
        object.text("tool", tool);
    };
    let members = |result: &mut Object<'_>| unanswered(result, to, schema, wording::DECLINED, status);
    match schema {
        OutputSchema::None => complete(to, identity, members),
        OutputSchema::Declared => {
            complete_with_meta(to, identity, members, |meta| meta.object(STATUS_META_KEY, status))
        }
    }
}

/// An answer that is not the tool's: a text, and a status for programs where the revision and the tool leave room.
fn unanswered(
    result: &mut Object<'_>,
    to: &ReplyTo,
    schema: OutputSchema,
    text: &str,
    status: impl FnOnce(&mut Object<'_>),
) {
    result.array("content", |blocks| content::text(blocks, text));
    match schema {
        OutputSchema::Declared => result.flag("isError", true),
        OutputSchema::None if to.version.has_structured_content() => result.object("structuredContent", status),
        OutputSchema::None => {}
    }
}

/// 2026-07-28/basic/patterns/mrtr: a call that waits for the client to bring a person's answer.
pub(crate) fn asked(to: &ReplyTo, identity: &Identity, confirmation: &Confirmation) -> Message {
    input_required(to, identity, |result| {
        result.object("inputRequests", |requests| {
            requests.object(elicitation::CONFIRM, |request| {
                request.text("method", elicitation::METHOD);
                request.object("params", |params| elicitation::params(params, to.version, &confirmation.summary));
            });
        });
        result.text("requestState", confirmation.token.expose());
    })
}
