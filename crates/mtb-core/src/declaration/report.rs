use std::time::Duration;

use super::MAX_TIMEOUT;
use crate::definition_error::{DefinitionCode, DefinitionProblem};
use crate::governance::Governance;
use crate::name::ToolName;
use crate::pointer::KeepPointer;
use crate::retention::{Retain, Retention};
use crate::role::Roles;
use crate::schema::{Schema, SchemaProblem, SchemaRole, SchemaSource};

/// Collects the problems of one draft.
pub(super) struct Report<'d> {
    tool: &'d str,
    problems: Vec<DefinitionProblem>,
}

impl<'d> Report<'d> {
    pub(super) fn on(tool: &'d str) -> Self {
        Self { tool, problems: Vec::new() }
    }

    pub(super) fn into_problems(self) -> Vec<DefinitionProblem> {
        self.problems
    }

    fn add(&mut self, pointer: impl Into<String>, code: DefinitionCode, problem: impl Into<String>, remedy: &str) {
        self.problems.push(DefinitionProblem::new(self.tool, pointer, code, problem, remedy));
    }

    pub(super) fn name(&mut self) -> Option<ToolName> {
        let name = ToolName::new(self.tool);
        let remedy = "rename the tool; `snake_case` of at most 64 characters suits every LLM API";
        if let Err(error) = &name {
            self.add("/name", DefinitionCode::InvalidName, error.to_string(), remedy);
        }
        name.ok()
    }

    pub(super) fn texts(&mut self, description: &str, title: Option<&str>) {
        if description.trim().is_empty() {
            let remedy = "say what the tool does and when to use it: the model reads nothing else";
            self.add("/description", DefinitionCode::InvalidDescription, "the tool has no description", remedy);
        }
        if title.is_some_and(|title| title.trim().is_empty()) {
            self.add("/title", DefinitionCode::InvalidTitle, "the title is blank", "give it a text or leave it out");
        }
    }

    pub(super) fn timeout(&mut self, timeout: Option<Duration>) {
        let fits = |limit: Duration| (Duration::from_millis(1)..=MAX_TIMEOUT).contains(&limit);
        if timeout.is_some_and(|limit| !fits(limit)) {
            let remedy = "choose 1 ms to 2,147,483,647 ms, or leave it out for no limit";
            self.add("/timeout", DefinitionCode::InvalidTimeout, "the time limit is out of range", remedy);
        }
    }

    pub(super) fn roles(&mut self, governance: &Governance) -> Option<Roles> {
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

    pub(super) fn schema(&mut self, place: &str, source: &SchemaSource, role: SchemaRole) -> Option<Schema> {
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

    pub(super) fn retention(
        &mut self,
        retain: &Retain,
        args: Option<&Schema>,
        output: Option<&Schema>,
    ) -> Option<Retention> {
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
