use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;

/// A file of tool definitions, found to be a list of them.
pub(crate) struct Catalogue {
    /// The file as the command line names it, without characters that change how a line is shown.
    pub(crate) label: String,
    /// The array of definitions, as it is written.
    pub(crate) definitions: Box<RawValue>,
    /// Where the array stands in the file, as a JSON Pointer.
    pub(crate) place: &'static str,
}

/// The result of `tools/list`; what stands beside the tools does not matter.
#[derive(Deserialize)]
struct Listed {
    tools: Box<RawValue>,
}

impl Catalogue {
    /// Reads every file.
    ///
    /// # Errors
    /// A line for each file that cannot be read or is no catalogue.
    pub(crate) fn read_all(files: &[PathBuf]) -> Result<Vec<Self>, String> {
        let (mut catalogues, mut problems) = (Vec::new(), Vec::new());
        for file in files {
            let label = mtb_core::printable(&file.display().to_string());
            let read = text(file).map_err(|error| format!("cannot be read: {error}"));
            match read.and_then(|text| list(&text)) {
                Ok((place, definitions)) => catalogues.push(Self { label, definitions, place }),
                Err(problem) => problems.push(format!("`{label}` {problem}")),
            }
        }
        if problems.is_empty() { Ok(catalogues) } else { Err(problems.join("\nmtb-import: ")) }
    }

    /// The definitions one by one, as they are written.
    pub(crate) fn items(&self) -> Vec<&RawValue> {
        serde_json::from_str(self.definitions.get()).unwrap_or_default()
    }
}

/// Most bytes of a file.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

fn text(file: &Path) -> io::Result<String> {
    if file.as_os_str() == "-" { bounded(io::stdin()) } else { bounded(fs::File::open(file)?) }
}

fn bounded(input: impl io::Read) -> io::Result<String> {
    let mut text = String::new();
    let read = io::Read::take(input, MAX_BYTES + 1).read_to_string(&mut text)?;
    let fits = u64::try_from(read).is_ok_and(|read| read <= MAX_BYTES);
    if fits { Ok(text) } else { Err(io::Error::other(format!("it has more than {MAX_BYTES} bytes"))) }
}

fn list(text: &str) -> Result<(&'static str, Box<RawValue>), String> {
    let whole: Box<RawValue> = serde_json::from_str(text)
        .map_err(|error| format!("is not valid JSON (line {}, column {})", error.line(), error.column()))?;
    if whole.get().starts_with('[') {
        return Ok(("", whole));
    }
    // A struct can be read from an array, too, so the first character is asked before.
    if whole.get().starts_with('{')
        && let Ok(Listed { tools }) = serde_json::from_str(whole.get())
        && tools.get().starts_with('[')
    {
        return Ok(("/tools", tools));
    }
    Err("is neither an array of definitions nor an object with an array `tools`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, bounded, list};

    #[test]
    fn no_more_than_the_limit_is_read() {
        let endless = std::io::repeat(b' ');
        assert!(bounded(endless).unwrap_err().to_string().contains("more than"));
        assert_eq!(bounded(&b"[]"[..]).unwrap(), "[]");
        assert_eq!(bounded(std::io::Read::take(std::io::repeat(b' '), MAX_BYTES)).unwrap().len(), 64 << 20);
    }

    #[test]
    fn refuses_what_is_no_list() {
        for text in [
            "",
            "[",
            "{}",
            "7",
            "\"tools\"",
            r#"{"tools": {}}"#,
            r#"{"result": {"tools": []}}"#,
            r#"{"tools": [], "tools": []}"#,
            "[] []",
        ] {
            assert!(list(text).is_err(), "{text}");
        }
    }

    #[test]
    fn keeps_the_text_of_the_list_and_its_place() {
        for (text, place, kept) in [
            (" [ {\"a\": 1.50} ] ", "", "[ {\"a\": 1.50} ]"),
            (r#"{"nextCursor": "x", "tools": [{}]}"#, "/tools", "[{}]"),
        ] {
            let (at, list) = list(text).unwrap();
            assert_eq!((at, list.get()), (place, kept));
        }
    }
}
