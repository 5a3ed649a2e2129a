use mtb_bridge::{ContentBlock, ResourceContents, ResourceLink};

use super::json::{Array, Object};
use crate::version::Version;
use crate::wording;

pub(crate) fn text(blocks: &mut Array<'_>, text: &str) {
    blocks.object(|block| {
        block.text("type", "text");
        block.text("text", text);
    });
}

/// Writes a block, or the text that stands for one that the revision does not know.
pub(crate) fn write(blocks: &mut Array<'_>, block: &ContentBlock, version: Version) {
    match block {
        ContentBlock::Text(body) => text(blocks, body),
        ContentBlock::Image { data, mime_type } => media(blocks, "image", data, mime_type),
        ContentBlock::Audio { data, mime_type } if version.has_audio() => media(blocks, "audio", data, mime_type),
        ContentBlock::ResourceLink(link) if version.has_resource_links() => resource_link(blocks, link),
        ContentBlock::Resource(ResourceContents::Text { uri, mime_type, text }) => {
            resource(blocks, uri, mime_type.as_deref(), "text", text);
        }
        ContentBlock::Resource(ResourceContents::Blob { uri, mime_type, blob }) => {
            resource(blocks, uri, mime_type.as_deref(), "blob", blob);
        }
        other => text(blocks, &wording::instead_of(other)),
    }
}

fn media(blocks: &mut Array<'_>, kind: &str, data: &str, mime_type: &str) {
    blocks.object(|block| {
        block.text("type", kind);
        block.text("data", data);
        block.text("mimeType", mime_type);
    });
}

fn resource_link(blocks: &mut Array<'_>, link: &ResourceLink) {
    blocks.object(|block| {
        block.text("type", "resource_link");
        block.text("uri", &link.uri);
        block.text("name", &link.name);
        block.optional_text("title", link.title.as_deref());
        block.optional_text("description", link.description.as_deref());
        block.optional_text("mimeType", link.mime_type.as_deref());
    });
}

fn resource(blocks: &mut Array<'_>, uri: &str, mime_type: Option<&str>, kind: &'static str, body: &str) {
    blocks.object(|block: &mut Object<'_>| {
        block.text("type", "resource");
        block.object("resource", |resource| {
            resource.text("uri", uri);
            resource.optional_text("mimeType", mime_type);
            resource.text(kind, body);
        });
    });
}
