//! A marker in everything a caller or a handler can write is searched for in everything we write.

use std::sync::{Arc, Mutex};

use mtb_bridge::{
    ArgumentSource as _, CallOptions, CallRequest, ContentBlock, Failure, HandlerError, JsonSchema, Progress,
    RawArguments, ResourceContents, ResourceLink, Tool, ToolBuilder, ToolError, json, text,
};
use mtb_core::CanonicalJson;
use mtb_core::json::Limits;
use serde_json::{Value, json};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::lab::{FullDisk, Lab, Setup, dangerous, harmless, reader};

const MARKER: &str = "c4n4ry";

/// Collects every event and span of every level, with all its fields.
#[derive(Clone, Default)]
pub(crate) struct Logs(Arc<Mutex<String>>);

impl Logs {
    pub(crate) fn holds(&self, text: &str) -> bool {
        self.0.lock().unwrap().contains(text)
    }

    fn push(&self, text: &dyn std::fmt::Debug) {
        self.0.lock().unwrap().push_str(&format!("{text:?}\n"));
    }
}

impl Subscriber for Logs {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.push(span);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        self.push(values);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.push(event);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn tool(name: &str, held: bool) -> ToolBuilder {
    let schema = JsonSchema::value(json!({
        "type": "object",
        "properties": {"text": {"type": "string", "maxLength": 100}},
        "additionalProperties": false,
    }));
    Tool::declare(name, "A tool.", schema, if held { dangerous("reader") } else { harmless("reader") })
        .summarize(|args| args.string("text").unwrap_or_default().to_owned())
}

fn marked() -> Value {
    json!({"text": MARKER})
}

#[tokio::test]
async fn no_content_reaches_an_event_a_log_or_a_debug_text() {
    let logs = Logs::default();
    let _capture = tracing::subscriber::set_default(logs.clone());
    let tools = [
        tool("answers", false).handler(|_, _| async { Ok(json(json!({"text": MARKER}))) }),
        tool("tells", false).handler(|_, _| async { Ok(text(MARKER).as_error()) }),
        tool("refuses", false).handler(|_, _| async { Err::<&str, _>(ToolError::new(MARKER).into()) }),
        tool("fails", false).handler(|_, _| async { Err::<&str, _>(std::io::Error::other(MARKER).into()) }),
        tool("panics", false).handler(|_, _| async { panic!("{MARKER}") as Result<&str, _> }),
        tool("held", true).handler(|_, _| async { Ok(MARKER) }),
        tool("speechless", true).summarize(|_| panic!("{MARKER}")).handler(|_, _| async { Ok("") }),
        tool("misfits", false)
            .output(&JsonSchema::value(json!({"type": "object", "properties": {}, "additionalProperties": false})))
            .handler(|_, _| async { Ok(json(json!({MARKER: MARKER}))) }),
    ];
    let names = tools.iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>();
    let lab = Lab::with(Setup { sinks: vec![Arc::new(FullDisk)], ..Setup::default() }, tools);
    let mut shown = String::new();
    for name in names.iter().map(String::as_str).chain([MARKER]) {
        for arguments in [marked(), json!({"text": [MARKER]}), json!({MARKER: 1}), json!({"text": MARKER.repeat(30)})] {
            let request = CallRequest::new(name, arguments);
            shown.push_str(&format!("{request:?}\n"));
            let outcome = lab.bridge.call_tool(&reader(), request).await;
            shown.push_str(&format!("{outcome:?}\n"));
        }
    }
    let token = lab.hold(&reader(), "held", marked()).await.token;
    for _ in 0..2 {
        let outcome = lab.bridge.execute_confirmed(&reader(), token.expose()).await;
        shown.push_str(&format!("{outcome:?}\n"));
    }
    let marker_token = format!("mtb_{}{}", MARKER, "A".repeat(37));
    shown.push_str(&format!("{:?}\n", lab.bridge.execute_confirmed(&reader(), &marker_token).await));
    shown.push_str(&format!("{:?}\n{:?}\n", lab.bridge, lab.sink.events()));
    for written in lab.events().iter().map(Value::to_string).chain([shown, logs.0.lock().unwrap().clone()]) {
        assert!(!written.contains(MARKER), "{written}");
        assert!(!written.contains(&token.expose()[4..]), "{written}");
    }
    // The logs were really captured: the sink that fails is warned about.
    assert!(logs.holds("disk full"));
}

#[test]
fn no_type_shows_what_it_holds() {
    let word = || MARKER.to_owned();
    let link = ResourceLink {
        uri: word(),
        name: word(),
        title: Some(word()),
        description: Some(word()),
        mime_type: Some(word()),
    };
    let body = ResourceContents::Text { uri: word(), mime_type: Some(word()), text: word() };
    let blob = ResourceContents::Blob { uri: word(), mime_type: Some(word()), blob: word() };
    let internal = HandlerError::from(std::io::Error::other(MARKER));
    let progress = Progress { done: 1.0, total: None, message: Some(word()) };
    let request = CallRequest::new(MARKER, marked()).with_token(MARKER);
    let Ok(arguments) = CanonicalJson::from_value(&marked(), &Limits::default()) else { panic!() };
    let decoded = JsonSchema::no_arguments().decode(&arguments).unwrap();
    for (what, shown) in [
        ("request", format!("{request:?}")),
        ("arguments as they came", format!("{:?} {:?}", RawArguments::text(MARKER), RawArguments::from(marked()))),
        ("arguments", format!("{arguments:?} {decoded:?}")),
        ("result", format!("{:?} {:?}", json(marked()), text(MARKER).as_error())),
        ("link", format!("{link:?} {:?}", ContentBlock::ResourceLink(link.clone()))),
        ("resource", format!("{body:?} {blob:?} {:?}", ContentBlock::Resource(body.clone()))),
        (
            "errors",
            format!("{internal:?} {:?} {:?}", ToolError::new(MARKER), HandlerError::from(ToolError::new(MARKER))),
        ),
        ("failure", format!("{:?}", Failure::Tool(ToolError::new(MARKER)))),
        ("progress", format!("{progress:?}")),
        ("options", format!("{:?}", CallOptions::new())),
    ] {
        assert!(!shown.contains(MARKER), "{what}: {shown}");
        assert!(!shown.split(' ').any(str::is_empty), "{what} shows nothing: {shown}");
    }
    assert_eq!(format!("{decoded:?}"), "Arguments(1 members)");
    assert_eq!(format!("{progress:?}"), "Progress(1 of None)");
}
