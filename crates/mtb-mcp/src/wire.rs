//! Outgoing messages, written straight into their bytes.

pub(crate) mod call_result;
pub(crate) mod content;
pub(crate) mod elicitation;
pub(crate) mod handshake;
pub(crate) mod json;
pub(crate) mod message;
pub(crate) mod notifications;
pub(crate) mod result;
pub(crate) mod tool_list;
