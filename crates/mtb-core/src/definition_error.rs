use std::fmt;

use serde::{Serialize, Serializer};

use crate::text::{cut, printable};

mod table;
mod work_list;

pub use table::DefinitionTable;
pub use work_list::ToolProblems;

/// Everything that is wrong with one or more declarations, as a list to work off. Never empty.
///
/// Its text has one line a problem: the tool, the place as a JSON Pointer into the declaration, what is wrong, and
/// what to do about it. `Debug` gives the same text, since that is what a `main` that returns it prints. The same
/// problems come as a [table](Self::table) and, tool by tool, as [JSON](Self::to_json).
///
/// ```
/// use mtb_core::{DefinitionCode, DefinitionError, DefinitionProblem};
///
/// let problem = ("the description is blank", "say what the tool does and when to use it");
/// let problem = DefinitionProblem::new("ping", "/description", DefinitionCode::InvalidDescription, problem.0, problem.1);
/// let error = DefinitionError::from(problem);
///
/// assert!(error.table().to_string().starts_with("| tool | place        | problem "));
/// let json: serde_json::Value = serde_json::from_str(&error.to_json()).unwrap();
/// assert_eq!(json[0]["tool"], "ping");
/// assert_eq!(json[0]["problems"][0]["code"], "invalid_description");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct DefinitionError {
    problems: Vec<DefinitionProblem>,
}

/// One thing that is wrong with one declaration.
///
/// It is serialised as `{"pointer", "code", "problem", "remedy"}`; the tool is told by the [list](ToolProblems) around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DefinitionProblem {
    /// The name of the tool, as declared; empty for what is no tool's own.
    #[serde(skip)]
    pub tool: String,
    /// Where in the declaration, as a JSON Pointer, for example `/arguments/properties/to/format`.
    pub pointer: String,
    /// What kind of problem it is. Branch on this, not on the text.
    pub code: DefinitionCode,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

/// Kinds of problems a declaration can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DefinitionCode {
    /// The definition is not of a shape that can be read.
    InvalidDefinition,
    /// The name is not a tool name.
    InvalidName,
    /// The title is blank.
    InvalidTitle,
    /// The description is blank or missing.
    InvalidDescription,
    /// The argument or output schema is not a strict schema.
    InvalidSchema,
    /// The sensitivity is not one of the five levels.
    InvalidSensitivity,
    /// The reversibility is not one of the two values.
    InvalidReversibility,
    /// The roles are empty or one of them is unusable.
    InvalidRoles,
    /// A pointer of the retention is malformed or can never find anything.
    InvalidRetention,
    /// The time limit is out of range.
    InvalidTimeout,
    /// Two tools have the same name.
    DuplicateName,
    /// A tool has no governance.
    MissingGovernance,
    /// Governance names a tool that is not defined.
    UnknownGovernance,
    /// Options of an import name a tool that is not defined.
    UnknownOptions,
    /// Options of an import allow what is checked already.
    NeedlessOptions,
}

impl DefinitionCode {
    /// The code as text, for example `invalid_schema`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidDefinition => "invalid_definition",
            Self::InvalidName => "invalid_name",
            Self::InvalidTitle => "invalid_title",
            Self::InvalidDescription => "invalid_description",
            Self::InvalidSchema => "invalid_schema",
            Self::InvalidSensitivity => "invalid_sensitivity",
            Self::InvalidReversibility => "invalid_reversibility",
            Self::InvalidRoles => "invalid_roles",
            Self::InvalidRetention => "invalid_retention",
            Self::InvalidTimeout => "invalid_timeout",
            Self::DuplicateName => "duplicate_name",
            Self::MissingGovernance => "missing_governance",
            Self::UnknownGovernance => "unknown_governance",
            Self::UnknownOptions => "unknown_options",
            Self::NeedlessOptions => "needless_options",
        }
    }
}

impl DefinitionProblem {
    /// A problem of a tool, at a place, with a remedy.
    #[must_use]
    pub fn new(
        tool: &str,
        pointer: impl Into<String>,
        code: DefinitionCode,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self { tool: tool.to_owned(), pointer: pointer.into(), code, problem: problem.into(), remedy: remedy.into() }
    }
}

impl DefinitionError {
    /// An error if there is any problem.
    ///
    /// # Errors
    /// When `problems` is not empty: an error that holds them all, in the order given.
    pub fn unless_empty(problems: Vec<DefinitionProblem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self { problems }) }
    }

    /// Every problem, in the order the tools and their fields were declared.
    #[must_use]
    pub fn problems(&self) -> &[DefinitionProblem] {
        &self.problems
    }

    /// Every problem, by value.
    #[must_use]
    pub fn into_problems(self) -> Vec<DefinitionProblem> {
        self.problems
    }

    /// The problems of each tool, tools in the order of their first problem.
    #[must_use]
    pub fn by_tool(&self) -> Vec<ToolProblems<'_>> {
        work_list::by_tool(&self.problems)
    }

    /// The problems as an aligned table for people: tool, place, problem and remedy.
    #[must_use]
    pub fn table(&self) -> DefinitionTable<'_> {
        DefinitionTable::of(&self.problems)
    }

    /// The problems as JSON text: an array with one `{"tool", "problems"}` for each tool, whose problems are
    /// `{"pointer", "code", "problem", "remedy"}`. `Serialize` gives the same.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Text under fixed names can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Whether any problem is of this kind.
    #[must_use]
    pub fn has(&self, code: DefinitionCode) -> bool {
        self.problems.iter().any(|problem| problem.code == code)
    }
}

impl From<DefinitionProblem> for DefinitionError {
    fn from(problem: DefinitionProblem) -> Self {
        Self { problems: vec![problem] }
    }
}

impl fmt::Display for DefinitionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tool = cut(&printable(&self.tool), crate::ToolName::MAX_CHARS);
        let [place, problem, remedy] = [&self.pointer, &self.problem, &self.remedy].map(|text| printable(text));
        write!(f, "tool `{tool}`, at `{place}`: {problem} ({}); {remedy}", self.code)
    }
}

impl fmt::Display for DefinitionCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for DefinitionCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for DefinitionError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.by_tool().serialize(serializer)
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.problems.len();
        let problems = if count == 1 { "problem" } else { "problems" };
        write!(f, "{count} {problems} in the declared tools")?;
        self.problems.iter().try_for_each(|problem| write!(f, "\n- {problem}"))
    }
}

impl fmt::Debug for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for DefinitionError {}
