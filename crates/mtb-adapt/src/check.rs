use std::collections::BTreeSet;
use std::fmt;

use mtb_bridge::ArgumentSource;
use mtb_core::{DeclarationDraft, DefinitionError, ToolProblems};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::catalogue;
use crate::definition::Definition;
use crate::governance_table::Governed;
use crate::options::ImportOptions;
use crate::part::Definitions;

/// Says which definitions could be imported, and everything that keeps the others out: what
/// [`import_definitions_with`](crate::import_definitions_with) checks, before anybody has classified a tool.
///
/// ```
/// use mtb_adapt::{ImportOptions, check_definitions};
///
/// let definitions = r#"[
///     {"name": "now", "description": "Tells the time."},
///     {"name": "pay", "description": "Pays.", "parameters": {"type": "dict", "properties": {"sum": {"type": "float"}}}}
/// ]"#;
/// let report = check_definitions(definitions, &ImportOptions::default());
/// assert_eq!(report.accepted(), ["now"]);
/// let pay = report.refused().unwrap();
/// assert_eq!(pay.problems()[0].pointer, "/1/parameters/properties/sum/type");
/// assert_eq!(pay.problems()[0].remedy, "write `number` for `float`");
/// assert_eq!(pay.problems()[1].remedy, "write `object` for `dict`");
/// ```
pub fn check_definitions<'d>(definitions: impl Into<Definitions<'d>>, options: &ImportOptions) -> ImportReport {
    let mut problems = Vec::new();
    let mut names = Vec::new();
    catalogue::read(definitions.into(), options, &mut problems, |definition, problems| {
        if let Err(error) = draft(&definition).check() {
            problems.extend(definition.placed(error));
        }
        names.push(definition.name);
    });
    let refused: BTreeSet<_> = problems.iter().map(|problem| problem.tool.as_str()).collect();
    names.retain(|name| !refused.contains(name.as_str()));
    ImportReport { accepted: names, refused: DefinitionError::unless_empty(problems).err() }
}

/// The declaration that would be made, with governance that only stands in for what a person has yet to say.
fn draft(definition: &Definition) -> DeclarationDraft {
    let governance = Governed::unclassified().governance().clone();
    let (name, description) = (&definition.name, &definition.description);
    let mut draft = DeclarationDraft::new(name, description, definition.arguments.schema(), governance);
    draft.title.clone_from(&definition.title);
    draft.output = definition.output.as_ref().map(ArgumentSource::schema);
    draft
}

/// What [`check_definitions`] found out. Its text has a line for each accepted tool and then the table of problems.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a report changes nothing: read what was refused"]
pub struct ImportReport {
    accepted: Vec<String>,
    refused: Option<DefinitionError>,
}

impl ImportReport {
    /// The names of the tools without a problem, in the order of the definitions.
    #[must_use]
    pub fn accepted(&self) -> &[String] {
        &self.accepted
    }

    /// Every problem of the others.
    #[must_use]
    pub fn refused(&self) -> Option<&DefinitionError> {
        self.refused.as_ref()
    }

    /// The report as JSON text: `{"accepted": [names], "refused": [{"tool", "problems"}]}`, with the problems as in
    /// [`DefinitionError::to_json`]. `Serialize` gives the same.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Text under fixed names can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    fn by_tool(&self) -> Vec<ToolProblems<'_>> {
        self.refused.as_ref().map(DefinitionError::by_tool).unwrap_or_default()
    }
}

impl Serialize for ImportReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("ImportReport", 2)?;
        report.serialize_field("accepted", &self.accepted)?;
        report.serialize_field("refused", &self.by_tool())?;
        report.end()
    }
}

impl fmt::Display for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.accepted.iter().try_for_each(|name| writeln!(f, "accepted: {name}"))?;
        self.refused.iter().try_for_each(|refused| write!(f, "{}", refused.table()))
    }
}
