use mtb_core::Transport;
use serde_json::{Value, json};

use crate::lab::{Lab, editor, ping, plain};
use crate::peer::{Peer, cancelled, error, modern, options, request, result};
use mtb_bridge::BridgeLimits;

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

fn listen(id: impl Into<Value>, filter: Value) -> Value {
    request(id, "subscriptions/listen", modern(json!({"notifications": filter})))
}

#[test]
fn a_client_that_is_ready_is_told_of_changes() {
    let lab = Lab::empty(BridgeLimits::default());
    lab.registry.register(ping()).unwrap();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
    lab.registry.register(plain("pong", mtb_bridge::text(""))).unwrap();
    let told = peer.tools_changed();
    assert_eq!(told, [json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}})]); // case 173
    let list = peer.request(1, "tools/list", json!({}));
    let names: Vec<_> = result(&list)["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["ping", "pong"]); // case 173
}

#[test]
fn a_client_that_is_not_ready_is_told_nothing() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    assert!(peer.tools_changed().is_empty());
    peer.request(1, "tools/list", modern(json!({})));
    assert!(peer.tools_changed().is_empty());
    peer.request(2, "initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}}));
    assert!(peer.tools_changed().is_empty());
}

#[test]
fn a_subscription_is_acknowledged_told_and_ended() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    let filter = json!({"toolsListChanged": true, "promptsListChanged": true});
    let ack = peer.tell(&listen("s1", filter));
    assert_eq!(ack.len(), 1);
    assert_eq!(ack[0]["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(ack[0]["params"], json!({"_meta": {SUBSCRIPTION: "s1"}, "notifications": {"toolsListChanged": true}}));
    let changed = peer.tools_changed();
    assert_eq!(changed[0]["params"], json!({"_meta": {SUBSCRIPTION: "s1"}}));
    assert_eq!(changed.len(), 1);

    let ended = peer.close();
    assert_eq!(ended[0]["method"], "notifications/cancelled");
    assert_eq!(ended[0]["params"]["requestId"], "s1");
    assert_eq!((&ended[1]["id"], &result(&ended[1])["_meta"][SUBSCRIPTION]), (&json!("s1"), &json!("s1")));
    assert_eq!((ended.len(), peer.tools_changed().len()), (2, 0));
    assert!(peer.connection().is_idle());
}

#[test]
fn over_http_the_result_alone_ends_a_subscription() {
    let lab = Lab::new();
    let mut peer = Peer::of(&lab, editor(), Transport::HTTP, options());
    peer.tell(&listen(1, json!({"toolsListChanged": true})));
    let ended = peer.close();
    assert_eq!((ended.len(), &result(&ended[0])["resultType"]), (1, &json!("complete")));
}

#[test]
fn only_what_was_asked_for_is_told() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    for (id, filter) in
        [(1, json!({})), (2, json!({"promptsListChanged": true})), (3, json!({"toolsListChanged": false}))]
    {
        let ack = peer.tell(&listen(id, filter));
        assert_eq!(ack[0]["params"]["notifications"], json!({}));
    }
    assert!(peer.tools_changed().is_empty());
    peer.tell(&listen(4, json!({"toolsListChanged": true})));
    peer.tell(&listen(5, json!({"toolsListChanged": true})));
    let told: Vec<_> = peer.tools_changed().iter().map(|told| told["params"]["_meta"][SUBSCRIPTION].clone()).collect();
    assert_eq!(told, [4, 5]);
}

#[test]
fn a_client_ends_its_subscription_by_cancelling_it() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    peer.tell(&listen(1, json!({"toolsListChanged": true})));
    assert_eq!(error(&peer.tell(&listen(1, json!({})))[0]).0, -32600, "the id is in use");
    assert!(peer.tell(&cancelled(1)).is_empty());
    assert!(peer.tools_changed().is_empty());
    assert!(peer.close().is_empty());
}

#[test]
fn a_subscription_needs_a_filter_and_room() {
    let lab = Lab::new();
    let mut peer = Peer::new(&lab);
    for params in [json!({}), json!({"notifications": 7}), json!({"notifications": {"toolsListChanged": 1}})] {
        assert_eq!(error(&peer.request(1, "subscriptions/listen", modern(params.clone()))).0, -32602, "{params}");
    }
    for id in 0..32 {
        assert_eq!(peer.tell(&listen(id, json!({"toolsListChanged": true})))[0].get("error"), None);
    }
    assert_eq!(error(&peer.tell(&listen(32, json!({})))[0]).0, -32603);
}

#[test]
fn both_eras_are_told_each_in_its_way() {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-06-18", json!({}));
    peer.tell(&listen(1, json!({"toolsListChanged": true})));
    assert_eq!(peer.tools_changed().len(), 2);
}
