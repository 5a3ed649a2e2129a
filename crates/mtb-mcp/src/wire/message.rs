use mtb_core::json::RequestId;

use super::json::Object;
use crate::message::{Message, MessageKind};
use crate::rpc_error::RpcError;

/// Room for a short message, so that most are written without growing.
const ROOM: usize = 320;

fn message(kind: MessageKind, members: impl FnOnce(&mut Object<'_>)) -> Message {
    let mut out = Vec::with_capacity(ROOM);
    Object::write(&mut out, |message| {
        message.raw("jsonrpc", "\"2.0\"");
        members(message);
    });
    Message::new(out, kind)
}

/// An answer. The id is written as it was received.
pub(crate) fn result(id: &RequestId, members: impl FnOnce(&mut Object<'_>)) -> Message {
    message(MessageKind::Result, |message| {
        message.raw("id", id.as_json());
        message.object("result", members);
    })
}

/// A refusal. Without an id when there was none to be read.
pub(crate) fn error(id: Option<&RequestId>, error: &RpcError) -> Message {
    message(MessageKind::Error(error.code()), |message| {
        if let Some(id) = id {
            message.raw("id", id.as_json());
        }
        message.object("error", |body| error.write(body));
    })
}

pub(crate) fn request(id: &str, method: &'static str, params: impl FnOnce(&mut Object<'_>)) -> Message {
    message(MessageKind::Question(id.into()), |message| {
        message.text("id", id);
        message.text("method", method);
        message.object("params", params);
    })
}

pub(crate) fn notification(method: &'static str, params: impl FnOnce(&mut Object<'_>)) -> Message {
    message(MessageKind::Notification, |message| {
        message.text("method", method);
        message.object("params", params);
    })
}
