//! Arguments of 2026-07-28 that travel in headers, too.

use mtb_bridge::{JsonSchema, Tool, ToolDraft};
use mtb_core::{Governance, Reversibility, Sensitivity, any_of};
use serde_json::json;

use crate::client::{Client, modern};
use crate::site::Site;

fn route(name: &str, role: &str) -> ToolDraft {
    let schema = json!({
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "additionalProperties": false,
    });
    let governance =
        Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: any_of([role]) };
    Tool::declare(name, "Goes by its region.", JsonSchema::value(schema).allow_keywords(["x-mcp-header"]), governance)
        .handler(|_args, _call| async { Ok("there") })
}

#[tokio::test]
async fn a_call_is_served_if_its_headers_say_what_its_arguments_say() {
    let site = Site::new();
    site.bridge.registry().register_all([route("route", "reader"), route("hidden", "nobody")]).unwrap();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let saying = |region: &str| alice.clone().with("mcp-param-region", region);
    let call = async |client: &Client, name: &str, arguments: serde_json::Value| {
        let mut answer = client.modern(1, "tools/call", &json!({"name": name, "arguments": arguments})).await;
        (answer.status.as_u16(), answer.next().await["error"]["code"].as_i64())
    };
    let (east, mismatch, invalid) = (json!({"region": "east"}), (400, Some(-32020)), (400, Some(-32602)));
    assert_eq!(call(&alice, "route", east.clone()).await, mismatch);
    assert_eq!(call(&saying("west"), "route", east.clone()).await, mismatch);
    assert_eq!(call(&saying("east").and("mcp-param-region", "east"), "route", east.clone()).await, mismatch);
    assert_eq!(call(&saying("east"), "route", json!({})).await, mismatch);
    // What cannot be read is refused as such.
    let unread = modern(1, "tools/call", &json!({"name": "route", "arguments": east})).to_string();
    let saying_so = saying("1e400").with("mcp-protocol-version", "2026-07-28").with("mcp-method", "tools/call");
    let mut answer = saying_so.with("mcp-name", "route").post(unread.replace("\"east\"", "1e400")).await;
    assert_eq!((answer.status.as_u16(), answer.next().await["error"]["code"].as_i64()), invalid);
    assert_eq!(site.events(), [""; 0]);
    // Whoever may not know of a tool does not learn of its headers.
    assert_eq!(call(&alice, "hidden", east.clone()).await, invalid);
    assert_eq!(call(&alice, "not-there", east.clone()).await, invalid);
    assert_eq!(site.events(), ["call.rejected forbidden", "call.rejected unknown_tool"]);

    assert_eq!(call(&saying("east"), "route", east.clone()).await, (200, None));
    assert_eq!(call(&saying("=?base64?ZWFzdA==?="), "route", east.clone()).await, (200, None));
    assert_eq!(call(&alice, "route", json!({})).await, (200, None));
    // Other tools have no such headers, and other revisions do not know them.
    assert_eq!(call(&saying("west"), "greet", json!({"name": "Ada"})).await, (200, None));
    let begun = alice.begun("2025-11-25", &json!({})).await;
    assert_eq!(begun.call(1, "route", &east).await.next().await["result"]["content"][0]["text"], "there");
}
