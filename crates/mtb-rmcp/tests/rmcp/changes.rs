use mtb_core::Principal;
use mtb_rmcp::BridgeHandler;
use serde_json::json;

use crate::peer::{Peer, modern, until};
use crate::site::{Site, options, tool_for};

#[tokio::test]
async fn tells_of_changes_that_the_principal_can_see() {
    let site = Site::new();
    let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
    // Served once the client has said that it is ready.
    peer.called(1, json!({"name": "done"})).await;
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

#[tokio::test]
async fn a_client_that_says_again_that_it_is_ready_is_told_once() {
    let site = Site::new();
    let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
    for _ in 0..20 {
        peer.notify("notifications/initialized", json!({})).await;
    }
    hears_of_a_change_once(&site, &mut peer).await;
}

/// The SDK lets a second `initialize` through.
#[tokio::test]
async fn a_client_that_begins_again_is_told_once() {
    let site = Site::new();
    let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
    for _ in 0..20 {
        assert!(peer.initialize("2025-11-25", json!({})).await["result"].is_object());
    }
    hears_of_a_change_once(&site, &mut peer).await;
}

async fn hears_of_a_change_once(site: &Site, peer: &mut Peer) {
    peer.called(1, json!({"name": "done"})).await;
    site.registry.register(tool_for("staff", "of_staff")).unwrap();
    assert_eq!(peer.next().await["method"], "notifications/tools/list_changed");
    peer.says_nothing_more().await;
}

/// Whoever comes into a session later does not make it hear of their tools.
#[tokio::test]
async fn a_session_hears_of_the_tools_of_whoever_began_it() {
    let site = Site::new();
    let begun = std::sync::atomic::AtomicBool::new(false);
    let handler = BridgeHandler::new(site.bridge.clone(), options(), move |_| {
        let role = if begun.swap(true, std::sync::atomic::Ordering::SeqCst) { "admin" } else { "staff" };
        Principal::new(role, [role]).ok()
    });
    let mut peer = Peer::initialized(handler, "2025-11-25", json!({})).await;
    peer.called(1, json!({"name": "secret"})).await;
    site.registry.register(tool_for("admin", "of_admins")).unwrap();
    peer.says_nothing_more().await;
    site.registry.register(tool_for("staff", "of_staff")).unwrap();
    assert_eq!(peer.next().await["method"], "notifications/tools/list_changed");
}
