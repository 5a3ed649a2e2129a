use std::time::Duration;

use super::json::Object;
use super::message;
use super::result::complete;
use crate::identity::{self, Identity};
use crate::message::Message;
use crate::reply_to::ReplyTo;
use crate::server_options::ServerInfo;
use crate::version::Version;

/// The answer to `initialize`; `to` has the revision that was settled on.
pub(crate) fn initialized(to: &ReplyTo, info: &ServerInfo) -> Message {
    message::result(&to.id, |result| {
        result.text("protocolVersion", to.version.as_str());
        capabilities(result);
        result.object("serverInfo", |server| identity::members(server, info, to.version));
        result.optional_text("instructions", info.instructions.as_deref());
    })
}

/// The answer to `server/discover`.
pub(crate) fn discovered(to: &ReplyTo, identity: &Identity, info: &ServerInfo, ttl: Duration) -> Message {
    complete(to, identity, |result| {
        result.array("supportedVersions", |versions| versions.text(Version::MODERN.as_str()));
        capabilities(result);
        result.optional_text("instructions", info.instructions.as_deref());
        caching(result, ttl);
    })
}

/// The answer to `ping`.
pub(crate) fn pong(to: &ReplyTo) -> Message {
    message::result(&to.id, |_| {})
}

fn capabilities(result: &mut Object<'_>) {
    result.object("capabilities", |capabilities| {
        capabilities.object("tools", |tools| tools.flag("listChanged", true));
    });
}

/// 2026-07-28/server/utilities/caching. What a principal may see is its own, so nobody may share it.
pub(crate) fn caching(result: &mut Object<'_>, ttl: Duration) {
    result.raw("ttlMs", &ttl.as_millis().to_string());
    result.text("cacheScope", "private");
}
