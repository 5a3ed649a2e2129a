//! What each revision gets of the same tools and answers.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::lab::Lab;
use crate::peer::{Peer, modern, result};

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// What a client of this revision gets.
fn ask(revision: &str, method: &str, params: Value) -> Value {
    let lab = Lab::new();
    if revision == "2026-07-28" {
        Peer::new(&lab).request(1, method, modern(params))
    } else {
        Peer::legacy(&lab, revision, json!({})).request(1, method, params)
    }
}

fn check(method: &str, params: &Value, show: impl Fn(&Value) -> String, expect: &Expect) {
    let line = |revision: &&str| format!("{revision}: {}\n", show(result(&ask(revision, method, params.clone()))));
    expect.assert_eq(&REVISIONS.iter().map(line).collect::<String>());
}

#[test]
fn blocks_that_a_revision_does_not_know_become_text() {
    let show = |result: &Value| {
        let blocks = result["content"].as_array().unwrap();
        let kinds = blocks.iter().map(|block| match (block["type"].as_str().unwrap(), block["text"].as_str()) {
            ("text", Some(text)) => format!("{text:?}"),
            (kind, _) => kind.to_owned(),
        });
        format!("{} +{}", kinds.collect::<Vec<_>>().join(", "), result.get("structuredContent").unwrap_or(&Value::Null))
    };
    check(
        "tools/call",
        &json!({"name": "shows"}),
        show,
        &expect![[r#"
            2024-11-05: "hello", image, "[audio, audio/wav: not part of this protocol version]", "a.md: file:///a.md", resource, resource +null
            2025-03-26: "hello", image, audio, "a.md: file:///a.md", resource, resource +null
            2025-06-18: "hello", image, audio, resource_link, resource, resource +{"shown":6}
            2025-11-25: "hello", image, audio, resource_link, resource, resource +{"shown":6}
            2026-07-28: "hello", image, audio, resource_link, resource, resource +{"shown":6}
        "#]],
    );
}

#[test]
fn structured_values_that_are_no_objects_become_text() {
    for (tool, expect) in [
        (
            "bare",
            expect![[r#"
                2024-11-05: {"content":[{"text":"[1,\"two\"]","type":"text"}]}
                2025-03-26: {"content":[{"text":"[1,\"two\"]","type":"text"}]}
                2025-06-18: {"content":[{"text":"[1,\"two\"]","type":"text"}]}
                2025-11-25: {"content":[{"text":"[1,\"two\"]","type":"text"}]}
                2026-07-28: {"content":[{"text":"[1,\"two\"]","type":"text"}],"structuredContent":[1,"two"]}
            "#]],
        ),
        (
            "count",
            expect![[r#"
            2024-11-05: {"content":[{"text":"3","type":"text"}]}
            2025-03-26: {"content":[{"text":"3","type":"text"}]}
            2025-06-18: {"content":[{"text":"3","type":"text"}]}
            2025-11-25: {"content":[{"text":"3","type":"text"}]}
            2026-07-28: {"content":[{"text":"3","type":"text"}],"structuredContent":3}
        "#]],
        ),
        (
            "stats",
            expect![[r#"
            2024-11-05: {"content":[{"text":"{\"open\":3}","type":"text"}]}
            2025-03-26: {"content":[{"text":"{\"open\":3}","type":"text"}]}
            2025-06-18: {"content":[{"text":"{\"open\":3}","type":"text"}],"structuredContent":{"open":3}}
            2025-11-25: {"content":[{"text":"{\"open\":3}","type":"text"}],"structuredContent":{"open":3}}
            2026-07-28: {"content":[{"text":"{\"open\":3}","type":"text"}],"structuredContent":{"open":3}}
        "#]],
        ),
    ] {
        let show = |result: &Value| {
            let mut shown = result.clone();
            shown.as_object_mut().unwrap().retain(|name, _| name == "content" || name == "structuredContent");
            shown.to_string()
        };
        check("tools/call", &json!({"name": tool}), show, &expect);
    }
}

#[test]
fn tools_are_told_as_far_as_a_revision_knows_them() {
    for (tool, expect) in [
        (
            "send_mail",
            expect![[r#"
            2024-11-05: description inputSchema name
            2025-03-26: annotations description inputSchema name
            2025-06-18: annotations description inputSchema name title
            2025-11-25: annotations description inputSchema name title
            2026-07-28: annotations description inputSchema name title
        "#]],
        ),
        (
            "transfer",
            expect![[r#"
            2024-11-05: description inputSchema name
            2025-03-26: annotations description inputSchema name
            2025-06-18: annotations description inputSchema name outputSchema
            2025-11-25: annotations description inputSchema name outputSchema
            2026-07-28: annotations description inputSchema name outputSchema
        "#]],
        ),
        (
            "count",
            expect![[r#"
            2024-11-05: description inputSchema name
            2025-03-26: annotations description inputSchema name
            2025-06-18: annotations description inputSchema name
            2025-11-25: annotations description inputSchema name
            2026-07-28: annotations description inputSchema name outputSchema
        "#]],
        ),
    ] {
        let show = |result: &Value| {
            let listed = result["tools"].as_array().unwrap().iter().find(|listed| listed["name"] == tool).unwrap();
            listed.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" ")
        };
        check("tools/list", &json!({}), show, &expect);
    }
}
