use std::time::Duration;

use crate::definition_error::{DefinitionCode, DefinitionError, DefinitionProblem};
use crate::fingerprint::Fingerprint;
use crate::governance::{Governance, Reversibility, Sensitivity};
use crate::name::ToolName;
use crate::pointer::KeepPointer;
use crate::retention::{Retain, Retention};
use crate::role::Roles;
use crate::schema::{Schema, SchemaProblem, SchemaRole, SchemaSource};

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
        let mut report = Report { tool: &self.name, problems: Vec::new() };
        let name = report.name();
        report.texts(&self.description, self.title.as_deref());
        report.timeout(self.timeout);
        let roles = report.roles(&self.governance);
        let arguments = report.schema("/arguments", &self.arguments, SchemaRole::Arguments);
        let output = self.output.as_ref().map(|source| report.schema("/output", source, SchemaRole::Output));
        let retention = report.retention(&self.retain, arguments.as_ref(), output.as_ref().and_then(Option::as_ref));
        let problems = report.problems;
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

/// Collects the problems of one draft.
struct Report<'d> {
    tool: &'d str,
    problems: Vec<DefinitionProblem>,
}

impl Report<'_> {
    fn add(&mut self, pointer: impl Into<String>, code: DefinitionCode, problem: impl Into<String>, remedy: &str) {
        self.problems.push(DefinitionProblem::new(self.tool, pointer, code, problem, remedy));
    }

    fn name(&mut self) -> Option<ToolName> {
        let name = ToolName::new(self.tool);
        let remedy = "rename the tool; `snake_case` of at most 64 characters suits every LLM API";
        if let Err(error) = &name {
            self.add("/name", DefinitionCode::InvalidName, error.to_string(), remedy);
        }
        name.ok()
    }

    fn texts(&mut self, description: &str, title: Option<&str>) {
        if description.trim().is_empty() {
            let remedy = "say what the tool does and when to use it: the model reads nothing else";
            self.add("/description", DefinitionCode::InvalidDescription, "the description is blank", remedy);
        }
        if title.is_some_and(|title| title.trim().is_empty()) {
            self.add("/title", DefinitionCode::InvalidTitle, "the title is blank", "give it a text or leave it out");
        }
    }

    fn timeout(&mut self, timeout: Option<Duration>) {
        let fits = |limit: Duration| (Duration::from_millis(1)..=MAX_TIMEOUT).contains(&limit);
        if timeout.is_some_and(|limit| !fits(limit)) {
            let remedy = "choose 1 ms to 2,147,483,647 ms, or leave it out for no limit";
            self.add("/timeout", DefinitionCode::InvalidTimeout, "the time limit is out of range", remedy);
        }
    }

    fn roles(&mut self, governance: &Governance) -> Option<Roles> {
        match Roles::check(&governance.roles) {
            Ok(roles) => Some(roles),
            Err(problems) => {
                let remedy = "name at least one role, each without blanks at its ends";
                for problem in problems {
                    self.add("/governance/roles", DefinitionCode::InvalidRoles, problem, remedy);
                }
                None
            }
        }
    }

    fn schema(&mut self, place: &str, source: &SchemaSource, role: SchemaRole) -> Option<Schema> {
        match Schema::compile(source, role) {
            Ok(schema) => Some(schema),
            Err(problems) => {
                for SchemaProblem { pointer, problem, remedy } in problems {
                    self.add(format!("{place}{pointer}"), DefinitionCode::InvalidSchema, problem, &remedy);
                }
                None
            }
        }
    }

    fn retention(&mut self, retain: &Retain, args: Option<&Schema>, output: Option<&Schema>) -> Option<Retention> {
        let before = self.problems.len();
        let arguments = self.pointers("/retain/arguments", &retain.arguments, args);
        let result = self.pointers("/retain/result", &retain.result, output);
        (self.problems.len() == before).then_some(Retention { arguments, result, errors: retain.errors })
    }

    fn pointers(&mut self, place: &str, declared: &[String], schema: Option<&Schema>) -> Box<[KeepPointer]> {
        let mut kept: Vec<KeepPointer> = Vec::new();
        for (index, text) in declared.iter().enumerate() {
            let at = format!("{place}/{index}");
            match KeepPointer::new(text) {
                Err(error) => {
                    let remedy = "write a JSON Pointer to a field, for example `/to` or `/items/*/id`";
                    self.add(at, DefinitionCode::InvalidRetention, error.to_string(), remedy);
                }
                Ok(pointer) if schema.is_some_and(|schema| !schema.may_hold(&pointer)) => {
                    let problem = format!("`{pointer}` finds nothing in what the schema allows");
                    let remedy = "point at a declared property, or drop the pointer";
                    self.add(at, DefinitionCode::InvalidRetention, problem, remedy);
                }
                Ok(pointer) if kept.contains(&pointer) => {}
                Ok(pointer) => kept.push(pointer),
            }
        }
        kept.into()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::{ConfirmMode, DeclarationDraft};
    use crate::{
        DefinitionCode, Governance, Principal, Retain, Reversibility, SchemaSource, Sensitivity, any_of, can_access,
    };

    fn draft() -> DeclarationDraft {
        let arguments = SchemaSource::value(json!({
            "type": "object",
            "properties": {"invoiceId": {"type": "string"}},
            "additionalProperties": false,
        }));
        let governance = Governance {
            sensitivity: Sensitivity::High,
            reversibility: Reversibility::Irreversible,
            roles: any_of(["billing", "admin"]),
        };
        DeclarationDraft::new("send_invoice", "Sends an invoice.", arguments, governance)
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut DeclarationDraft), pointer: &str, code: DefinitionCode) {
        let mut draft = draft();
        change(&mut draft);
        let error = draft.check().unwrap_err();
        let found: Vec<_> = error.problems().iter().map(|problem| (problem.pointer.as_str(), problem.code)).collect();
        assert_eq!(found, [(pointer, code)], "{error}");
    }

    #[test]
    fn each_bad_field_is_refused_at_its_place() {
        use DefinitionCode as Code;
        for name in ["", "send invoice", "mail/send", &"a".repeat(129)] {
            check(|draft| name.clone_into(&mut draft.name), "/name", Code::InvalidName);
        }
        for blank in ["", "  ", "\n"] {
            check(|draft| blank.clone_into(&mut draft.description), "/description", Code::InvalidDescription);
            check(|draft| draft.title = Some(blank.to_owned()), "/title", Code::InvalidTitle);
        }
        for timeout in [Duration::ZERO, Duration::from_micros(999), Duration::from_millis(1 << 31)] {
            check(|draft| draft.timeout = Some(timeout), "/timeout", Code::InvalidTimeout);
        }
        for roles in [any_of(Vec::<String>::new()), any_of([""]), any_of([" admin"])] {
            check(|draft| draft.governance.roles = roles, "/governance/roles", Code::InvalidRoles);
        }
        for pointer in ["", "/", "invoiceId", "/invoiceID"] {
            let retain = Retain::nothing().argument(pointer);
            check(|draft| draft.retain = retain, "/retain/arguments/0", Code::InvalidRetention);
        }
        let unknown = SchemaSource::value(json!({"type": "object", "minProps": 1}));
        check(|draft| draft.arguments = unknown, "/arguments/minProps", Code::InvalidSchema);
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let mut draft = draft();
        draft.name = "send invoice".to_owned();
        draft.title = Some(" ".to_owned());
        draft.governance.roles = any_of(["", " x"]);
        draft.timeout = Some(Duration::ZERO);
        draft.retain = Retain::nothing().result("x");
        let error = draft.check().unwrap_err();
        assert_eq!(error.problems().len(), 6, "{error}");
    }

    #[test]
    fn access_needs_one_of_the_roles_exactly() {
        let declaration = draft().check().unwrap();
        for (roles, allowed) in [
            (vec![], false),
            (vec!["Admin"], false),
            (vec!["*"], false),
            (vec!["admin:read"], false),
            (vec!["reader", "editor"], false),
            (vec!["support", "admin"], true),
            (vec!["billing"], true),
        ] {
            let principal = Principal::new("alice", &roles).unwrap();
            assert_eq!(can_access(&declaration, &principal), allowed, "{roles:?}");
        }
    }

    #[test]
    fn hints_follow_from_the_governance() {
        for (sensitivity, reversibility, read_only, destructive) in [
            (Sensitivity::None, Reversibility::Irreversible, true, false),
            (Sensitivity::None, Reversibility::Reversible, true, false),
            (Sensitivity::Low, Reversibility::Reversible, false, false),
            (Sensitivity::Low, Reversibility::Irreversible, false, true),
        ] {
            let mut draft = draft();
            draft.governance.sensitivity = sensitivity;
            draft.governance.reversibility = reversibility;
            let declaration = draft.check().unwrap();
            assert_eq!((declaration.read_only_hint(), declaration.destructive_hint()), (read_only, destructive));
        }
    }

    #[test]
    fn the_fingerprint_covers_every_declared_field() {
        let changes: [fn(&mut DeclarationDraft); 12] = [
            |_| {},
            |draft| draft.name = "send_invoices".to_owned(),
            |draft| draft.description.push('!'),
            |draft| draft.title = Some("Send".to_owned()),
            |draft| draft.governance.sensitivity = Sensitivity::Critical,
            |draft| draft.governance.reversibility = Reversibility::Reversible,
            |draft| draft.governance.roles = any_of(["billing"]),
            |draft| draft.governance.roles = any_of(["billingadmin"]),
            |draft| draft.confirm = ConfirmMode::Always,
            |draft| draft.retain = Retain::nothing().argument("/invoiceId"),
            |draft| draft.timeout = Some(Duration::from_secs(1)),
            |draft| draft.arguments = SchemaSource::value(json!({"type": "object"})),
        ];
        let fingerprint = |change: fn(&mut DeclarationDraft)| {
            let mut draft = draft();
            change(&mut draft);
            draft.check().unwrap().fingerprint()
        };
        let mut seen: Vec<_> = changes.into_iter().map(fingerprint).collect();
        seen.push(fingerprint(|draft| draft.output = Some(SchemaSource::value(json!({"type": "object"})))));
        seen.push(fingerprint(|draft| draft.retain = Retain::nothing().result("/invoiceId")));
        seen.push(fingerprint(|draft| draft.retain = Retain::nothing().errors()));
        let count = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), count);
        assert_eq!(fingerprint(|_| {}), fingerprint(|_| {}));
    }
}
