use std::time::Duration;

use mtb_bridge::ListedTool;
use mtb_core::json::{members, read_string};

use super::handshake::caching;
use super::json::Object;
use super::result::complete;
use crate::identity::Identity;
use crate::message::Message;
use crate::reply_to::ReplyTo;
use crate::version::Version;

/// At most so many bytes of one tool are neither its texts nor their escapes.
const NAMES: usize = 128;

/// One page of the list of tools.
pub(crate) fn page(
    to: &ReplyTo,
    identity: &Identity,
    tools: &[ListedTool],
    next_cursor: Option<&str>,
    ttl: Duration,
) -> Message {
    complete(to, identity, |result| {
        result.reserve(tools.iter().map(room).fold(0, usize::saturating_add));
        result.array("tools", |list| {
            for tool in tools {
                list.object(|entry| write(entry, tool, to.version));
            }
        });
        result.optional_text("nextCursor", next_cursor);
        if to.version.is_modern() {
            caching(result, ttl);
        }
    })
}

/// About how many bytes a tool takes, so that a long list is not moved while it is written.
fn room(tool: &ListedTool) -> usize {
    let texts =
        [Some(tool.name()), tool.title(), Some(tool.description()), Some(tool.input_schema()), tool.output_schema()];
    texts.into_iter().flatten().map(str::len).fold(NAMES, usize::saturating_add)
}

fn write(entry: &mut Object<'_>, tool: &ListedTool, version: Version) {
    entry.text("name", tool.name());
    entry.optional_text("title", tool.title().filter(|_| version.has_titles()));
    entry.text("description", tool.description());
    entry.raw("inputSchema", tool.input_schema());
    if let Some(schema) = tool.output_schema().filter(|schema| knows_output(version, schema)) {
        entry.raw("outputSchema", schema);
    }
    if version.has_annotations() {
        entry.object("annotations", |hints| {
            hints.flag("readOnlyHint", tool.read_only_hint());
            hints.flag("destructiveHint", tool.destructive_hint());
        });
    }
}

fn knows_output(version: Version, schema: &str) -> bool {
    version.has_structured_values() || (version.has_structured_content() && describes_an_object(schema))
}

fn describes_an_object(schema: &str) -> bool {
    let mut types = members(schema).filter(|(name, _)| name == "type");
    let text = types.next().and_then(|(_, span)| read_string(schema.get(span)?));
    text.is_some_and(|text| text == "object")
}
