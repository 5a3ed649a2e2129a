use mtb_bridge::{Call, ContentBlock, HandlerError, ResourceContents, ToolDraft, ToolError, ToolResult};

use super::plain;

/// One black pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==";
/// Two samples of silence.
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==";

pub(super) fn text() -> ToolDraft {
    plain("test_simple_text", "Answers with a text.").handler(|_, _: Call| async { Ok("A text.") })
}

pub(super) fn image() -> ToolDraft {
    plain("test_image_content", "Answers with a picture.")
        .handler(|_, _: Call| async { Ok(ToolResult::blocks(vec![png()])) })
}

pub(super) fn audio() -> ToolDraft {
    plain("test_audio_content", "Answers with a sound.").handler(|_, _: Call| async {
        let wav = ContentBlock::Audio { data: WAV.into(), mime_type: "audio/wav".into() };
        Ok(ToolResult::blocks(vec![wav]))
    })
}

pub(super) fn resource() -> ToolDraft {
    plain("test_embedded_resource", "Answers with a resource and its contents.")
        .handler(|_, _: Call| async { Ok(ToolResult::blocks(vec![embedded()])) })
}

pub(super) fn several() -> ToolDraft {
    plain("test_multiple_content_types", "Answers with a text, a picture and a resource.").handler(|_, _: Call| async {
        Ok(ToolResult::blocks(vec![ContentBlock::Text("A text.".into()), png(), embedded()]))
    })
}

pub(super) fn error() -> ToolDraft {
    plain("test_error_handling", "Fails and says why.").handler(|_, _: Call| async {
        Err::<ToolResult, HandlerError>(ToolError::new("This tool always fails.").into())
    })
}

pub(super) fn progress() -> ToolDraft {
    plain("test_tool_with_progress", "Says three times how far it is.").handler(|_, call: Call| async move {
        for done in [0.0, 50.0, 100.0] {
            call.progress(done, Some(100.0), None);
            tokio::task::yield_now().await;
        }
        Ok("Done.")
    })
}

/// The suite looks for log messages that it did not ask for.
pub(super) fn silence() -> ToolDraft {
    plain("test_logging_tool", "Answers and logs nothing.").handler(|_, _: Call| async { Ok("Nothing was logged.") })
}

fn png() -> ContentBlock {
    ContentBlock::Image { data: PNG.into(), mime_type: "image/png".into() }
}

fn embedded() -> ContentBlock {
    ContentBlock::Resource(ResourceContents::Text {
        uri: "test://embedded-resource".into(),
        mime_type: Some("text/plain".into()),
        text: "What the resource holds.".into(),
    })
}
