use mtb_bridge::Progress;
use mtb_core::json::RequestId;

use super::message::{notification, result};
use crate::message::Message;
use crate::meta::SUBSCRIPTION_ID;
use crate::version::Version;

/// A request that this side no longer answers, or no longer wants to be answered.
pub(crate) fn cancelled(request: &RequestId, reason: &str) -> Message {
    notification("notifications/cancelled", |params| {
        params.raw("requestId", request.as_json());
        params.text("reason", reason);
    })
}

/// `token` is JSON, as it was received.
pub(crate) fn progress(token: &RequestId, progress: Progress, version: Version) -> Message {
    let Progress { done, total, message } = progress;
    notification("notifications/progress", |params| {
        params.raw("progressToken", token.as_json());
        params.number("progress", done);
        if let Some(total) = total.filter(|total| total.is_finite()) {
            params.number("total", total);
        }
        if version.has_progress_message() {
            params.optional_text("message", message.as_deref());
        }
    })
}

const TOOLS_CHANGED: &str = "notifications/tools/list_changed";

/// To a client that has initialized.
pub(crate) fn tools_changed() -> Message {
    notification(TOOLS_CHANGED, |_| {})
}

/// To a subscription.
pub(crate) fn subscribed_tools_changed(subscription: &RequestId) -> Message {
    notification(TOOLS_CHANGED, |params| {
        params.object("_meta", |meta| meta.raw(SUBSCRIPTION_ID, subscription.as_json()));
    })
}

/// What of a subscription will be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subscribed {
    ToTools,
    ToNothing,
}

/// The first message of a subscription.
pub(crate) fn acknowledged(subscription: &RequestId, subscribed: Subscribed) -> Message {
    notification("notifications/subscriptions/acknowledged", |params| {
        params.object("_meta", |meta| meta.raw(SUBSCRIPTION_ID, subscription.as_json()));
        params.object("notifications", |served| {
            if subscribed == Subscribed::ToTools {
                served.flag("toolsListChanged", true);
            }
        });
    })
}

/// The last message of a subscription that this side ends.
pub(crate) fn stream_ended(subscription: &RequestId, server_info: &str) -> Message {
    result(subscription, |body| {
        body.text("resultType", "complete");
        body.object("_meta", |meta| {
            meta.raw(SUBSCRIPTION_ID, subscription.as_json());
            meta.raw(crate::meta::SERVER_INFO, server_info);
        });
    })
}
