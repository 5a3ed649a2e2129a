use std::io::Write as _;

use mtb_core::{cut, printable};

use crate::event::AuditEvent;
use crate::sink::{AuditSink, SinkError};

/// The longest text of a sink that a warning repeats, in characters.
const MAX_TEXT_CHARS: usize = 500;

/// Tells the operator that a sink failed: through `tracing`, or on stderr when nobody listens there.
pub(crate) fn sink_failed(index: usize, sink: &dyn AuditSink, event: &AuditEvent, error: &SinkError) {
    let error = cut(&printable(&error.to_string()), MAX_TEXT_CHARS);
    let (name, kind, call_id) = (sink.name(), event.kind().as_str(), event.call_id());
    if tracing::dispatcher::has_been_set() {
        tracing::warn!(sink = index, name, event = kind, %call_id, %error, "an audit sink did not record an event");
    } else {
        let line = format!("audit sink {index} (`{name}`) did not record `{kind}` of call {call_id}: {error}\n");
        // Nothing is left to tell when stderr is gone too.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}
