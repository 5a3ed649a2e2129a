//! Why a value does not fit. The verdict is `jsonschema`'s; what is found here only explains it, at bounded cost.

mod array;
mod object;
mod place;
mod scalar;
mod unevaluated;
mod union;
mod words;

use jsonschema::Validator;
use serde_json::Value;

use super::backtracking::cost;
use super::closest::closest;
use super::document::{Document, Node, REFERENCES};
use super::engine::{Checks, Match};
use super::innermost::innermost;
use super::issue::{Issue, MAX_ISSUES, segment};
use super::limits::MAX_BACKTRACKED_MATCHES;
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

pub(super) fn explain(document: &Document, checks: &Checks, validator: &Validator, value: &Value) -> Vec<Issue> {
    let mut explainer = Explainer {
        document,
        checks,
        steps: MAX_STEPS,
        matches: MAX_BACKTRACKED_MATCHES,
        suggestions: MAX_SUGGESTIONS,
        active: Vec::new(),
        unfinished: None,
        stopped: None,
    };
    let mut found = Vec::new();
    explainer.look(&document.root(), value, &Place::root(), &mut found);
    found.sort_by(|one, other| one.ranks.cmp(&other.ranks));
    let mut issues: Vec<Issue> = Vec::new();
    for issue in found.into_iter().map(Found::told) {
        if issues.len() < MAX_ISSUES && !issues.iter().any(|it| it.path == issue.path && it.message == issue.message) {
            issues.push(issue);
        }
    }
    if issues.is_empty() {
        let given_up = explainer.unfinished.or(explainer.stopped);
        issues.push(given_up.unwrap_or_else(|| unexplained(validator, value)));
    }
    issues
}

/// The innermost place and the keyword that the engine names.
fn unexplained(validator: &Validator, value: &Value) -> Issue {
    let error = validator.validate(value).err();
    let error = error.as_ref().map(innermost);
    let path = error.map_or("", |error| error.instance_path().as_str());
    let names = path.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
    let keyword = error.map_or("schema", |error| error.kind().keyword());
    Issue {
        path: names.map(|name| segment(&name)).collect(),
        message: format!("does not fit what `{keyword}` declares"),
        keyword: keyword.to_owned(),
        declared: error.map_or("", |error| error.schema_path().as_str()).to_owned(),
    }
}

struct Found<'d> {
    ranks: Vec<Rank>,
    issue: Issue,
    /// What would fit in this place, where that can be told in a few words.
    wanted: Option<Wanted<'d>>,
    /// The forms of unions that came closest, innermost first, each with how many there are.
    forms: Vec<String>,
}

impl Found<'_> {
    /// The issue, with the forms that it is about.
    fn told(self) -> Issue {
        let Self { mut issue, forms, .. } = self;
        issue.message.push_str(&words::forms(&forms));
        issue
    }
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
    /// Matches left of patterns that backtrack.
    matches: usize,
    suggestions: usize,
    /// Schemas being looked at, each with the depth of its value, so that a schema that applies itself to the same
    /// value ends.
    active: Vec<(String, usize)>,
    /// The first pattern that ran out of steps.
    unfinished: Option<Issue>,
    /// The first place that was not looked at, because too much was or it is too deep.
    stopped: Option<Issue>,
}

impl<'d> Explainer<'d> {
    /// Adds what is wrong with the value to `found`.
    fn look(&mut self, node: &Node<'d>, value: &Value, place: &Place<'_>, found: &mut Vec<Found<'d>>) {
        let key = (node.pointer.clone(), place.depth());
        if found.len() >= MAX_FOUND || self.active.contains(&key) {
            return;
        }
        if self.active.len() >= MAX_DEPTH {
            self.stop(node, place);
        }
        if self.active.len() >= MAX_DEPTH || !self.spend_on(node, 1, place) {
            return;
        }
        let before = found.len();
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
            let is_refused = found.len() > before;
            match value {
                Value::Array(items) if !is_refused => self.unevaluated_items(node, items, value, place, found),
                Value::Object(members) => {
                    self.unevaluated_properties(node, members, value, is_refused, place, found);
                }
                _ => {}
            }
        }
        self.active.pop();
    }

    /// Whether so many steps were left for a schema; else the search ends.
    fn spend_on(&mut self, node: &Node<'d>, steps: usize, place: &Place<'_>) -> bool {
        let left = self.steps.checked_sub(steps);
        if left.is_none() {
            self.stop(node, place);
        }
        self.steps = left.unwrap_or(0);
        left.is_some()
    }

    /// Remembers the place where something was left out.
    fn stop(&mut self, node: &Node<'d>, place: &Place<'_>) {
        let message = "is where the search for the reason ended: the value is too large, or nested too deeply, to say what \
                       in it does not fit";
        self.stopped.get_or_insert_with(|| place.issue(node.pointer.clone(), "schema", message));
    }

    /// Whether something was left out, so that finding nothing wrong means nothing.
    fn gave_up(&self) -> bool {
        self.unfinished.is_some() || self.stopped.is_some()
    }

    /// Whether the value fits; `None` when that is not known.
    fn fits(&mut self, node: &Node<'d>, value: &Value, place: &Place<'_>) -> Option<bool> {
        let mut found = Vec::new();
        self.look(node, value, place, &mut found);
        if found.is_empty() && self.gave_up() { None } else { Some(found.is_empty()) }
    }

    /// The schemas that one applies to the same value, and that the value fits as far as they are a choice.
    fn evaluating(&mut self, node: &Node<'d>, value: &Value, place: &Place<'_>) -> Vec<Node<'d>> {
        let mut found: Vec<_> = REFERENCES.iter().filter_map(|keyword| self.document.target(node, keyword)).collect();
        found.extend(node.items("allOf"));
        let choices = node.items("anyOf").chain(node.items("oneOf"));
        found.extend(choices.filter(|branch| self.fits(branch, value, place) == Some(true)));
        if let Some(condition) = node.child("if") {
            let fits = self.fits(&condition, value, place) == Some(true);
            found.extend(node.child(if fits { "then" } else { "else" }));
            found.extend(Some(condition).filter(|_| fits));
        }
        found.extend(node.dependent_schemas().filter(|(name, _)| value.get(*name).is_some()).map(|(_, branch)| branch));
        found
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
            let keyword = self.fits(&condition, value, place).map(|fits| if fits { "then" } else { "else" });
            if let Some(branch) = keyword.and_then(|keyword| node.child(keyword)) {
                self.look(&branch, value, place, found);
            }
        }
        if let Some(negated) = node.child("not")
            && self.fits(&negated, value, place) == Some(true)
        {
            place.add(found, node.at("not"), "not", "has a form that is excluded by `not`");
        }
    }

    /// The known name that another was most likely meant to be. Only so many are looked for in all.
    fn closest<'n>(&mut self, name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
        self.suggestions = self.suggestions.checked_sub(1)?;
        closest(name, known)
    }

    fn matches(&mut self, pattern: &str, text: &str) -> Match {
        if !self.checks.is_linear(pattern) {
            let Some(left) = self.matches.checked_sub(cost(text)) else { return Match::Unfinished };
            self.matches = left;
        }
        self.checks.matches(pattern, text)
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::unexplained;

    #[test]
    fn the_last_resort_names_the_innermost_place() {
        for (schema, value, path, declared) in [
            (json!({"properties": {"a/b": {"minimum": 3}}}), json!({"a/b": 1}), "/a~1b", "/properties/a~1b/minimum"),
            (
                json!({"anyOf": [{"items": {"minimum": 3}}, {"type": "null"}]}),
                json!([5, 1]),
                "/1",
                "/anyOf/0/items/minimum",
            ),
            (json!({"minimum": 3}), json!(1), "", "/minimum"),
        ] {
            let issue = unexplained(&jsonschema::validator_for(&schema).unwrap(), &value);
            assert_eq!((&*issue.path, &*issue.keyword, &*issue.declared), (path, "minimum", declared));
            assert_eq!(issue.message, "does not fit what `minimum` declares");
        }
    }
}
