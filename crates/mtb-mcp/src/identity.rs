use crate::server_options::ServerInfo;
use crate::version::Version;
use crate::wire::json::Object;

/// What a server says of itself, as every modern result repeats it: written once.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    json: Box<str>,
}

impl Identity {
    pub(crate) fn of(info: &ServerInfo) -> Self {
        let mut json = Vec::new();
        write(&mut json, info, Version::MODERN);
        Self { json: String::from_utf8(json).unwrap_or_default().into() }
    }

    /// As `serverInfo` of a modern result.
    pub(crate) fn as_json(&self) -> &str {
        &self.json
    }
}

/// Writes an `Implementation`.
pub(crate) fn write(out: &mut Vec<u8>, info: &ServerInfo, version: Version) {
    Object::write(out, |object| members(object, info, version));
}

pub(crate) fn members(object: &mut Object<'_>, info: &ServerInfo, version: Version) {
    object.text("name", &info.name);
    object.text("version", &info.version);
    object.optional_text("title", info.title.as_deref().filter(|_| version.has_titles()));
}
