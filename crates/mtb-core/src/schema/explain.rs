//! Why a value does not fit. The verdict is `jsonschema`'s; what is found here only explains it, at bounded cost.

mod array;
mod object;
mod place;
mod scalar;
mod union;
mod words;

use serde_json::Value;

use super::closest::closest;
use super::document::{Document, Node, REFERENCES};
use super::engine::Checks;
use super::issue::{Issue, MAX_ISSUES};
use place::{Place, Rank};
use words::{kind_of, one_of_types};

/// Pairs of a schema and a value looked at; what lies beyond stays unexplained.
const MAX_STEPS: usize = 20_000;

/// Schemas entered inside one another.
const MAX_DEPTH: usize = 200;

/// Issues collected before they are put in order.
const MAX_FOUND: usize = 256;

/// Names compared with the declared ones.
const MAX_SUGGESTIONS: usize = 32;

pub(super) fn explain(document: &Document, checks: &Checks, value: &Value) -> Vec<Issue> {
    let mut explainer = Explainer {
        document,
        checks,
        steps: MAX_STEPS,
        suggestions: MAX_SUGGESTIONS,
        active: Vec::new(),
        unfinished: None,
    };
    let mut found = Vec::new();
    explainer.look(&document.root(), value, &Place::root(), &mut found);
    found.sort_by(|one, other| one.ranks.cmp(&other.ranks));
    let mut issues: Vec<Issue> = Vec::new();
    for Found { issue, .. } in found {
        if issues.len() < MAX_ISSUES && !issues.iter().any(|it| it.path == issue.path && it.message == issue.message) {
            issues.push(issue);
        }
    }
    if issues.is_empty() {
        issues.push(explainer.unfinished.unwrap_or_else(unexplained));
    }
    issues
}

fn unexplained() -> Issue {
    Issue {
        path: String::new(),
        message: "does not fit the schema".to_owned(),
        keyword: "schema".to_owned(),
        declared: String::new(),
    }
}

struct Found<'d> {
    ranks: Vec<Rank>,
    issue: Issue,
    /// What would fit in this place, where that can be told in a few words.
    wanted: Option<Wanted<'d>>,
}

/// Types and constants, any of which would fit.
#[derive(Clone, Default)]
struct Wanted<'d> {
    types: Vec<&'d str>,
    values: Vec<&'d Value>,
}

struct Explainer<'d> {
    document: &'d Document,
    checks: &'d Checks,
    steps: usize,
    suggestions: usize,
    /// Schemas being looked at, each with the depth of its value, so that a schema that applies itself to the same
    /// value ends.
    active: Vec<(String, usize)>,
    /// The first pattern that ran out of steps.
    unfinished: Option<Issue>,
}

impl<'d> Explainer<'d> {
    /// Adds what is wrong with the value to `found`.
    fn look(&mut self, node: &Node<'d>, value: &Value, place: &Place<'_>, found: &mut Vec<Found<'d>>) {
        let key = (node.pointer.clone(), place.depth());
        if self.steps == 0 || self.active.len() >= MAX_DEPTH || found.len() >= MAX_FOUND || self.active.contains(&key) {
            return;
        }
        self.steps -= 1;
        self.active.push(key);
        if *node.schema == Value::Bool(false) {
            place.add(found, node.pointer.clone(), "false", "is not allowed here");
        } else if self.type_fits(node, value, place, found) && self.constants(node, value, place, found) {
            match value {
                Value::String(text) => self.string(node, value, text, place, found),
                Value::Number(_) => self.number(node, value, place, found),
                Value::Array(items) => self.array(node, items, place, found),
                Value::Object(members) => self.object(node, members, place, found),
                _ => {}
            }
            self.applied(node, value, place, found);
        }
        self.active.pop();
    }

    fn fits(&mut self, node: &Node<'d>, value: &Value, place: &Place<'_>) -> bool {
        let mut found = Vec::new();
        self.look(node, value, place, &mut found);
        found.is_empty()
    }

    /// What other schemas say about the same value.
    fn applied(&mut self, node: &Node<'d>, value: &Value, place: &Place<'_>, found: &mut Vec<Found<'d>>) {
        for keyword in REFERENCES {
            if let Some(target) = self.document.target(node, keyword) {
                self.look(&target, value, place, found);
            }
        }
        for branch in node.items("allOf") {
            self.look(&branch, value, place, found);
        }
        for keyword in ["anyOf", "oneOf"] {
            self.union(node, keyword, value, place, found);
        }
        if let Some(condition) = node.child("if") {
            let keyword = if self.fits(&condition, value, place) { "then" } else { "else" };
            if let Some(branch) = node.child(keyword) {
                self.look(&branch, value, place, found);
            }
        }
        if let Some(negated) = node.child("not")
            && self.fits(&negated, value, place)
        {
            place.add(found, node.at("not"), "not", "has a form that is excluded by `not`");
        }
    }

    /// The known name that another was most likely meant to be. Only so many are looked for in all.
    fn closest<'n>(&mut self, name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
        self.suggestions = self.suggestions.checked_sub(1)?;
        closest(name, known)
    }

    fn type_fits(&self, node: &Node<'d>, value: &Value, place: &Place<'_>, found: &mut Vec<Found<'d>>) -> bool {
        let types = node.types();
        let dialect = self.document.dialect;
        let fits = types.is_empty() || types.iter().any(|name| words::is_of_type(value, name, dialect));
        if !fits {
            let message = format!("must be {}, not {}", one_of_types(&types), kind_of(value));
            let wanted = Wanted { types, values: Vec::new() };
            place.add_wanted(found, node.at("type"), "type", &message, wanted);
        }
        fits
    }
}
