//! Every text that a model or a person reads.

use std::fmt::Write as _;

use mtb_bridge::{ContentBlock, Failure, Rejection, ResourceLink, Summary};
use mtb_core::{Issue, cut, printable};

/// Most characters of what a caller wrote that an answer quotes.
const QUOTED_CHARS: usize = 128;

/// What a caller wrote, fit to be quoted to it.
pub(crate) fn quoted(text: &str) -> String {
    // Cut first: what is dropped need not be cleaned.
    printable(&cut(text, QUOTED_CHARS))
}

// --- protocol errors ---

pub(crate) const PARSE_ERROR: &str = "Parse error: the message is not valid JSON in UTF-8";
pub(crate) const TOO_LONG: &str = "Invalid request: the message is too long";
pub(crate) const NOT_A_MESSAGE: &str = "Invalid request: not a JSON-RPC 2.0 message";
pub(crate) const BAD_ENVELOPE: &str = "Invalid request: a member beside `params` is not acceptable";
pub(crate) const BAD_ID: &str = "Invalid request: `id` is an integer, or a string of at most 1,024 bytes";
pub(crate) const DUPLICATE_ID: &str = "Invalid request: another request with this id is in flight";
pub(crate) const INITIALIZED_TWICE: &str = "Invalid request: this connection is initialized already";
pub(crate) const NO_BATCHES: &str = "Invalid request: batches are not part of this protocol version";
pub(crate) const EMPTY_BATCH: &str = "Invalid request: the batch is empty";
pub(crate) const LARGE_BATCH: &str =
    "What this request brought does not fit into the answer to its batch. Ask for less in one batch.";
pub(crate) const LONG_BATCH: &str = "Invalid request: the batch has too many messages";
pub(crate) const NOT_IN_A_BATCH: &str = "Invalid request: this message cannot be part of a batch";
pub(crate) const METHOD_NOT_FOUND: &str = "Method not found";
pub(crate) const NOT_INITIALIZED: &str =
    "Invalid params: begin with `initialize`, or name the protocol version in `_meta` of every request";
pub(crate) const UNSUPPORTED_VERSION: &str = "Unsupported protocol version";
pub(crate) const PARAMS_NO_OBJECT: &str = "Invalid params: `params` is an object";
pub(crate) const META_NO_OBJECT: &str = "Invalid params: `_meta` is an object";
pub(crate) const VERSION_NO_STRING: &str = "Invalid params: the protocol version in `_meta` is a string";
pub(crate) const NO_CAPABILITIES: &str = "Invalid params: the client capabilities in `_meta` are missing or no object";
pub(crate) const NO_PROTOCOL_VERSION: &str = "Invalid params: `protocolVersion` is a string";
pub(crate) const CAPABILITIES_NO_OBJECT: &str = "Invalid params: `capabilities` is an object";
pub(crate) const BAD_CURSOR: &str = "Invalid params: the cursor is not one of this list";
pub(crate) const NO_NAME: &str = "Invalid params: `name` is a string";
pub(crate) const ARGUMENTS_NO_OBJECT: &str = "Invalid params: `arguments` is an object";
pub(crate) const BAD_PROGRESS_TOKEN: &str = "Invalid params: `progressToken` is a string or an integer";
pub(crate) const STATE_NO_STRING: &str = "Invalid params: `requestState` is a string";
pub(crate) const RESPONSES_NO_OBJECT: &str = "Invalid params: `inputResponses` is an object";
pub(crate) const TWO_CONFIRMATIONS: &str = "Invalid params: a call presents one confirmation, not two";
pub(crate) const NO_FILTER: &str = "Invalid params: `notifications` is an object of switches";
pub(crate) const BAD_STATE: &str = "Invalid params: `requestState` cannot be used; nothing was done";
pub(crate) const TOO_MANY_STREAMS: &str = "Internal error: too many subscriptions are open on this connection";

/// What a driver refuses by what stands around a message.
#[cfg(feature = "drive")]
pub(crate) mod around {
    pub(crate) const NOTHING_ASKED: &str = "Invalid request: nothing was asked that this could answer";
    pub(crate) const NO_VERSION_IN_META: &str = "Invalid params: name the protocol version in `_meta` of every request";
    pub(crate) const BAD_VERSION_HEADER: &str =
        "Header mismatch: `MCP-Protocol-Version` has to be there once and to name the version of `_meta`";
    pub(crate) const BAD_METHOD_HEADER: &str =
        "Header mismatch: `Mcp-Method` has to be there once and to name the method";
    pub(crate) const BAD_NAME_HEADER: &str = "Header mismatch: `Mcp-Name` has to be there once and to name the tool";
    pub(crate) const UNKNOWN_VERSION: &str =
        "Invalid request: `MCP-Protocol-Version` names no version that is spoken here";
    pub(crate) const BAD_ARGUMENT_HEADER: &str = "Header mismatch: for each argument that the tool marks with `x-mcp-header` and that is given, its `Mcp-Param-…` \
         is there once and says the same; for one that is not given, there is none";
}

/// What is wrong with a value inside `params`.
pub(crate) fn params_fault(fault: mtb_core::json::JsonFault) -> String {
    format!("Invalid params: {fault}")
}

pub(crate) fn unknown_tool(name: &str) -> String {
    format!("Unknown tool: {}", quoted(name))
}

// --- answers to calls ---

pub(crate) const CONFIRMATION_REFUSED: &str = "This confirmation cannot be used. Nothing was done.";
pub(crate) const CANCELLED: &str = "The call was cancelled.";

pub(crate) fn invalid_arguments(tool: &str, issues: &[Issue]) -> String {
    let mut text = format!("Invalid arguments for {}:", quoted(tool));
    for issue in issues {
        let path = if issue.path.is_empty() { "/" } else { &issue.path };
        // Writing to a string cannot fail.
        let _ = write!(text, "\n- {}: {}", printable(path), printable(&issue.message));
    }
    text
}

/// Why there is no answer of the tool.
pub(crate) fn failure(failure: &Failure) -> String {
    match failure {
        Failure::Tool(error) => return error.as_str().to_owned(),
        Failure::Timeout(limit) => return format!("The tool did not answer within {} ms.", limit.as_millis()),
        Failure::Internal => "The tool failed. Its operator can find out why.",
        Failure::Cancelled => CANCELLED,
        Failure::AuditUnavailable => "The call could not be recorded, so it was not made. Nothing was done.",
        Failure::ResultTooLarge => "The answer of the tool is too large. Ask for less at a time.",
        Failure::InvalidOutput => "The tool answered something else than it declares, so its answer was withheld.",
        Failure::Overloaded => "The server is busy. Nothing was done; try again later.",
        Failure::ConfirmationUnavailable => {
            "This call needs a confirmation, and none can be asked for now. Nothing was done."
        }
    }
    .to_owned()
}

/// Why a call was refused; an unknown tool is told in another way.
pub(crate) fn rejection(rejection: Rejection) -> &'static str {
    match rejection {
        Rejection::TooManyPending => {
            "Too many confirmations are waiting for an answer. Nothing was done; have some of them answered first."
        }
        Rejection::UnknownTool | Rejection::ConfirmationInvalid | Rejection::ConfirmationExpired => {
            CONFIRMATION_REFUSED
        }
    }
}

// --- confirmations ---

/// What the model reads while the host asks.
pub(crate) fn held(summary: &Summary) -> String {
    format!("Confirmation required: {summary}\nNothing was done yet. A person has to approve this call first.")
}

/// What the person reads who is asked in band.
pub(crate) fn question(summary: &Summary) -> String {
    format!("{summary}\n\nDo you want this to be done?")
}

pub(crate) const CONFIRM_TITLE: &str = "Yes, do it";

pub(crate) const DECLINED: &str = "The user declined this call. Nothing was done.";

/// Why a question no longer needs an answer.
pub(crate) const QUESTION_WITHDRAWN: &str = "The question is no longer open.";

/// Why a subscription ends.
pub(crate) const STREAM_ENDED: &str = "The server is closing the connection.";

// --- what an older client cannot show ---

/// Stands for a block that the protocol version does not know.
pub(crate) fn instead_of(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Audio { mime_type, .. } => format!("[audio, {mime_type}: not part of this protocol version]"),
        ContentBlock::ResourceLink(ResourceLink { uri, name, .. }) => format!("{name}: {uri}"),
        _ => "[content that is not part of this protocol version]".to_owned(),
    }
}
