use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::value::RawValue;

/// The environment variable that names a folder with more catalogues, in the format of the vendored ones.
pub const CATALOGUES: &str = "MTB_CATALOGUES";

/// The tool definitions of one server.
#[derive(Debug)]
pub struct Catalogue {
    /// The name of its file, such as `pypi__mcp-server-time.json`.
    pub file: String,
    /// In the order in which the server lists them.
    pub definitions: Vec<Definition>,
}

/// One tool as its server describes it; members that nothing here needs are left out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// What clients call it by.
    pub name: String,
    input_schema: Box<RawValue>,
    output_schema: Option<Box<RawValue>>,
}

/// Which schema of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// `inputSchema`.
    Input,
    /// `outputSchema`.
    Output,
}

impl Definition {
    /// The text of `inputSchema`, byte for byte.
    #[must_use]
    pub fn input_schema(&self) -> &str {
        self.input_schema.get()
    }

    /// The text of `outputSchema`, byte for byte.
    #[must_use]
    pub fn output_schema(&self) -> Option<&str> {
        self.output_schema.as_deref().map(RawValue::get)
    }

    /// The texts of its schemas.
    pub fn schemas(&self) -> impl Iterator<Item = (Part, &str)> {
        let output = self.output_schema().map(|text| (Part::Output, text));
        std::iter::once((Part::Input, self.input_schema())).chain(output)
    }
}

/// The definitions kept in `data/catalogue`: a part of the full ones that holds every kind of schema in them.
///
/// ```
/// let definitions = mtb_fixtures::catalogue().iter().map(|catalogue| catalogue.definitions.len()).sum::<usize>();
/// assert!(definitions > 200);
/// ```
///
/// # Panics
/// When a file of the folder is no catalogue.
#[must_use]
pub fn catalogue() -> Vec<Catalogue> {
    read(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/catalogue"))
}

/// Every definition in the folder that [`CATALOGUES`] names. Without that variable there are none, and a line on stderr
/// says that they were not run.
///
/// # Panics
/// When the folder cannot be read or a file in it is no catalogue: what was asked for is never left out silently.
#[must_use]
pub fn full_catalogue() -> Option<Vec<Catalogue>> {
    folder_in(CATALOGUES, "the vendored definitions were run, all of them were not").map(|folder| read(&folder))
}

/// The folder that an environment variable names. Without the variable, a line on stderr says what that means, once;
/// it is seen although the test passes.
#[must_use]
pub fn folder_in(variable: &str, otherwise: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).filter(|folder| !folder.is_empty());
    let first = || SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(variable.to_owned());
    if folder.is_none() && first() {
        // Not `eprintln!`, whose text a passing test keeps to itself. Where stderr is closed, nobody listens.
        let line = format!("note: {variable} is not set: {otherwise}\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    folder.map(PathBuf::from)
}

/// The variables of which it was said that they are not set.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The benchmark's functions have a format of their own, and the index lists the others.
const OTHERS: [&str; 2] = ["index.json", "repo__gorilla_bfcl_v4.json"];

fn read(folder: &Path) -> Vec<Catalogue> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .unwrap_or_else(|error| broken(folder, &error))
        .iter()
        .map(fs::DirEntry::path)
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let catalogues = files.iter().map(|path| (path, name(path))).filter(|(_, file)| !OTHERS.contains(&file.as_str()));
    let catalogues: Vec<_> =
        catalogues.map(|(path, file)| Catalogue { file, definitions: definitions(path) }).collect();
    assert!(!catalogues.is_empty(), "{} holds no catalogue", folder.display());
    catalogues
}

fn definitions(path: &Path) -> Vec<Definition> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| broken(path, &error));
    serde_json::from_str(&text).unwrap_or_else(|error| broken(path, &error))
}

#[expect(clippy::panic, reason = "a test without its data has nothing to say")]
fn broken(path: &Path, error: &dyn std::error::Error) -> ! {
    panic!("{} cannot be read: {error}", path.display())
}
