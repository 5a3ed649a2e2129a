use serde_json::{Value, json};

use crate::bridges::Site;
use crate::client::Client;

const PARSE: i64 = -32700;
const REQUEST: i64 = -32600;
const METHOD: i64 = -32601;
const PARAMS: i64 = -32602;

/// What must come out for one line: nothing, or one error with this id and code.
type Expect<'a> = Option<(Value, i64)>;

async fn check(client: &mut Client, case: &str, line: &[u8], expect: Expect<'_>) {
    client.send_bytes(line).await;
    client.send_bytes(b"\n").await;
    if let Some((id, code)) = expect {
        let answer = client.next().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{case}: {answer}");
        assert_eq!(answer["jsonrpc"], "2.0", "{case}");
    }
    client.still_serves(case).await;
}

fn nested(depth: usize) -> String {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
}

fn call(arguments: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"name":"done","arguments":{arguments}}},"id":9}}"#)
}

fn rows() -> Vec<(&'static str, Vec<u8>, Expect<'static>)> {
    let nine = || Some((json!(9), PARAMS));
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        // Not JSON at all.
        ("not json", text("not json"), Some((Value::Null, PARSE))),
        ("an unfinished object", text(r#"{"jsonrpc":"2.0","id":5,"method":"ping""#), Some((json!(5), PARSE))),
        ("bad UTF-8", b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"p\xffng\"}".to_vec(), Some((json!(5), PARSE))),
        ("two messages in a line", text(r#"{"jsonrpc":"2.0","id":5,"method":"ping"} {}"#), Some((json!(5), PARSE))),
        // JSON, but no message.
        ("a number", text("17"), Some((Value::Null, REQUEST))),
        ("null", text("null"), Some((Value::Null, REQUEST))),
        ("an empty object", text("{}"), Some((Value::Null, REQUEST))),
        ("an empty batch", text("[]"), Some((Value::Null, REQUEST))),
        ("a batch", text(r#"[{"jsonrpc":"2.0","id":5,"method":"ping"}]"#), Some((Value::Null, REQUEST))),
        ("another version", text(r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#), Some((json!(5), REQUEST))),
        ("no version", text(r#"{"id":6,"method":"ping"}"#), Some((json!(6), REQUEST))),
        ("a method that is a number", text(r#"{"jsonrpc":"2.0","id":7,"method":5}"#), Some((json!(7), REQUEST))),
        ("no method", text(r#"{"jsonrpc":"2.0","id":"x"}"#), Some((json!("x"), REQUEST))),
        ("an id that is null", text(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#), Some((Value::Null, REQUEST))),
        ("an id that is an object", text(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#), Some((Value::Null, REQUEST))),
        ("an id with a fraction", text(r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#), Some((Value::Null, REQUEST))),
        // A message whose params are wrong.
        ("params that are a list", text(r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":[1]}"#), nine()),
        (
            "_meta that is a number",
            text(r#"{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":5}}"#),
            nine(),
        ),
        ("no params", text(r#"{"jsonrpc":"2.0","id":9,"method":"tools/call"}"#), nine()),
        ("empty params", text(r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{}}"#), nine()),
        (
            "a name that is a number",
            text(r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":7}}"#),
            nine(),
        ),
        ("arguments that are a list", call("[1]").into(), nine()),
        ("arguments that are a string", call("\"s\"").into(), nine()),
        ("a number out of range", call(r#"{"x":1e400}"#).into(), nine()),
        ("an integer of 65 bits", call(r#"{"x":18446744073709551616}"#).into(), nine()),
        ("a member named twice", call(r#"{"x":1,"x":2}"#).into(), nine()),
        ("nesting that is too deep", call(&format!(r#"{{"x":{}}}"#, nested(70))).into(), nine()),
        ("nesting beyond every parser", call(&format!(r#"{{"x":{}}}"#, nested(200_000))).into(), nine()),
        ("too many values", call(&format!(r#"{{"x":[{}0]}}"#, "0,".repeat(50_000))).into(), nine()),
        ("a long string", call(&format!(r#"{{"x":"{}"}}"#, "x".repeat(512 * 1024 + 1))).into(), nine()),
        // A line that is too long to be a message.
        (
            "an over-long line",
            call(&format!(r#"{{"x":"{}"}}"#, "x".repeat(1024 * 1024))).into(),
            Some((json!(9), REQUEST)),
        ),
        ("an over-long list", call(&format!("[{}0]", "0,".repeat(1024 * 1024))).into(), Some((json!(9), REQUEST))),
        (
            "an over-long list of nothing",
            format!("[{}0]", "0,".repeat(1024 * 1024)).into(),
            Some((Value::Null, REQUEST)),
        ),
        ("an over-long line that is not JSON", vec![b'x'; 2 * 1024 * 1024], Some((Value::Null, PARSE))),
        // Methods.
        (
            "an unknown method",
            text(r#"{"jsonrpc":"2.0","id":"m","method":"tools/delete"}"#),
            Some((json!("m"), METHOD)),
        ),
        (
            "an unknown tool",
            text(r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"nobody"}}"#),
            nine(),
        ),
        // What asks for no answer.
        ("an unknown notification", text(r#"{"jsonrpc":"2.0","method":"notifications/unknown"}"#), None),
        (
            "a cancellation of nothing",
            text(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#),
            None,
        ),
        (
            "a cancellation without an id",
            text(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#),
            None,
        ),
        ("an answer to nothing", text(r#"{"jsonrpc":"2.0","id":99,"result":{}}"#), None),
        ("an error answer to nothing", text(r#"{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"no"}}"#), None),
        ("a blank line", text(""), None),
        ("a line of blanks", text(" \t "), None),
        ("a carriage return", text("\r"), None),
    ]
}

#[tokio::test]
async fn whatever_comes_in_the_next_request_is_served() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    for (case, line, expect) in rows() {
        check(&mut client, case, &line, expect).await;
    }
    assert_eq!(client.end().await.0, Vec::<Value>::new());
    assert!(!site.events().contains(&"call.started".to_owned()), "nothing ran");
}

#[tokio::test]
async fn lines_may_end_in_any_way() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    let ping = |id: i64| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    client.send_bytes(format!("{}\r\n\r\n\n{}\n  \n", ping(1), ping(2)).as_bytes()).await;
    // The last line is a message although nothing ends it.
    client.send_bytes(ping(3).as_bytes()).await;
    let ids: Vec<_> = client.end().await.0.into_iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, [1, 2, 3]);
}

#[tokio::test]
async fn a_message_may_arrive_byte_by_byte() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    for byte in call("{}").into_bytes() {
        client.send_bytes(&[byte]).await;
        tokio::task::yield_now().await;
    }
    client.send_bytes(b"\n").await;
    assert_eq!(client.next().await["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn a_request_at_the_limits_is_served() {
    let site = Site::new();
    let mut client = Client::initialized(&site, "2025-06-18").await;
    let padded = |length: usize| {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        format!("{ping}{}\n", " ".repeat(length - ping.len()))
    };
    client.send_bytes(padded(1024 * 1024).as_bytes()).await;
    assert_eq!(client.next().await["result"], json!({}));
    client.send_bytes(padded(1024 * 1024 + 1).as_bytes()).await;
    assert_eq!(client.next().await["error"]["code"], REQUEST);
    client.still_serves("an over-long line").await;
}
