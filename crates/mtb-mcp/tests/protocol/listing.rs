use mtb_bridge::{BridgeLimits, JsonSchema, Tool};
use mtb_core::{Governance, Reversibility, Sensitivity, Transport, any_of};
use mtb_mcp::ProtocolLimits;
use serde_json::{Value, json};

use crate::lab::{Lab, editor, plain, reader};
use crate::peer::{Peer, error, modern, options, result};

fn names(answer: &Value) -> Vec<&str> {
    result(answer)["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

fn list(lab: &Lab, principal: mtb_core::Principal) -> Value {
    Peer::of(lab, principal, Transport::STDIO, options()).request(1, "tools/list", modern(json!({})))
}

#[test]
fn everybody_sees_what_they_may_use() {
    let lab = Lab::new();
    let (reads, edits) = (list(&lab, reader()), list(&lab, editor()));
    assert!(!names(&reads).contains(&"send_mail") && names(&reads)[0] == "search"); // case 172
    assert_eq!(names(&edits)[..2], ["search", "send_mail"]); // case 172
    let mail = &result(&edits)["tools"][1];
    assert_eq!(mail["title"], "Send an email"); // case 172
    assert_eq!(
        (&mail["inputSchema"]["type"], &mail["inputSchema"]["required"]),
        (&json!("object"), &json!(["to", "subject"]))
    ); // case 172
    assert_eq!(mail["annotations"], json!({"readOnlyHint": false, "destructiveHint": true})); // case 172
    for secret in ["\"roles\"", "\"sensitivity\"", "\"editor\""] {
        assert!(!edits.to_string().contains(secret), "{secret}"); // case 172
    }
    let nobody = mtb_core::Principal::new("eve", Vec::<String>::new()).unwrap();
    assert_eq!(names(&list(&lab, nobody)), [] as [&str; 0]);
}

#[test]
fn schemas_reach_the_client_as_they_were_written() {
    let lab = Lab::empty(BridgeLimits::default());
    let text = r#"{"type":"object", "properties":{"z":{"type":"number","maximum":1.50},"a":{"type":"integer","maximum":9007199254740993}}, "additionalProperties":false}"#;
    let roles = any_of(["reader"]);
    let governance = Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles };
    let tool = Tool::declare("exact", "Says \"exactly\".\nOnce.", JsonSchema::text(text), governance);
    lab.registry.register(tool.output(&JsonSchema::text(text)).handler(|_, _| async { Ok(json!({})) })).unwrap();
    for params in [json!({}), modern(json!({}))] {
        let mut peer = Peer::legacy(&lab, "2025-11-25", json!({}));
        peer.request(1, "tools/list", params);
        let raw = String::from_utf8(peer.raw).unwrap();
        assert!(raw.contains(&format!(r#""inputSchema":{text},"outputSchema":{text},"#)), "{raw}");
    }
}

#[test]
fn pages_follow_each_other_until_the_end() {
    let lab = Lab::new();
    let all = names(&list(&lab, editor())).iter().map(ToString::to_string).collect::<Vec<_>>();
    for page_tools in [0, 1, 2, all.len() - 1, all.len(), 1_000] {
        let limits = ProtocolLimits { page_tools, ..ProtocolLimits::default() };
        let mut peer = Peer::with(&lab, options().with_limits(limits));
        let mut seen = Vec::new();
        let mut cursor = json!("");
        loop {
            let page = peer.request(1, "tools/list", modern(json!({"cursor": cursor})));
            assert!(names(&page).len() <= page_tools.max(1));
            seen.extend(names(&page).iter().map(ToString::to_string));
            match result(&page).get("nextCursor") {
                Some(next) => cursor = next.clone(),
                None => break,
            }
        }
        assert_eq!(seen, all, "{page_tools}");
    }
}

#[test]
fn a_cursor_of_another_list_is_refused() {
    let lab = Lab::new();
    let mut peer = Peer::of(&lab, reader(), Transport::STDIO, options());
    for cursor in
        [json!("nonesuch"), json!("after:nonesuch"), json!("after:"), json!("after:send_mail"), json!(7), json!(null)]
    {
        let answer = peer.request(1, "tools/list", modern(json!({"cursor": cursor})));
        assert_eq!(error(&answer), (-32602, "Invalid params: the cursor is not one of this list"), "{cursor}");
    }
}

#[test]
fn a_page_does_not_move_when_tools_come_and_go() {
    let lab = Lab::empty(BridgeLimits::default());
    lab.registry.register_all(["a", "b", "c"].map(|name| plain(name, mtb_bridge::text("")))).unwrap();
    let limits = ProtocolLimits { page_tools: 2, ..ProtocolLimits::default() };
    let mut peer = Peer::with(&lab, options().with_limits(limits));
    let first = peer.request(1, "tools/list", modern(json!({})));
    let cursor = &result(&first)["nextCursor"];
    lab.registry.unregister("a");
    lab.registry.register(plain("d", mtb_bridge::text(""))).unwrap();
    let second = peer.request(2, "tools/list", modern(json!({"cursor": cursor})));
    assert_eq!((names(&first), names(&second)), (vec!["a", "b"], vec!["c", "d"]));
}

#[test]
fn lists_say_how_long_they_keep() {
    let lab = Lab::new();
    let ttl = options().with_list_ttl(std::time::Duration::from_millis(1_500));
    for (options, ttl) in [(options(), 60_000), (ttl, 1_500)] {
        let answer = Peer::with(&lab, options).request(1, "tools/list", modern(json!({})));
        assert_eq!((&result(&answer)["ttlMs"], &result(&answer)["cacheScope"]), (&json!(ttl), &json!("private")));
    }
}
