use std::str::FromStr;
use std::time::Duration;

use mtb_core::{
    ConfirmMode, DefinitionCode, DefinitionProblem, Governance, Retain, Reversibility, Role, Sensitivity, any_of,
};

use super::{GovernanceTable, Governed, Row, place};
use crate::object::Object;
use crate::part::{NotJson, Part, Source};

const MEMBERS: [&str; 6] = ["sensitivity", "reversible", "roles", "confirm", "retain", "timeout_ms"];
const RETAINED: [&str; 3] = ["arguments", "result", "errors"];

/// The member that says something to people only. No tool has this name, since a tool name holds no slash.
const COMMENT: &str = "//";

/// What is told to whoever wrote something else.
const EXAMPLE: &str = "write an object with one member for each tool, for example \
                       `{\"search\": {\"sensitivity\": \"none\", \"reversible\": true, \"roles\": [\"reader\"]}}`";

pub(super) fn table(text: &str) -> GovernanceTable {
    let mut table = GovernanceTable::new();
    let read = Part::read(Source::Text(text)).and_then(|part| {
        let no_object = NotJson { problem: "not a JSON object".to_owned(), remedy: None };
        part.members().ok_or(no_object)
    });
    let members = match read {
        Ok(members) => members,
        Err(NotJson { problem, remedy }) => {
            let (code, problem) = (DefinitionCode::InvalidDefinition, format!("the governance is {problem}"));
            let problem = DefinitionProblem::new("", "/governance", code, problem, remedy.unwrap_or(EXAMPLE));
            table.problems.push(problem);
            table.is_readable = false;
            return table;
        }
    };
    for (name, part) in members.into_iter().filter(|(name, _)| name != COMMENT) {
        let mut reader = RowReader { tool: &name, problems: Vec::new() };
        let row = reader.row(part).map_or(Row::Unreadable, Row::Read);
        table.problems.extend(reader.problems);
        table.add(&name, row);
    }
    table
}

/// Reads the governance of one tool and collects its problems.
struct RowReader<'n> {
    tool: &'n str,
    problems: Vec<DefinitionProblem>,
}

impl RowReader<'_> {
    fn add(&mut self, pointer: String, code: DefinitionCode, problem: &str, remedy: &str) {
        self.problems.push(DefinitionProblem::new(self.tool, pointer, code, problem, remedy));
    }

    fn row(&mut self, part: Part<'_>) -> Option<Governed> {
        let object = self.object(place(self.tool, ""), part, &MEMBERS)?;
        let sensitivity = self.sensitivity(&object);
        let reversibility = self.reversibility(&object);
        let roles = self.roles(&object);
        let confirm = self.confirm(&object);
        let retain = self.retain(&object);
        let timeout = self.timeout(&object);
        let roles = any_of(roles?);
        let governed = Governed::new(Governance { sensitivity: sensitivity?, reversibility: reversibility?, roles });
        let governed = governed.retain(retain?);
        let governed = if confirm? == ConfirmMode::Always { governed.always_confirm() } else { governed };
        Some(if let Some(limit) = timeout { governed.timeout(limit) } else { governed })
    }

    /// An object that has no other members than these and a comment.
    fn object<'d>(&mut self, pointer: String, part: Part<'d>, members: &[&str]) -> Option<Object<'d>> {
        let code = DefinitionCode::InvalidDefinition;
        let Some(object) = Object::at(pointer.clone(), part) else {
            self.add(pointer, code, "is not a JSON object", &format!("give it {}", listed(members)));
            return None;
        };
        object.report_twice(self.tool, &mut self.problems);
        for name in object.names().filter(|name| *name != COMMENT && !members.contains(name)) {
            self.add(object.place(name), code, "is not known here", &format!("known are {}", listed(members)));
        }
        Some(object)
    }

    fn sensitivity(&mut self, row: &Object<'_>) -> Option<Sensitivity> {
        let part = row.get("sensitivity");
        let read = part.and_then(|part| Sensitivity::from_str(&part.scalar::<String>()?).ok());
        if read.is_none() {
            let problem =
                part.map_or("the sensitivity is not set", |_| "the sensitivity is not one of the five levels");
            let remedy = "choose `none`, `low`, `medium`, `high` or `critical`";
            self.add(row.place("sensitivity"), DefinitionCode::InvalidSensitivity, problem, remedy);
        }
        read
    }

    fn reversibility(&mut self, row: &Object<'_>) -> Option<Reversibility> {
        let part = row.get("reversible");
        let read = part.and_then(Part::scalar::<bool>);
        if read.is_none() {
            let problem = part.map_or("`reversible` is not set", |_| "`reversible` is not a boolean");
            let remedy = "write `true` if the effect can be undone, else `false`";
            self.add(row.place("reversible"), DefinitionCode::InvalidReversibility, problem, remedy);
        }
        read.map(|reversible| if reversible { Reversibility::Reversible } else { Reversibility::Irreversible })
    }

    fn roles(&mut self, row: &Object<'_>) -> Option<Vec<String>> {
        let part = row.get("roles");
        let Some(items) = part.and_then(Part::items).filter(|items| !items.is_empty()) else {
            let problem = part.map_or("the roles are not set", |_| "the roles are empty or not an array of names");
            let remedy = "name at least one role: without any, the tool would be open to nobody";
            self.add(row.place("roles"), DefinitionCode::InvalidRoles, problem, remedy);
            return None;
        };
        let read = items.into_iter().enumerate().map(|(index, item)| {
            let role = item.scalar::<String>();
            let problem = match role.as_deref().map(Role::new) {
                Some(Ok(_)) => return role,
                Some(Err(error)) => error.to_string(),
                None => "a role is a text".to_owned(),
            };
            let (place, remedy) = (format!("{}/{index}", row.place("roles")), "correct the role or remove it");
            self.add(place, DefinitionCode::InvalidRoles, &problem, remedy);
            None
        });
        let roles: Vec<_> = read.collect();
        roles.into_iter().collect()
    }

    fn confirm(&mut self, row: &Object<'_>) -> Option<ConfirmMode> {
        let modes = [ConfirmMode::Policy, ConfirmMode::Always];
        let Some(part) = row.get("confirm") else { return Some(ConfirmMode::Policy) };
        let text = part.scalar::<String>().unwrap_or_default();
        let read = modes.into_iter().find(|mode| mode.as_str() == text);
        if read.is_none() {
            let problem = "`confirm` is neither `policy` nor `always`";
            let remedy = "choose one of them; no tool can opt out of confirmation";
            self.add(row.place("confirm"), DefinitionCode::InvalidDefinition, problem, remedy);
        }
        read
    }

    fn retain(&mut self, row: &Object<'_>) -> Option<Retain> {
        let Some(part) = row.get("retain") else { return Some(Retain::nothing()) };
        let object = self.object(row.place("retain"), part, &RETAINED)?;
        let arguments = self.pointers(&object, "arguments");
        let result = self.pointers(&object, "result");
        let errors = object.get("errors").map_or(Some(false), Part::scalar);
        if errors.is_none() {
            let remedy = "write `true` to keep the text of failures";
            self.add(object.place("errors"), DefinitionCode::InvalidRetention, "`errors` is not a boolean", remedy);
        }
        let retain = arguments?.iter().fold(Retain::nothing(), |retain, pointer| retain.argument(pointer));
        let retain = result?.iter().fold(retain, |retain, pointer| retain.result(pointer));
        Some(if errors? { retain.errors() } else { retain })
    }

    fn pointers(&mut self, retain: &Object<'_>, member: &str) -> Option<Vec<String>> {
        let read = retain.get(member).map_or(Some(Vec::new()), Part::scalar);
        if read.is_none() {
            let remedy = "write an array of them, for example `[\"/to\"]`";
            self.add(
                retain.place(member),
                DefinitionCode::InvalidRetention,
                "is not an array of JSON Pointers",
                remedy,
            );
        }
        read
    }

    /// A limit that cannot be read is reported, which is as good as none: the row does not come out.
    fn timeout(&mut self, row: &Object<'_>) -> Option<Duration> {
        let part = row.get("timeout_ms")?;
        let read = part.scalar().map(Duration::from_millis);
        if read.is_none() {
            let remedy = "write milliseconds as an integer, 1 to 2147483647, or leave it out for no limit";
            let code = DefinitionCode::InvalidTimeout;
            self.add(row.place("timeout_ms"), code, "the time limit is not a number of milliseconds", remedy);
        }
        read
    }
}

fn listed(members: &[&str]) -> String {
    members.iter().map(|member| format!("`{member}`")).collect::<Vec<_>>().join(", ")
}
