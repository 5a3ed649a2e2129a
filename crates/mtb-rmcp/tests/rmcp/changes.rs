use serde_json::json;

use crate::peer::{Peer, modern, until};
use crate::site::{Site, tool_for};

#[tokio::test]
async fn tells_of_changes_that_the_principal_can_see() {
    let site = Site::new();
    let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
    // Served once the client has said that it is ready.
    peer.called(1, json!({"name": "done"})).await;
    site.registry.register(tool_for("admin", "another's")).unwrap_err();
    site.registry.register(tool_for("admin", "of_admins")).unwrap();
    peer.says_nothing_more().await;
    site.registry.register(tool_for("staff", "of_staff")).unwrap();
    let told = peer.next().await;
    assert_eq!(told["method"], "notifications/tools/list_changed", "{told}");
    site.registry.unregister("of_admins");
    peer.says_nothing_more().await;
}

#[tokio::test]
async fn a_subscription_is_told_too() {
    let site = Site::new();
    let mut peer = Peer::of(site.for_alice());
    let filter = json!({"toolsListChanged": true});
    peer.request(1, "subscriptions/listen", json!({"notifications": filter, "_meta": modern(json!({}))})).await;
    let acknowledged = peer.next().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged", "{acknowledged}");
    site.registry.register(tool_for("admin", "of_admins")).unwrap();
    site.registry.register(tool_for("staff", "of_staff")).unwrap();
    let told = peer.next().await;
    assert_eq!(told["method"], "notifications/tools/list_changed", "{told}");
    assert_eq!(told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1, "{told}");
}

#[tokio::test]
async fn nobody_watches_for_a_client_that_is_gone() {
    let site = Site::new();
    let peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
    peer.served.abort();
    drop(peer);
    // What watched held the registry.
    let registry = std::sync::Arc::downgrade(&site.ran);
    drop(site);
    until(|| registry.strong_count() == 0).await;
}
