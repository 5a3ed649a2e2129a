use std::collections::HashMap;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, Retrieve, Uri, ValidationError, ValidationOptions, Validator};
use serde_json::{Value, json};

use super::limits::MAX_PATTERN_STEPS;

/// Formats that are really checked in 2020-12.
pub(super) const FORMATS: [&str; 17] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// The one configuration in which schemas are compiled: formats are checked, nothing is fetched, and patterns run in
/// linear time, except for the step limit on those that need look-around or back-references.
fn options() -> ValidationOptions<'static> {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .should_ignore_unknown_formats(false)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MAX_PATTERN_STEPS))
        .with_retriever(NothingIsFetched)
}

pub(super) fn compile(schema: &Value) -> Result<Validator, ValidationError<'static>> {
    options().build(schema)
}

/// Whether a pattern can be matched in time that grows with the text alone.
pub(super) fn is_linear(pattern: &str) -> bool {
    options().with_pattern_options(PatternOptions::regex()).build(&json!({"pattern": pattern})).is_ok()
}

struct NothingIsFetched;

impl Retrieve for NothingIsFetched {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err("nothing is fetched".into())
    }
}

/// Single patterns and formats, as the whole schema judges them.
#[derive(Default)]
pub(super) struct Checks {
    patterns: HashMap<String, Validator>,
    formats: HashMap<String, Validator>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    Yes,
    No,
    /// The pattern ran out of steps: refused, whatever stands around it.
    Unfinished,
}

impl Checks {
    /// Whether the pattern compiles. From then on it can be matched.
    pub(super) fn add_pattern(&mut self, pattern: &str) -> bool {
        if !self.patterns.contains_key(pattern) {
            let Ok(compiled) = compile(&json!({"pattern": pattern})) else { return false };
            self.patterns.insert(pattern.to_owned(), compiled);
        }
        true
    }

    /// Whether the format is one that is checked. From then on it can be.
    pub(super) fn add_format(&mut self, format: &str) -> bool {
        if !FORMATS.contains(&format) {
            return false;
        }
        if !self.formats.contains_key(format) {
            let Ok(compiled) = compile(&json!({"format": format})) else { return false };
            self.formats.insert(format.to_owned(), compiled);
        }
        true
    }

    pub(super) fn matches(&self, pattern: &str, text: &str) -> Match {
        let Some(compiled) = self.patterns.get(pattern) else { return Match::No };
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

    pub(super) fn has_format(&self, format: &str, text: &Value) -> bool {
        self.formats.get(format).is_none_or(|compiled| compiled.is_valid(text))
    }
}

#[cfg(test)]
mod tests {
    use jsonschema::Draft;

    use super::{Checks, FORMATS, Match, options};

    #[test]
    fn the_formats_listed_are_those_that_are_checked() {
        for format in FORMATS {
            assert!(options().is_known_format(Draft::Draft202012, format), "{format}");
        }
        for format in ["idn-email", "idn-hostname", "int32", "colour", "password", ""] {
            assert!(!options().is_known_format(Draft::Draft202012, format), "{format}");
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
            let mut checks = Checks::default();
            assert!(checks.add_pattern(pattern), "{pattern}");
            assert_eq!(checks.matches(pattern, text), expected, "{pattern}");
        }
        assert!(!Checks::default().add_pattern("("));
        assert!(!Checks::default().add_pattern("[z-a]"));
        assert!(!Checks::default().add_pattern(r"(?<name"));
    }
}
