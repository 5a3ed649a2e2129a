use std::collections::BTreeSet;
use std::fmt;

use mtb_bridge::ArgumentSource;
use mtb_core::{DeclarationDraft, DefinitionError, ToolProblems};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::catalogue::{self, Catalogue};
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
    let catalogue = catalogue::read(definitions.into(), options, &mut problems, |definition, problems| {
        if let Err(error) = draft(&definition).check() {
            problems.extend(definition.placed(error));
        }
    });
    let refused: BTreeSet<_> = problems.iter().map(|problem| problem.tool.as_str()).collect();
    let is_one_page = catalogue.as_ref().is_some_and(|catalogue| catalogue.is_one_page);
    let definitions = catalogue.map(|Catalogue { definitions, .. }| {
        let checked = definitions.into_iter().map(|(pointer, name)| {
            // What has no name was refused for that.
            let is_accepted = !name.is_empty() && !refused.contains(name.as_str());
            CheckedDefinition { pointer, name, is_accepted }
        });
        checked.collect::<Vec<_>>()
    });
    let accepted = definitions.iter().flatten().filter(|definition| definition.is_accepted);
    ImportReport {
        accepted: accepted.map(|definition| definition.name.clone()).collect(),
        refused: DefinitionError::unless_empty(problems).err(),
        definitions,
        is_one_page,
    }
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

/// What [`check_definitions`] found out. Its text has a line for each accepted tool and then the table of problems; a
/// last line says when the definitions are one page of more.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a report changes nothing: read what was refused"]
pub struct ImportReport {
    accepted: Vec<String>,
    refused: Option<DefinitionError>,
    definitions: Option<Vec<CheckedDefinition>>,
    is_one_page: bool,
}

/// One of the definitions that were checked, and whether anything keeps it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedDefinition {
    pointer: String,
    name: String,
    is_accepted: bool,
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

    /// Every definition in its order; `None` when what was passed is no list of definitions.
    ///
    /// ```
    /// use mtb_adapt::{ImportOptions, check_definitions};
    ///
    /// let list = r#"{"tools": [7, {"name": "now", "description": "Tells the time."}], "nextCursor": "2"}"#;
    /// let report = check_definitions(list, &ImportOptions::default());
    /// let [seven, now] = report.definitions().unwrap() else { panic!("there are two") };
    /// assert_eq!((seven.pointer(), seven.name(), seven.is_accepted()), ("/tools/0", "", false));
    /// assert_eq!((now.pointer(), now.name(), now.is_accepted()), ("/tools/1", "now", true));
    /// assert!(report.is_one_page());
    /// assert!(check_definitions("7", &ImportOptions::default()).definitions().is_none());
    /// ```
    #[must_use]
    pub fn definitions(&self) -> Option<&[CheckedDefinition]> {
        self.definitions.as_deref()
    }

    /// Whether these are the tools of one page: the result of `tools/list` has a `nextCursor`, so the server has more
    /// (<https://modelcontextprotocol.io/specification/2025-06-18/server/utilities/pagination>).
    #[must_use]
    pub fn is_one_page(&self) -> bool {
        self.is_one_page
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

impl CheckedDefinition {
    /// Where it stands in what was passed, as a JSON Pointer, for example `/tools/3`.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The name as it is written; empty where none can be read. It need not be a [`ToolName`](mtb_core::ToolName).
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it has no problem. Of two definitions of one name, neither is accepted.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.is_accepted
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
        self.refused.iter().try_for_each(|refused| write!(f, "{}", refused.table()))?;
        if self.is_one_page {
            writeln!(f, "one page only: `nextCursor` says that the server has more tools")?;
        }
        Ok(())
    }
}
