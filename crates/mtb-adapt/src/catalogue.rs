use std::collections::BTreeMap;

use mtb_core::{DefinitionCode, DefinitionProblem};

use crate::definition::Definition;
use crate::options::ImportOptions;
use crate::part::{Definitions, NotJson, Part};

/// The place of the first definition of each name. `None` when the definitions are no list.
pub(crate) type Defined = Option<BTreeMap<String, usize>>;

/// Reads one definition after the other and hands each on, with the options applied and together with the list that
/// its problems belong into.
pub(crate) fn read(
    definitions: Definitions<'_>,
    options: &ImportOptions,
    problems: &mut Vec<DefinitionProblem>,
    mut each: impl FnMut(Definition, &mut Vec<DefinitionProblem>),
) -> Defined {
    let (place, items) = match items(definitions) {
        Ok(found) => found,
        Err(problem) => {
            problems.push(problem);
            return None;
        }
    };
    let mut defined = BTreeMap::new();
    for (index, item) in items.into_iter().enumerate() {
        let Some(definition) = Definition::read(&format!("{place}/{index}"), item, options, problems) else { continue };
        let name = &definition.name;
        if let Some(first) = defined.get(name) {
            let problem = format!("definition {first} has the same name");
            let (code, place) = (DefinitionCode::DuplicateName, definition.place("/name"));
            problems.push(DefinitionProblem::new(name, place, code, problem, "rename one of them"));
        } else {
            defined.insert(name.clone(), index);
        }
        each(definition, problems);
    }
    options.unknown(|name| defined.contains_key(name), problems);
    Some(defined)
}

/// The items, and where their list stands: at the root, or in the `tools` of a `tools/list` result.
fn items(definitions: Definitions<'_>) -> Result<(&'static str, Vec<Part<'_>>), DefinitionProblem> {
    let (problem, remedy) = match Part::read(definitions.0) {
        Ok(whole) => {
            let found = whole.items().map(|items| ("", items)).or_else(|| Some(("/tools", listed(whole)?)));
            if let Some(found) = found {
                return Ok(found);
            }
            let remedy = "pass the array of definitions, or the result of `tools/list` with its array `tools`";
            ("the definitions are not a JSON array".to_owned(), remedy)
        }
        Err(NotJson { line, column }) => {
            let problem = format!("the definitions are not valid JSON (line {line}, column {column})");
            (problem, "pass one JSON array of definitions")
        }
    };
    Err(DefinitionProblem::new("", "", DefinitionCode::InvalidDefinition, problem, remedy))
}

/// The tools of a `tools/list` result, if they are listed once.
fn listed(whole: Part<'_>) -> Option<Vec<Part<'_>>> {
    let members = whole.members()?;
    let mut lists = members.into_iter().filter(|(name, _)| name == "tools").map(|(_, list)| list);
    match (lists.next(), lists.next()) {
        (Some(list), None) => list.items(),
        _ => None,
    }
}
