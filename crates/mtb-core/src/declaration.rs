use std::time::Duration;

use crate::definition_error::{DefinitionCode, DefinitionError, DefinitionProblem};
use crate::fingerprint::Fingerprint;
use crate::governance::{Governance, Reversibility, Sensitivity};
use crate::name::ToolName;
use crate::retention::{Retain, Retention};
use crate::role::Roles;
use crate::schema::{Schema, SchemaRole, SchemaSource};

mod report;

use report::Report;

/// The longest time limit a tool may declare, 2^31 − 1 milliseconds (about 24.8 days).
pub const MAX_TIMEOUT: Duration = Duration::from_millis(2_147_483_647);

/// Whether a call waits for a person's yes. There is no way to opt out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConfirmMode {
    /// The bridge's policy decides from sensitivity and reversibility.
    Policy,
    /// Every call waits.
    Always,
}

impl ConfirmMode {
    /// The mode as text: `policy` or `always`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Always => "always",
        }
    }
}

/// A tool as somebody wrote it down, not yet checked.
#[derive(Debug, Clone)]
pub struct DeclarationDraft {
    /// Unique in a registry; see [`ToolName`].
    pub name: String,
    /// What a model reads to decide whether and how to call the tool.
    pub description: String,
    /// The schema of the arguments. Its root is an object.
    pub arguments: SchemaSource,
    /// How much harm, undoable or not, and who may use it.
    pub governance: Governance,
    /// A name for people.
    pub title: Option<String>,
    /// The schema of the structured result.
    pub output: Option<SchemaSource>,
    /// Whether every call waits for a person.
    pub confirm: ConfirmMode,
    /// What the audit may keep.
    pub retain: Retain,
    /// The longest one call may take, 1 ms to [`MAX_TIMEOUT`].
    pub timeout: Option<Duration>,
}

impl DeclarationDraft {
    /// A draft with the required fields; the optional ones keep nothing, set no limit and leave confirming to the
    /// policy.
    #[must_use]
    pub fn new(name: &str, description: &str, arguments: SchemaSource, governance: Governance) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            arguments,
            governance,
            title: None,
            output: None,
            confirm: ConfirmMode::Policy,
            retain: Retain::nothing(),
            timeout: None,
        }
    }

    /// Checks everything at once.
    ///
    /// # Errors
    /// One error that lists every problem of the draft, each with its place and remedy.
    pub fn check(self) -> Result<Declaration, DefinitionError> {
        let mut report = Report::on(&self.name);
        let name = report.name();
        report.texts(&self.description, self.title.as_deref());
        report.timeout(self.timeout);
        let roles = report.roles(&self.governance);
        let arguments = report.schema("/arguments", &self.arguments, SchemaRole::Arguments);
        let output = self.output.as_ref().map(|source| report.schema("/output", source, SchemaRole::Output));
        let retention = report.retention(&self.retain, arguments.as_ref(), output.as_ref().and_then(Option::as_ref));
        let problems = report.into_problems();
        let (Some(name), Some(roles), Some(arguments), Some(retention)) = (name, roles, arguments, retention) else {
            return Err(DefinitionError::unless_empty(problems).err().unwrap_or_else(|| unreported(&self.name)));
        };
        DefinitionError::unless_empty(problems)?;
        let mut declaration = Declaration {
            name,
            title: self.title,
            description: self.description,
            sensitivity: self.governance.sensitivity,
            reversibility: self.governance.reversibility,
            roles,
            confirm: self.confirm,
            retention,
            timeout: self.timeout,
            arguments,
            output: output.flatten(),
            fingerprint: Fingerprint::UNSET,
        };
        declaration.fingerprint = Fingerprint::of(&declaration);
        Ok(declaration)
    }
}

/// A check that fails without a problem would be a defect of ours; it must still refuse the tool.
fn unreported(tool: &str) -> DefinitionError {
    let problem = "the declaration could not be checked";
    let remedy = "report this as a defect of the library, with the declaration";
    DefinitionProblem::new(tool, "", DefinitionCode::InvalidDefinition, problem, remedy).into()
}

/// The facts about a tool, checked. Only [`DeclarationDraft::check`] makes one.
#[derive(Debug)]
pub struct Declaration {
    name: ToolName,
    title: Option<String>,
    description: String,
    sensitivity: Sensitivity,
    reversibility: Reversibility,
    roles: Roles,
    confirm: ConfirmMode,
    retention: Retention,
    timeout: Option<Duration>,
    arguments: Schema,
    output: Option<Schema>,
    // Always the fingerprint of the other fields: computed once, when they are checked.
    fingerprint: Fingerprint,
}

impl Declaration {
    /// Unique in a registry.
    #[must_use]
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// A name for people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What a model reads.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// How much harm one call can do.
    #[must_use]
    pub fn sensitivity(&self) -> Sensitivity {
        self.sensitivity
    }

    /// Whether the effect can be undone.
    #[must_use]
    pub fn reversibility(&self) -> Reversibility {
        self.reversibility
    }

    /// Who may use it.
    #[must_use]
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// Whether every call waits for a person.
    #[must_use]
    pub fn confirm(&self) -> ConfirmMode {
        self.confirm
    }

    /// What the audit may keep.
    #[must_use]
    pub fn retention(&self) -> &Retention {
        &self.retention
    }

    /// The longest one call may take.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// The schema of the arguments.
    #[must_use]
    pub fn arguments(&self) -> &Schema {
        &self.arguments
    }

    /// The schema of the structured result.
    #[must_use]
    pub fn output(&self) -> Option<&Schema> {
        self.output.as_ref()
    }

    /// SHA-256 of every declared field: what makes this tool this tool.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The hint that a call changes nothing, derived from the sensitivity.
    #[must_use]
    pub fn read_only_hint(&self) -> bool {
        self.sensitivity == Sensitivity::None
    }

    /// The hint that a call has an effect that cannot be undone.
    #[must_use]
    pub fn destructive_hint(&self) -> bool {
        !self.read_only_hint() && self.reversibility == Reversibility::Irreversible
    }
}
