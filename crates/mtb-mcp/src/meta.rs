//! The keys of `_meta` that mean something here.

/// Where a held call's result carries its token, and where the repeated call carries it back.
///
/// In the result: `{"token", "expiresAt", "callId"}`. In the request: `{"token"}`. It is for the host: whoever shows
/// it to the model gives up the guard.
pub const CONFIRMATION_META_KEY: &str = "mcp-tool-bridge/confirmation";

/// Where the status of a held or declined call stands when the tool declares an output schema, so that there can be no
/// structured content beside it.
pub const STATUS_META_KEY: &str = "mcp-tool-bridge/status";

pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
pub(crate) const PROGRESS_TOKEN: &str = "progressToken";
#[cfg(feature = "drive")]
pub(crate) const TRACE_PARENT: &str = "traceparent";
