use serde_json::json;

use crate::peer::{Peer, modern, until};
use crate::site::Site;

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

#[tokio::test]
async fn settles_on_the_revision_that_the_client_knows() {
    for (asked, settled) in LEGACY.into_iter().map(|version| (version, version)).chain([
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("2020-01-01", "2025-11-25"),
    ]) {
        let mut peer = Peer::of(Site::new().for_alice());
        let answer = peer.initialize(asked, json!({})).await;
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], settled, "asked for {asked}");
        assert_eq!(result["serverInfo"], json!({"name": "test", "title": "A test", "version": "1.0.0"}));
        assert_eq!(result["instructions"], "Be careful.");
        assert_eq!(result["capabilities"], json!({"tools": {"listChanged": true}}));
    }
}

#[tokio::test]
async fn a_request_that_describes_itself_needs_no_handshake() {
    let mut peer = Peer::of(Site::new().for_alice());
    peer.request(1, "server/discover", json!({"_meta": modern(json!({}))})).await;
    let answer = peer.next().await;
    assert_eq!(answer["result"]["supportedVersions"], json!(["2026-07-28"]), "{answer}");
    assert_eq!(answer["result"]["cacheScope"], "private");
    let answer = peer.called(2, json!({"name": "done", "_meta": modern(json!({}))})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
    assert_eq!(answer["result"]["resultType"], "complete");
    let wrong = json!({"io.modelcontextprotocol/protocolVersion": "2025-11-25"});
    let answer = peer.called(3, json!({"name": "done", "_meta": wrong})).await;
    assert!(answer["error"]["code"].is_i64(), "{answer}");
}

#[tokio::test]
async fn lists_what_the_principal_may_use() {
    let mut peer = Peer::initialized(Site::new().for_alice(), "2025-11-25", json!({})).await;
    peer.request(1, "tools/list", json!({})).await;
    let answer = peer.next().await;
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let all = ["done", "repeat", "count", "gate", "patient", "flood", "broken", "fails", "send", "receipt"];
    assert_eq!(names, all);
    assert_eq!(tools[8]["annotations"]["destructiveHint"], true);
    assert!(!answer.to_string().contains("staff"));
    peer.request(2, "tools/list", json!({"cursor": "elsewhere"})).await;
    assert_eq!(peer.next().await["error"]["code"], -32602);
}

#[tokio::test]
async fn answers_calls_in_the_words_of_the_protocol_layer() {
    for version in LEGACY {
        let mut peer = Peer::initialized(Site::new().for_alice(), version, json!({})).await;
        for (params, is_error, text) in [
            (json!({"name": "done"}), false, "done"),
            (json!({"name": "repeat", "arguments": {"number": 7}}), false, "7"),
            (json!({"name": "repeat", "arguments": {"number": 7.0}}), false, "7"),
            (json!({"name": "repeat", "arguments": {"number": "7"}}), true, "/number"),
            (json!({"name": "repeat", "arguments": {"number": 7, "more": 1}}), true, "/more"),
            (json!({"name": "repeat"}), true, "/number"),
            (json!({"name": "fails"}), true, "the printer is out of paper"),
            // The SDK alone never answers this one.
            (json!({"name": "broken"}), true, "The tool failed. Its operator can find out why."),
        ] {
            let answer = peer.called(1, params.clone()).await;
            let result = &answer["result"];
            assert_eq!(result["isError"].as_bool().unwrap_or_default(), is_error, "{params}: {answer}");
            let said = result["content"][0]["text"].as_str().unwrap();
            assert!(said.contains(text), "{params}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_forbidden_tool_is_an_unknown_one() {
    let mut peer = Peer::initialized(Site::new().for_alice(), "2025-11-25", json!({})).await;
    let forbidden = peer.called(1, json!({"name": "secret", "arguments": {"no": "matter"}})).await;
    let unknown = peer.called(1, json!({"name": "sesame", "arguments": {"no": "matter"}})).await;
    assert_eq!(forbidden["error"], json!({"code": -32602, "message": "Unknown tool: secret"}));
    assert_eq!(forbidden.to_string().replace("secret", "sesame"), unknown.to_string());
}

/// The SDK takes these for methods that it does not know, and says -32601.
#[tokio::test]
async fn what_is_wrong_inside_params_is_told() {
    let mut peer = Peer::initialized(Site::new().for_alice(), "2025-11-25", json!({})).await;
    for params in [
        json!({}),
        json!({"name": 7}),
        json!({"name": "done", "arguments": [1]}),
        json!({"name": "done", "arguments": "s"}),
        json!({"name": "done", "_meta": {"progressToken": []}}),
        json!({"name": "done", "requestState": 7, "_meta": modern(json!({}))}),
        json!({"name": "done", "inputResponses": "junk", "_meta": modern(json!({}))}),
    ] {
        let answer = peer.called(1, params.clone()).await;
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
    }
    peer.request(3, "prompts/list", json!({})).await;
    assert_eq!(peer.next().await["error"]["code"], -32601);
    peer.request(4, "no/such", json!({})).await;
    assert_eq!(peer.next().await["error"], json!({"code": -32601, "message": "Method not found"}));
}

#[tokio::test]
async fn progress_comes_before_the_answer() {
    let mut peer = Peer::initialized(Site::new().for_alice(), "2025-11-25", json!({})).await;
    let meta = json!({"progressToken": "p"});
    peer.request(1, "tools/call", json!({"name": "count", "arguments": {"number": 3}, "_meta": meta})).await;
    for done in 1..=3 {
        let progress = peer.next().await;
        assert_eq!(progress["method"], "notifications/progress", "{progress}");
        let expected = json!({"progressToken": "p", "progress": f64::from(done), "message": "counting"});
        assert_eq!(progress["params"], expected);
    }
    assert_eq!(peer.next().await["result"]["content"][0]["text"], "counted");
}

#[tokio::test]
async fn a_cancelled_call_is_ended_and_not_answered() {
    let site = Site::new();
    let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
    peer.call(1, "patient", json!({})).await;
    until(|| site.events() == ["call.started"]).await;
    peer.notify("notifications/cancelled", json!({"requestId": 1})).await;
    until(|| site.events() == ["call.started", "call.failed aborted"]).await;
    peer.says_nothing_more().await;
}

#[tokio::test(start_paused = true)]
async fn each_call_that_ran_has_an_end_when_the_client_goes() {
    let site = Site::new();
    let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
    peer.call(1, "patient", json!({})).await;
    until(|| site.events() == ["call.started"]).await;
    peer.served.abort();
    until(|| site.events().len() == 2).await;
    assert_eq!(site.events()[1], "call.failed aborted");
}

/// The SDK reads an integer of more than 64 bits as the double beside it.
#[tokio::test]
async fn an_integer_that_may_have_been_rounded_is_refused() {
    let mut peer = Peer::initialized(Site::new().for_alice(), "2025-11-25", json!({})).await;
    for number in ["18446744073709551616", "18446744073709551617", "-9223372036854775809", "2e19", "1e300"] {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"repeat","arguments":{{"number":{number}}}}}}}"#
        );
        peer.send_line(&call).await;
        let answer = peer.next().await;
        assert_eq!(answer["error"]["code"], -32602, "{number}: {answer}");
    }
    // Those that 64 bits hold are looked at as they are.
    for number in [9_007_199_254_740_993_u64, u64::MAX] {
        let answer = peer.called(1, json!({"name": "repeat", "arguments": {"number": number}})).await;
        assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("10000000"), "{answer}");
    }
}

/// What a tool returns is checked and reaches the client, whatever its members are called.
#[tokio::test]
async fn structured_content_is_what_the_tool_returned() {
    let site = Site::new();
    let mark = "$serde_json::private::RawValue";
    for (name, inside) in [("of_text", json!({mark: "\"a text\""})), ("of_no_json", json!({mark: "no JSON"}))] {
        let returned = json!({"data": inside});
        let given = returned.clone();
        let declared = mtb_bridge::Tool::declare(
            name,
            "Gives what it was made with.",
            mtb_bridge::JsonSchema::no_arguments(),
            mtb_core::Governance {
                sensitivity: mtb_core::Sensitivity::None,
                reversibility: mtb_core::Reversibility::Reversible,
                roles: mtb_core::any_of(["staff"]),
            },
        );
        let output = json!({"type": "object", "properties": {"data": {"type": "object"}}, "required": ["data"]});
        let tool = declared.output(&mtb_bridge::JsonSchema::value(output)).handler(move |_args, _call| {
            let given = given.clone();
            async move { Ok(given) }
        });
        site.registry.register(tool).unwrap();
        let mut peer = Peer::initialized(site.for_alice(), "2025-11-25", json!({})).await;
        peer.request(1, "tools/call", json!({"name": name})).await;
        let line = peer.receive_line().await;
        let answer = mtb_core::json::plain_value(&line, 64).unwrap();
        assert_eq!(answer["result"]["structuredContent"], returned, "{line}");
    }
}
