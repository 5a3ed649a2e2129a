//! A bridge behind the official Rust SDK: the SDK has the transport, the bridge has the say.
//!
//! It serves the one who started it over the SDK's stdio transport. Over HTTP, where each request has a principal of its
//! own, a host makes the handler with `BridgeHandler::new`, whose documentation says how.

use mcp_tool_bridge::{
    Bridge, BridgeHandler, Governance, JsonSchema, Principal, Reversibility, Sensitivity, ServerInfo, ServerOptions,
    Tool, ToolRegistry, any_of,
};
use rmcp::ServiceExt as _;
use rmcp::transport::stdio;

const COUPON: &str = r#"{
    "type": "object",
    "properties": {"customer": {"type": "string", "pattern": "^C-[0-9]+$"}, "percent": {"type": "integer", "minimum": 1, "maximum": 30}},
    "required": ["customer", "percent"],
    "additionalProperties": false
}"#;

fn bridge() -> anyhow::Result<Bridge> {
    let staff = || any_of(["staff"]);
    let hours = Tool::declare(
        "opening_hours",
        "Tells when the shop is open.",
        JsonSchema::no_arguments(),
        Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: staff() },
    );
    let coupon = Tool::declare(
        "send_coupon",
        "Sends a discount coupon to a customer.",
        JsonSchema::text(COUPON),
        Governance { sensitivity: Sensitivity::High, reversibility: Reversibility::Irreversible, roles: staff() },
    );
    let registry = ToolRegistry::new();
    registry.register_all([
        hours.handler(|_arguments, _call| async { Ok("Monday to Friday, 9 to 17.") }),
        coupon
            .summarize(|arguments| {
                let customer = arguments.string("customer").unwrap_or("?");
                format!("Send {} % off to {customer}", arguments.integer("percent").unwrap_or_default())
            })
            .handler(|arguments, _call| async move { Ok(format!("Sent to {}.", arguments.string("customer")?)) }),
    ])?;
    Ok(Bridge::new(registry))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let principal = Principal::new("shop-assistant", ["staff"])?;
    let info = ServerInfo {
        name: "behind-rmcp".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        title: None,
        instructions: None,
    };
    let handler = BridgeHandler::for_principal(bridge()?, principal, ServerOptions::new(info));
    handler.serve(stdio()).await?.waiting().await?;
    Ok(())
}
