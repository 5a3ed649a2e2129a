use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use mtb_adapt::{CheckedDefinition, ImportOptions, ImportReport, check_definitions};
use mtb_core::ToolName;

use crate::outline::{self, Outline};

/// How standard input is called.
const STDIN: &str = "standard input";

/// A file of tool definitions, found to be a list of them, and what the check says of it.
pub(crate) struct Catalogue {
    /// The file as the command line names it, without characters that change how a line is shown.
    pub(crate) label: String,
    pub(crate) report: ImportReport,
    text: String,
}

impl Catalogue {
    /// Reads every file; what is none comes with a line that says why.
    pub(crate) fn read_all(files: &[PathBuf], options: &ImportOptions) -> (Vec<Self>, Vec<String>) {
        let (mut catalogues, mut problems) = (Vec::new(), Vec::new());
        for file in files {
            let is_stdin = file.as_os_str() == "-";
            let label = if is_stdin { STDIN.to_owned() } else { mtb_core::printable(&file.display().to_string()) };
            let read = text(file).map_err(|error| format!("cannot be read: {error}"));
            match read.and_then(|text| check(text, options)) {
                Ok((text, report)) => catalogues.push(Self { label, report, text }),
                Err(problem) => problems.push(format!("`{label}` {problem}")),
            }
        }
        (catalogues, problems)
    }

    pub(crate) fn definitions(&self) -> &[CheckedDefinition] {
        self.report.definitions().unwrap_or_default()
    }

    /// What the definitions with a usable name say, in their order.
    pub(crate) fn outlines(&self) -> Vec<Outline> {
        let texts = self.definitions().first().and_then(|first| outline::list(&self.text, first.pointer()));
        let outline = |(definition, text): (&CheckedDefinition, &str)| {
            let name = ToolName::new(definition.name()).ok()?;
            Some(Outline::of(name, text))
        };
        self.definitions().iter().zip(texts.into_iter().flatten()).filter_map(outline).collect()
    }
}

fn check(text: String, options: &ImportOptions) -> Result<(String, ImportReport), String> {
    let report = check_definitions(&text, options);
    let refused = report.refused().and_then(|refused| refused.problems().first());
    match (report.definitions(), refused) {
        (None, Some(_)) if is_event_stream(&text) => {
            Err("cannot be used: it is a stream of events; save what follows `data:` in the one with the tools".into())
        }
        (None, Some(problem)) => Err(format!("cannot be used: {}; {}", problem.problem, problem.remedy)),
        _ => Ok((text, report)),
    }
}

/// Whether this is what a server answers over HTTP that sends events
/// (<https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream>), as `curl` saves it.
fn is_event_stream(text: &str) -> bool {
    let first = text.trim_start().split([':', '\n']).next().unwrap_or_default();
    ["data", "event", "id", "retry"].contains(&first)
}

/// Most bytes of a file.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

fn text(file: &Path) -> io::Result<String> {
    if file.as_os_str() == "-" { bounded(io::stdin()) } else { bounded(fs::File::open(file)?) }
}

fn bounded(input: impl io::Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    let read = io::Read::take(input, MAX_BYTES + 1).read_to_end(&mut bytes)?;
    let fits = u64::try_from(read).is_ok_and(|read| read <= MAX_BYTES);
    if !fits {
        return Err(io::Error::other(format!("it has more than {MAX_BYTES} bytes")));
    }
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        io::Error::other(if is_utf16 {
            "it is UTF-16; save it as UTF-8".to_owned()
        } else {
            format!("it is not UTF-8 from byte {valid} on; save it as UTF-8")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, bounded, is_event_stream};

    #[test]
    fn events_are_known_by_their_first_field() {
        for events in ["data: {}\n\n", "event: message\r\ndata: []\r\n\r\n", "\nid:1\ndata:[]\n"] {
            assert!(is_event_stream(events), "{events:?}");
        }
        for other in ["", "[]", "{\"data\": 1}", "dates: 1", ": data"] {
            assert!(!is_event_stream(other), "{other:?}");
        }
    }

    #[test]
    fn no_more_than_the_limit_is_read() {
        let endless = std::io::repeat(b' ');
        assert!(bounded(endless).unwrap_err().to_string().contains("more than"));
        assert_eq!(bounded(&b"[]"[..]).unwrap(), "[]");
        assert_eq!(bounded(std::io::Read::take(std::io::repeat(b' '), MAX_BYTES)).unwrap().len(), 64 << 20);
    }
}
