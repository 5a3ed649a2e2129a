use std::io;

use serde::Serialize as _;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use super::SinkError;
use crate::event::AuditEvent;

/// The event as one line of JSON, `\n` included. Characters that a terminal could obey are escaped.
///
/// # Errors
/// When the event cannot be serialized, which no event of this crate causes.
pub fn json_line(event: &AuditEvent) -> Result<Vec<u8>, SinkError> {
    let mut line = Vec::with_capacity(512);
    // The error's own text could quote what it failed on.
    let failed = |_| SinkError::new("the event could not be written as JSON");
    event.serialize(&mut Serializer::with_formatter(&mut line, Inert)).map_err(failed)?;
    line.push(b'\n');
    Ok(line)
}

/// Compact JSON in which nothing reorders, hides or controls what follows it on a terminal.
struct Inert;

impl Formatter for Inert {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, active)) = rest.char_indices().find(|(_, c)| is_active(*c)) {
            let (plain, tail) = rest.split_at(at);
            writer.write_all(plain.as_bytes())?;
            for unit in active.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = tail.get(active.len_utf8()..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }
}

/// Controls beyond ASCII, DEL, line separators, and bidirectional controls. JSON escapes the ASCII controls itself.
fn is_active(c: char) -> bool {
    matches!(c, '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}')
}
