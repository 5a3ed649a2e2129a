use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, Keyword, PatternOptions, Retrieve, Uri, ValidationError, ValidationOptions, Validator};
use serde_json::{Map, Value, json};

use super::dialect::Dialect;
use super::format::{self, Numeric};
use super::limits::MAX_PATTERN_STEPS;
use super::overrides::with_overrides;
use super::pattern::{self, Refusal};
use crate::json::is_json;

/// The one configuration in which schemas are compiled: formats are checked, nothing is fetched, and patterns run in
/// linear time, except for the step limit on those that need look-around or back-references.
fn options(dialect: Dialect) -> ValidationOptions<'static> {
    jsonschema::options()
        .with_draft(draft(dialect))
        .should_validate_formats(true)
        .should_ignore_unknown_formats(false)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MAX_PATTERN_STEPS))
        .with_retriever(NothingIsFetched)
        .with_content_media_type("application/json", is_json)
}

fn draft(dialect: Dialect) -> Draft {
    match dialect {
        Dialect::Draft4 => Draft::Draft4,
        Dialect::Draft6 => Draft::Draft6,
        Dialect::Draft7 => Draft::Draft7,
        Dialect::Draft201909 => Draft::Draft201909,
        Dialect::Draft202012 => Draft::Draft202012,
    }
}

pub(super) fn compile_alone(schema: &Value, dialect: Dialect) -> Result<Validator, ValidationError<'static>> {
    options(dialect).build(schema)
}

struct NothingIsFetched;

impl Retrieve for NothingIsFetched {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err("nothing is fetched".into())
    }
}

/// Single patterns and formats, as the whole schema judges them.
pub(super) struct Checks {
    dialect: Dialect,
    patterns: HashMap<String, Pattern>,
    /// The patterns that the engine has to be told in other words, by place.
    told: BTreeMap<String, String>,
    formats: HashMap<String, Format>,
}

struct Pattern {
    /// As the engine is told it.
    text: String,
    compiled: Validator,
    /// Whether it can be matched in time that grows with the text alone.
    is_linear: bool,
}

/// How a format is checked.
#[derive(Clone)]
enum Format {
    Text(Validator),
    Number(Numeric),
    /// Not at all: the host allows that.
    Annotation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    Yes,
    No,
    /// The pattern ran out of steps: refused, whatever stands around it.
    Unfinished,
}

impl Checks {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect, patterns: HashMap::new(), told: BTreeMap::new(), formats: HashMap::new() }
    }

    /// Adds the pattern that stands in this place of the schema. From then on it can be matched.
    pub(super) fn add_pattern(&mut self, place: &str, pattern: &str) -> Result<(), Refusal> {
        let is_told = if let Some(known) = self.patterns.get(pattern) {
            known.text != pattern
        } else {
            let text = pattern::translate(pattern)?;
            let is_told = text != pattern;
            let schema = json!({"pattern": &text});
            let compiled = compile_alone(&schema, self.dialect).map_err(|_| Refusal::by_engine())?;
            let linear = options(self.dialect).with_pattern_options(PatternOptions::regex());
            let is_linear = linear.build(&schema).is_ok();
            self.patterns.insert(pattern.to_owned(), Pattern { text, compiled, is_linear });
            is_told
        };
        if is_told {
            self.told.insert(place.to_owned(), pattern.to_owned());
        }
        Ok(())
    }

    /// Whether the engine finds something else in this place than what was declared there, or nothing.
    pub(super) fn hides(&self, place: &str) -> bool {
        let mut above = place.match_indices('/').filter_map(|(end, _)| place.get(..end));
        self.told.contains_key(place) || above.any(|above| self.told.contains_key(above))
    }

    /// Whether the format is one that is checked, or allowed without. From then on it can be checked.
    pub(super) fn add_format(&mut self, name: &str, allowed: &BTreeSet<String>) -> bool {
        if self.formats.contains_key(name) {
            return true;
        }
        let format = if let Some(numeric) = format::numeric(name) {
            Format::Number(numeric)
        } else if format::TEXTS.contains(&name) {
            // A format that came later means in an older dialect what it means now.
            let knows = options(self.dialect).is_known_format(draft(self.dialect), name);
            let dialect = if knows { self.dialect } else { Dialect::Draft202012 };
            let Ok(compiled) = compile_alone(&json!({"format": name}), dialect) else { return false };
            Format::Text(compiled)
        } else if allowed.contains(name) {
            Format::Annotation
        } else {
            return false;
        };
        self.formats.insert(name.to_owned(), format);
        true
    }

    pub(super) fn matches(&self, pattern: &str, text: &str) -> Match {
        let Some(Pattern { compiled, .. }) = self.patterns.get(pattern) else { return Match::No };
        match compiled.validate(&Value::from(text)) {
            Ok(()) => Match::Yes,
            Err(error) => match error.kind() {
                ValidationErrorKind::BacktrackLimitExceeded { .. } | ValidationErrorKind::RegexEngineFailure { .. } => {
                    Match::Unfinished
                }
                _ => Match::No,
            },
        }
    }

    /// The formats that nothing checks.
    pub(super) fn annotations(&self) -> impl Iterator<Item = &str> {
        let annotations = self.formats.iter().filter(|(_, format)| matches!(format, Format::Annotation));
        annotations.map(|(name, _)| name.as_str())
    }

    /// Whether every pattern that was added can be matched in time that grows with the text alone.
    pub(super) fn are_linear(&self) -> bool {
        self.patterns.values().all(|pattern| pattern.is_linear)
    }

    /// Whether the pattern can be matched in time that grows with the text alone. One that was not added is data.
    pub(super) fn is_linear(&self, pattern: &str) -> bool {
        self.patterns.get(pattern).is_none_or(|pattern| pattern.is_linear)
    }

    pub(super) fn has_format(&self, format: &str, value: &Value) -> bool {
        self.formats.get(format).is_none_or(|format| format.admits(value))
    }

    /// Compiles a schema whose patterns and formats were all added.
    pub(super) fn compile(&self, schema: &Value) -> Result<Validator, ValidationError<'static>> {
        let mut options = options(self.dialect);
        for (name, format) in &self.formats {
            if options.is_known_format(draft(self.dialect), name) {
                continue;
            }
            let format = format.clone();
            options = options.with_format(name.clone(), move |text| format.admits(&Value::from(text)));
        }
        if self.formats.values().any(|format| matches!(format, Format::Number(_))) {
            options = self.with_numeric_formats(options);
        }
        with_overrides(options).build(&self.told(without_dialect(schema)))
    }

    /// The schema with its patterns as the engine is told them.
    fn told<'s>(&self, mut schema: Cow<'s, Value>) -> Cow<'s, Value> {
        // What is deeper comes first, since its place changes when a name above it does.
        for (number, (place, declared)) in self.told.iter().enumerate().rev() {
            let Some(known) = self.patterns.get(declared) else { continue };
            let root = schema.to_mut();
            if let Some(Value::String(pattern)) = root.pointer_mut(place) {
                pattern.clone_from(&known.text);
            } else if let Some((object, _)) = place.rsplit_once('/')
                && let Some(Value::Object(members)) = root.pointer_mut(object)
                && let Some(member) = members.remove(declared)
            {
                let mut text = known.text.clone();
                // Two patterns may be told in the same words, but an object has each name once.
                while members.contains_key(&text) {
                    text = format!("{text}(?:|{number})");
                }
                members.insert(text, member);
            }
        }
        schema
    }

    /// The engine looks at the format of texts only; here a keyword of ours takes the place of its own.
    fn with_numeric_formats(&self, options: ValidationOptions<'static>) -> ValidationOptions<'static> {
        let formats = self.formats.clone();
        options.with_keyword("format", move |_: &Map<String, Value>, name: &Value, _| {
            let format = name.as_str().and_then(|name| formats.get(name)).cloned().unwrap_or(Format::Annotation);
            let keyword: Box<dyn for<'i> Keyword<'i>> = Box::new(format);
            Ok(keyword)
        })
    }
}

impl Format {
    fn admits(&self, value: &Value) -> bool {
        match self {
            Self::Text(compiled) => compiled.is_valid(value),
            Self::Number(numeric) => numeric.admits(value),
            Self::Annotation => true,
        }
    }
}

impl<'i> Keyword<'i> for Format {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.admits(instance) { Ok(()) } else { Err(ValidationError::custom("is not of the declared format")) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.admits(instance)
    }
}

/// The dialect is told apart, since the engine does not know every way to write it.
fn without_dialect(schema: &Value) -> Cow<'_, Value> {
    let mut schema = Cow::Borrowed(schema);
    if schema.get("$schema").is_some()
        && let Value::Object(members) = schema.to_mut()
    {
        members.remove("$schema");
    }
    schema
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use jsonschema::{Retrieve as _, uri};

    use super::{Checks, Dialect, Match, NothingIsFetched, draft, format, options};

    #[test]
    fn nothing_is_fetched() {
        let elsewhere = uri::from_str("https://example.com/schema.json").unwrap();
        assert!(NothingIsFetched.retrieve(&elsewhere).is_err());
    }

    /// A pattern that the engine is told in other words hides what is declared, wherever it stands.
    #[test]
    fn a_pattern_that_is_written_otherwise_is_known_at_every_place() {
        let mut checks = Checks::new(Dialect::Draft202012);
        for place in ["/properties/a/pattern", "/properties/b/pattern"] {
            assert!(checks.add_pattern(place, r"^\cA$").is_ok());
            assert!(checks.hides(place), "{place}");
        }
        for place in ["/properties/c/pattern", "/properties/d/pattern"] {
            assert!(checks.add_pattern(place, "^a$").is_ok());
            assert!(!checks.hides(place), "{place}");
        }
        assert!(checks.are_linear());
        assert!(checks.add_pattern("/properties/e/pattern", "^(?=a)").is_ok());
        assert!(!checks.are_linear());
    }

    #[test]
    fn the_formats_listed_are_those_that_are_checked() {
        for format in format::TEXTS {
            assert!(options(Dialect::Draft202012).is_known_format(draft(Dialect::Draft202012), format), "{format}");
        }
        for format in ["idn-email", "idn-hostname", "int32", "colour", "password", ""] {
            assert!(!options(Dialect::Draft202012).is_known_format(draft(Dialect::Draft202012), format), "{format}");
        }
    }

    #[test]
    fn every_format_is_checked_in_every_dialect_wherever_it_stands() {
        let wrong = |name: &str| match format::numeric(name) {
            Some(_) => json!("one"),
            None if name == "uri-template" => json!("{"),
            None if name == "regex" => json!("("),
            None => json!("\u{0}% "),
        };
        for dialect in Dialect::ALL {
            for name in format::names() {
                let mut checks = Checks::new(dialect);
                assert!(checks.add_format(name, &BTreeSet::new()), "{dialect} {name}");
                assert!(!checks.has_format(name, &wrong(name)), "{dialect} {name}");
                let places = json!({"items": {"format": name}, "properties": {"a": {"format": name}}});
                let compiled = checks.compile(&places).unwrap();
                for value in [json!([wrong(name)]), json!({"a": wrong(name)})] {
                    assert!(!compiled.is_valid(&value), "{dialect} {name} {value}");
                }
                assert!(compiled.is_valid(&json!([null, {}])), "{dialect} {name}");
            }
        }
    }

    #[test]
    fn a_format_that_is_not_known_is_an_annotation_only_where_it_is_allowed() {
        let allowed = BTreeSet::from(["sql".to_owned()]);
        for dialect in Dialect::ALL {
            let mut checks = Checks::new(dialect);
            assert!(!checks.add_format("sql", &BTreeSet::new()));
            assert!(!checks.add_format("colour", &allowed));
            assert!(checks.add_format("sql", &allowed) && checks.add_format("int32", &allowed));
            let compiled = checks.compile(&json!({"items": {"format": "sql"}})).unwrap();
            assert!(compiled.is_valid(&json!(["x"])), "{dialect}");
        }
    }

    #[test]
    fn patterns_end_one_way_or_the_other() {
        let long = format!("{}!", "a".repeat(1_000));
        for (pattern, text, expected) in [
            ("(a+)+$", &*long, Match::No),
            ("^(a|a)*$", &long, Match::No),
            ("^(?=(a+)+$)(a+)+$", &long[..30], Match::Yes),
            (r"^(a|aa)+\1c$", &long, Match::Unfinished),
            (r"^(?!b)(a|aa)+\1c", &long, Match::Unfinished),
            (r"^(a)\1$", "aa", Match::Yes),
            ("^(?!a)", "b", Match::Yes),
            ("^(?!a)", "a", Match::No),
        ] {
            let mut checks = Checks::new(Dialect::Draft7);
            assert!(checks.add_pattern("/pattern", pattern).is_ok(), "{pattern}");
            assert_eq!(checks.matches(pattern, text), expected, "{pattern}");
        }
        for pattern in ["(", "[z-a]", r"(?<name"] {
            assert!(Checks::new(Dialect::Draft7).add_pattern("/pattern", pattern).is_err(), "{pattern}");
        }
    }
}
