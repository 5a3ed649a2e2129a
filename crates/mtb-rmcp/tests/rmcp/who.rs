use mtb_core::Principal;
use mtb_rmcp::{BridgeHandler, SessionQuestions};
use serde_json::{Value, json};

use crate::peer::{Peer, modern};
use crate::site::{Site, alice, options};

#[tokio::test]
async fn nobody_is_served_nothing() {
    for case in ["finds nobody", "panics"] {
        let site = Site::new();
        let identify = move |_: &_| {
            assert_eq!(case, "finds nobody", "a host function that panics");
            None
        };
        let handler = BridgeHandler::new(site.bridge.clone(), options(), identify);
        let mut begun = Peer::of(handler.clone());
        let info = json!({"name": "client", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        begun.request(0, "initialize", params).await;
        let refused = begun.next().await;
        assert_eq!(refused["error"]["code"], -32603, "{case}: {refused}");
        let mut peer = Peer::of(handler);
        for (method, params) in [("tools/list", json!({})), ("tools/call", json!({"name": "done"}))] {
            let mut params = params;
            params["_meta"] = modern(json!({}));
            peer.request(1, method, params).await;
            let answer = peer.next().await;
            assert_eq!(answer["error"]["code"], -32603, "{case}, {method}: {answer}");
            assert_eq!(answer.get("result"), None, "{answer}");
        }
        assert_eq!(site.events(), Vec::<String>::new(), "{case}");
    }
}

#[tokio::test]
async fn a_principal_found_by_the_host_is_served_as_such() {
    let site = Site::new();
    let admin = Principal::new("root", ["admin"]).unwrap();
    let handler = BridgeHandler::new(site.bridge.clone(), options(), move |_| Some(admin.clone()));
    let mut peer = Peer::initialized(handler, "2025-11-25", json!({})).await;
    peer.request(1, "tools/list", json!({})).await;
    let answer = peer.next().await;
    let names: Vec<&Value> = answer["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["secret"]);
}

/// Where each request has a principal of its own, nobody knows whose answer a session brings.
#[tokio::test]
async fn answers_of_a_session_count_only_where_the_host_says_so() {
    for (questions, is_asked) in
        [(None, false), (Some(SessionQuestions::Untrusted), false), (Some(SessionQuestions::Trusted), true)]
    {
        let site = Site::new();
        let mut handler = BridgeHandler::new(site.bridge.clone(), options(), |_| Some(alice()));
        if let Some(questions) = questions {
            handler = handler.with_session_questions(questions);
        }
        let mut peer = Peer::initialized(handler, "2025-11-25", json!({"elicitation": {}})).await;
        peer.call(1, "send", json!({})).await;
        let message = peer.next().await;
        assert_eq!(message["method"] == "elicitation/create", is_asked, "{questions:?}: {message}");
    }
    // A retry of 2026-07-28 is a request with a principal of its own.
    let site = Site::new();
    let handler = BridgeHandler::new(site.bridge.clone(), options(), |_| Some(alice()));
    let mut peer = Peer::of(handler);
    let held = peer.called(1, json!({"name": "send", "_meta": modern(json!({"elicitation": {}}))})).await;
    assert_eq!(held["result"]["resultType"], "input_required", "{held}");
}
