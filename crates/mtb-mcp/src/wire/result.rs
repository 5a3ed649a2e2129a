use super::json::Object;
use super::message;
use crate::identity::Identity;
use crate::message::Message;
use crate::meta::SERVER_INFO;
use crate::reply_to::ReplyTo;

/// A complete result. Modern ones say what they are and who gave them.
pub(crate) fn complete(to: &ReplyTo, identity: &Identity, members: impl FnOnce(&mut Object<'_>)) -> Message {
    let modern = to.version.is_modern();
    message::result(&to.id, |result| {
        if modern {
            result.text("resultType", "complete");
        }
        members(result);
        if modern {
            result.object("_meta", |meta| meta.raw(SERVER_INFO, identity.as_json()));
        }
    })
}

/// The same, with more in its `_meta`.
pub(crate) fn complete_with_meta(
    to: &ReplyTo,
    identity: &Identity,
    members: impl FnOnce(&mut Object<'_>),
    more: impl FnOnce(&mut Object<'_>),
) -> Message {
    let modern = to.version.is_modern();
    message::result(&to.id, |result| {
        if modern {
            result.text("resultType", "complete");
        }
        members(result);
        result.object("_meta", |meta| {
            more(meta);
            if modern {
                meta.raw(SERVER_INFO, identity.as_json());
            }
        });
    })
}

/// A modern result that asks for something before the request can be completed.
pub(crate) fn input_required(to: &ReplyTo, identity: &Identity, members: impl FnOnce(&mut Object<'_>)) -> Message {
    message::result(&to.id, |result| {
        result.text("resultType", "input_required");
        members(result);
        result.object("_meta", |meta| meta.raw(SERVER_INFO, identity.as_json()));
    })
}
