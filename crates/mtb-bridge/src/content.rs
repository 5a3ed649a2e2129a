use std::fmt;

/// One block of a tool's answer, as MCP knows them.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text that the model reads.
    Text(String),
    /// A picture.
    Image {
        /// The bytes in base64.
        data: String,
        /// For example `image/png`.
        mime_type: String,
    },
    /// Sound.
    Audio {
        /// The bytes in base64.
        data: String,
        /// For example `audio/wav`.
        mime_type: String,
    },
    /// A resource that the client may fetch.
    ResourceLink(ResourceLink),
    /// A resource that came along.
    Resource(ResourceContents),
}

/// A resource by its address.
#[derive(Clone, PartialEq)]
pub struct ResourceLink {
    /// Where it is.
    pub uri: String,
    /// A name for programs.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// For example `text/markdown`.
    pub mime_type: Option<String>,
}

/// A resource with its contents.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum ResourceContents {
    /// Text.
    Text {
        /// Where it is.
        uri: String,
        /// For example `text/markdown`.
        mime_type: Option<String>,
        /// The contents.
        text: String,
    },
    /// Bytes.
    Blob {
        /// Where it is.
        uri: String,
        /// For example `application/pdf`.
        mime_type: Option<String>,
        /// The bytes in base64.
        blob: String,
    },
}

impl ContentBlock {
    /// Bytes of content in this block, without the syntax around it.
    pub(crate) fn bytes(&self) -> usize {
        let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        match self {
            Self::Text(text) => text.len(),
            Self::Image { data, mime_type } | Self::Audio { data, mime_type } => {
                data.len().saturating_add(mime_type.len())
            }
            Self::ResourceLink(link) => {
                let fixed = link.uri.len().saturating_add(link.name.len());
                let rest = [&link.title, &link.description, &link.mime_type];
                rest.into_iter().map(optional).fold(fixed, usize::saturating_add)
            }
            Self::Resource(
                ResourceContents::Text { uri, mime_type, text: body }
                | ResourceContents::Blob { uri, mime_type, blob: body },
            ) => uri.len().saturating_add(optional(mime_type)).saturating_add(body.len()),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Image { .. } => "image",
            Self::Audio { .. } => "audio",
            Self::ResourceLink(_) => "resource link",
            Self::Resource(_) => "resource",
        }
    }
}

/// Says what it is and how much, never what it holds.
impl fmt::Debug for ContentBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentBlock({}, {} bytes)", self.kind(), self.bytes())
    }
}

impl fmt::Debug for ResourceLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceLink").finish_non_exhaustive()
    }
}

impl fmt::Debug for ResourceContents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceContents").finish_non_exhaustive()
    }
}
