use mtb_bridge::Summary;

use super::json::Object;
use super::message;
use crate::message::Message;
use crate::version::Version;
use crate::wording;

pub(crate) const METHOD: &str = "elicitation/create";

/// The name of the one field of the form, and of the one question of a modern result.
pub(crate) const CONFIRM: &str = "confirm";

/// The question as a request of its own.
pub(crate) fn create(id: &str, version: Version, summary: &Summary) -> Message {
    message::request(id, METHOD, |request| params(request, version, summary))
}

/// Writes the question: a form with one switch.
pub(crate) fn params(params: &mut Object<'_>, version: Version, summary: &Summary) {
    if version.has_elicitation_mode() {
        params.text("mode", "form");
    }
    params.text("message", &wording::question(summary));
    params.object("requestedSchema", |schema| {
        schema.text("type", "object");
        schema.object("properties", |properties| {
            properties.object(CONFIRM, |field| {
                field.text("type", "boolean");
                field.text("title", wording::CONFIRM_TITLE);
            });
        });
        schema.array("required", |required| required.text(CONFIRM));
    });
}
