use serde_json::json;

use crate::bridges::{Site, done};
use crate::client::Client;

#[tokio::test]
async fn a_client_is_told_once_that_tools_came_and_went() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    client.still_serves("the handshake").await;

    // All within one turn of the runtime, so they count as one change.
    site.registry.register(done("new")).unwrap();
    site.registry.register(done("newer")).unwrap();
    assert!(site.registry.unregister("new"));
    let told = client.next().await;
    assert_eq!((&told["method"], &told["id"]), (&json!("notifications/tools/list_changed"), &json!(null)), "{told}");
    client.still_serves("a change").await;

    client.call(1, "newer", json!({})).await;
    assert_eq!(client.next().await["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn nobody_is_told_before_the_handshake() {
    let site = Site::new();
    let mut client = Client::new(&site);
    client.still_serves("nothing").await;
    site.registry.register(done("new")).unwrap();
    client.still_serves("a change").await;
}
