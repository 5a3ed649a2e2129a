use std::collections::BTreeMap;

use mtb_core::{DefinitionCode, DefinitionProblem};

use crate::definition::Definition;
use crate::options::ImportOptions;
use crate::part::{Definitions, NotJson, Part};

/// The definitions that were found, whatever came of them.
pub(crate) struct Catalogue {
    /// Each with its place and its name, which is empty where none can be read.
    pub(crate) definitions: Vec<(String, String)>,
    /// The first definition of each name.
    first: BTreeMap<String, First>,
    /// Whether a `tools/list` result says that there are more.
    pub(crate) is_one_page: bool,
}

impl Catalogue {
    /// Whether a definition has this name.
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.first.contains_key(name)
    }
}

/// The first definition of a name: its place, that of its name, and whether others have the name, too.
struct First {
    place: String,
    name: String,
    is_repeated: bool,
}

/// Where definitions are listed.
struct Listed<'d> {
    place: &'static str,
    items: Vec<Part<'d>>,
    is_one_page: bool,
}

/// Reads one definition after the other and hands each on, with the options applied and together with the list that
/// its problems belong into. `None` when the definitions are no list.
pub(crate) fn read(
    definitions: Definitions<'_>,
    options: &ImportOptions,
    problems: &mut Vec<DefinitionProblem>,
    mut each: impl FnMut(Definition, &mut Vec<DefinitionProblem>),
) -> Option<Catalogue> {
    let options = options.without_needless(problems);
    let Listed { place, items, is_one_page } = match listed(definitions) {
        Ok(listed) => listed,
        Err(problem) => {
            problems.push(problem);
            return None;
        }
    };
    let mut catalogue = Catalogue { definitions: Vec::new(), first: BTreeMap::new(), is_one_page };
    for (index, item) in items.into_iter().enumerate() {
        let place = format!("{place}/{index}");
        let definition = Definition::read(&place, item, &options, problems);
        let name = definition.as_ref().map(|definition| definition.name.clone()).unwrap_or_default();
        catalogue.definitions.push((place.clone(), name.clone()));
        let Some(definition) = definition else { continue };
        // Two without a name are told that each, and are not two of one name.
        let mut repeats = |at: &str, other: &str| {
            let problem = format!("the definition at `{other}` has the same name");
            problems.push(DefinitionProblem::new(
                &name,
                at,
                DefinitionCode::DuplicateName,
                problem,
                "rename one of them",
            ));
        };
        match catalogue.first.get_mut(&name) {
            Some(first) if !name.is_empty() => {
                if !std::mem::replace(&mut first.is_repeated, true) {
                    repeats(&first.name, &place);
                }
                repeats(&definition.place("/name"), &first.place);
            }
            _ => {
                let first = First { place, name: definition.place("/name"), is_repeated: false };
                catalogue.first.insert(name, first);
            }
        }
        each(definition, problems);
    }
    options.unknown(|name| catalogue.defines(name), problems);
    Some(catalogue)
}

/// The list is the whole, or the `tools` of a `tools/list` result, which may be the `result` of a JSON-RPC answer.
fn listed(definitions: Definitions<'_>) -> Result<Listed<'_>, DefinitionProblem> {
    const REMEDY: &str = "pass an array of definitions, or the answer to `tools/list` with its array `tools`";
    let refuse = |problem: String, remedy: &str| {
        DefinitionProblem::new("", "", DefinitionCode::InvalidDefinition, problem, remedy)
    };
    let whole = Part::read(definitions.0).map_err(|NotJson { problem, remedy }| {
        refuse(format!("the definitions are {problem}"), remedy.unwrap_or(REMEDY))
    })?;
    if let Some(items) = whole.items() {
        return Ok(Listed { place: "", items, is_one_page: false });
    }
    let members = whole.members().unwrap_or_default();
    let has = |name: &str| members.iter().any(|(member, _)| member == name);
    let found = match (has("tools"), has("result")) {
        (true, false) => page("/tools", &members),
        (false, true) => {
            once(&members, "result").and_then(Part::members).and_then(|result| page("/result/tools", &result))
        }
        _ => None,
    };
    found.ok_or_else(|| {
        let problem = match (has("error"), has("name")) {
            (true, false) => "the definitions are the error of a request, not its result",
            (false, true) => "the definitions are one object, not an array",
            _ => "the definitions are neither a JSON array nor an object with one array `tools`",
        };
        refuse(problem.to_owned(), REMEDY)
    })
}

/// The tools of a `tools/list` result, if they are listed once.
fn page<'d>(place: &'static str, result: &[(String, Part<'d>)]) -> Option<Listed<'d>> {
    let items = once(result, "tools")?.items()?;
    let is_one_page = result.iter().any(|(name, cursor)| name == "nextCursor" && !cursor.is_null());
    Some(Listed { place, items, is_one_page })
}

/// The member of this name, if there is one only.
fn once<'d>(members: &[(String, Part<'d>)], name: &str) -> Option<Part<'d>> {
    let mut found = members.iter().filter(|(member, _)| member == name).map(|(_, part)| *part);
    found.next().filter(|_| found.next().is_none())
}
