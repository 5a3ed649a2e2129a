//! Orders of a shop, served over HTTP to two people: ada may read them, bo may also pay them back. Each has a key of
//! their own, made when the server starts and printed once.

use std::io::{self, Write as _};

use anyhow::Context as _;
use mcp_tool_bridge::{
    ApiKey, ApiKeys, Bridge, Governance, HttpOptions, JsonSchema, Principal, Reversibility, Sensitivity, ServerInfo,
    ServerOptions, Tool, ToolDraft, ToolRegistry, any_of, serve_http, shutdown_signal, text,
};
use serde_json::json;
use tokio::net::TcpListener;

const ADDRESS: &str = "127.0.0.1:8080";

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_max_level(tracing_subscriber::filter::LevelFilter::WARN)
        .init();
    let address = std::env::var("EXAMPLE_ADDRESS").unwrap_or_else(|_| ADDRESS.to_owned());
    let listener = TcpListener::bind(&address).await.with_context(|| {
        format!("`{address}` cannot be listened at; set `EXAMPLE_ADDRESS` to another, as `127.0.0.1:8081`")
    })?;
    let registry = ToolRegistry::new();
    registry.register_all([read_order(), refund_order()])?;

    let keys = ApiKeys::new();
    let mut out = io::stdout().lock();
    writeln!(out, "http://{}/mcp", listener.local_addr()?)?;
    for (id, roles) in [("ada", &["support"][..]), ("bo", &["support", "billing"])] {
        let key = ApiKey::generate()?;
        keys.add(key.hash(), Principal::new(id, roles)?, None);
        writeln!(out, "{id}: {}", key.expose())?;
    }
    drop(out);

    let info = ServerInfo {
        name: "orders".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        title: Some("Orders".into()),
        instructions: Some("Read orders and pay them back. A refund waits for a person's yes.".into()),
    };
    let options = HttpOptions::new(ServerOptions::new(info), keys);
    serve_http(Bridge::new(registry), options, listener, shutdown_signal()).await;
    Ok(())
}

fn order() -> JsonSchema {
    JsonSchema::value(json!({
        "type": "object",
        "properties": {"order": {"type": "string", "pattern": "^o-[0-9]+$"}},
        "required": ["order"],
        "additionalProperties": false,
    }))
}

fn read_order() -> ToolDraft {
    let governance = Governance {
        sensitivity: Sensitivity::None,
        reversibility: Reversibility::Reversible,
        roles: any_of(["support", "billing"]),
    };
    Tool::declare("read_order", "Says what is in an order.", order(), governance)
        .handler(|arguments, _call| async move { Ok(text(format!("{}: one teapot", arguments.string("order")?))) })
}

fn refund_order() -> ToolDraft {
    let governance = Governance {
        sensitivity: Sensitivity::High,
        reversibility: Reversibility::Irreversible,
        roles: any_of(["billing"]),
    };
    Tool::declare("refund_order", "Pays an order back.", order(), governance)
        .summarize(|arguments| format!("Pay back {}", arguments.string("order").unwrap_or_default()))
        .handler(|arguments, _call| async move { Ok(text(format!("{} is paid back", arguments.string("order")?))) })
}
