//! The file in which people say what definitions do not.
//!
//! It is JSON with members named `//` as comments, because that is what `GovernanceTable::text` reads: the filled file
//! is the governance, with no second format and no reader for it in every host. No tool can be named `//`.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use mtb_core::{Reversibility, ToolName};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::catalogue::Catalogue;
use crate::outline::Outline;
use crate::suggestion::{Suggestion, suggest};

const HEAD: [&str; 6] = [
    "For a person to fill in: null is not set, and one tool that is not classified keeps all of them from starting.",
    "sensitivity: how much harm one call can do: none, low, medium, high or critical",
    "reversible: true if the effect of a call can be undone, else false",
    "roles: an array of names; whoever holds one of them may use the tool",
    "These may stay null: confirm (policy or always), retain (arguments and result: arrays of JSON Pointers that the \
     audit may keep; errors: true or false), timeout_ms (milliseconds)",
    "Suggestions are guesses from hints, names and arguments. Nothing reads them: look at what the code does.",
];

/// Every name once, in the order of the catalogues, with what all definitions of that name say.
struct File(Vec<(ToolName, Vec<Outline>)>);

/// Everything that can be said of a tool, with nothing said.
#[derive(Serialize)]
struct Entry {
    #[serde(rename = "//")]
    comment: Vec<String>,
    sensitivity: (),
    reversible: (),
    roles: (),
    confirm: (),
    retain: (),
    timeout_ms: (),
}

/// Writes the governance of all these tools to a new file.
///
/// # Errors
/// When the file exists, since somebody may have filled it in, or cannot be written.
pub(crate) fn write(path: &Path, catalogues: &[Catalogue]) -> Result<(), String> {
    let label = mtb_core::printable(&path.display().to_string());
    let refuse = |problem: &dyn std::fmt::Display| format!("`{label}` {problem}");
    let text = File::of(catalogues).text().map_err(|error| refuse(&format_args!("cannot be written: {error}")))?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => refuse(&"exists already: move it away, or name another file"),
        _ => refuse(&format_args!("cannot be created: {error}")),
    })?;
    file.write_all(text.as_bytes()).map_err(|error| refuse(&format_args!("cannot be written: {error}")))
}

impl File {
    fn of(catalogues: &[Catalogue]) -> Self {
        let (mut tools, mut places) = (Vec::<(ToolName, Vec<Outline>)>::new(), BTreeMap::new());
        for outline in catalogues.iter().flat_map(Catalogue::outlines) {
            let place = *places.entry(outline.name.clone()).or_insert(tools.len());
            match tools.get_mut(place) {
                Some((_, outlines)) => outlines.push(outline),
                None => tools.push((outline.name.clone(), vec![outline])),
            }
        }
        Self(tools)
    }

    fn text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

impl Serialize for File {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("//", &HEAD)?;
        for (name, outlines) in &self.0 {
            members.serialize_entry(name.as_str(), &Entry::of(outlines))?;
        }
        members.end()
    }
}

impl Entry {
    fn of(outlines: &[Outline]) -> Self {
        let mut comment = match suggest(outlines) {
            Some(Suggestion { sensitivity, reversibility, reasons }) => {
                let reversible = reversibility == Reversibility::Reversible;
                let suggested = format!("suggested: sensitivity {sensitivity}, reversible {reversible}");
                let reasons = reasons.iter().map(|reason| format!("because {reason}"));
                std::iter::once(suggested).chain(reasons).collect()
            }
            None => vec!["nothing suggested: neither hints nor name nor arguments tell what it does".to_owned()],
        };
        if let count @ 2.. = outlines.len() {
            comment.push(format!("{count} definitions have this name: the suggestion is the gravest of theirs"));
        }
        Self { comment, sensitivity: (), reversible: (), roles: (), confirm: (), retain: (), timeout_ms: () }
    }
}
