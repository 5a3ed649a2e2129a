use std::ops::RangeInclusive;

use serde_json::Value;

use super::dialect::Dialect::{self, Draft4, Draft6, Draft7, Draft201909, Draft202012};

/// A keyword of JSON Schema.
pub(super) struct Keyword {
    pub(super) name: &'static str,
    /// The dialects that have it, with this meaning.
    pub(super) dialects: RangeInclusive<Dialect>,
    /// The values it says something about.
    pub(super) about: About,
    /// What it has to hold.
    pub(super) shape: Shape,
}

/// Which values a keyword constrains. It says nothing about others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    Anything,
    Strings,
    Numbers,
    Arrays,
    Objects,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Anything at all.
    Any,
    Text,
    Boolean,
    /// An array of anything.
    List,
    /// An integer from 0 to 2^64 - 1.
    Count,
    Number,
    Positive,
    Format,
    Pattern,
    Reference,
    Id,
    Anchor,
    Dialect,
    Vocabulary,
    Types,
    /// An array of values of which at least one is given.
    Choice,
    /// An array of distinct strings.
    Names,
    /// An object whose members are arrays of distinct strings.
    NamesByName,
    Schema,
    /// An array of at least one schema.
    Schemas,
    /// A schema, or an array of them by position.
    Items,
    /// An object whose members are schemas or arrays of distinct strings.
    Dependencies,
    /// An object whose members are schemas.
    Members,
    /// The same, and the names are patterns.
    PatternMembers,
}

impl About {
    pub(super) fn applies_to(self, type_name: &str) -> bool {
        match self {
            Self::Anything => true,
            Self::Strings => type_name == "string",
            Self::Numbers => matches!(type_name, "number" | "integer"),
            Self::Arrays => type_name == "array",
            Self::Objects => type_name == "object",
        }
    }

    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Anything => "values",
            Self::Strings => "strings",
            Self::Numbers => "numbers",
            Self::Arrays => "arrays",
            Self::Objects => "objects",
        }
    }
}

impl Shape {
    /// What the keyword has to hold, when this value is not of that shape. What stands inside it is judged apart.
    pub(super) fn refuses(self, value: &Value, dialect: Dialect) -> Option<&'static str> {
        let fits = match self {
            // To draft-04, 2.0 is no integer.
            Self::Count if dialect == Draft4 => value.is_u64(),
            Self::Any => true,
            Self::Text | Self::Format | Self::Pattern | Self::Reference | Self::Id | Self::Anchor | Self::Dialect => {
                value.is_string()
            }
            Self::Boolean => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Count => count(value).is_some(),
            Self::Number => value.is_number(),
            Self::Positive => value.as_f64().is_some_and(|number| number > 0.0),
            Self::Vocabulary => value.as_object().is_some_and(|members| members.values().all(Value::is_boolean)),
            Self::Members | Self::PatternMembers => value.is_object(),
            Self::Types => is_types(value),
            Self::Choice => value.as_array().is_some_and(|items| !items.is_empty()),
            Self::Names => is_names(value),
            Self::NamesByName => value.as_object().is_some_and(|members| members.values().all(is_names)),
            Self::Schema => value.is_object() || value.is_boolean(),
            Self::Schemas => value.as_array().is_some_and(|items| !items.is_empty()),
            Self::Items => {
                value.is_object() || value.is_boolean() || value.as_array().is_some_and(|items| !items.is_empty())
            }
            Self::Dependencies => value.as_object().is_some_and(|members| {
                // To draft-04, an empty list is no list of names.
                let is_list =
                    |member: &Value| is_names(member) && (dialect > Draft4 || *member != Value::Array(vec![]));
                members.values().all(|member| member.is_object() || member.is_boolean() || is_list(member))
            }),
        };
        match self {
            _ if fits => None,
            Self::Count if dialect == Draft4 => Some("an integer from 0 to 2^64 - 1, without a fraction"),
            _ => Some(self.expectation()),
        }
    }

    const fn expectation(self) -> &'static str {
        match self {
            Self::Any => "any value",
            Self::Text | Self::Format | Self::Pattern | Self::Reference | Self::Id | Self::Anchor | Self::Dialect => {
                "a string"
            }
            Self::Boolean => "a boolean",
            Self::List => "an array",
            Self::Count => "an integer from 0 to 2^64 - 1",
            Self::Number => "a number",
            Self::Positive => "a number greater than 0",
            Self::Vocabulary => "an object of booleans",
            Self::Members | Self::PatternMembers => "an object of schemas",
            Self::Types => {
                "one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`, or an array of distinct ones"
            }
            Self::Choice => "an array with at least one value",
            Self::Names => "an array of distinct strings",
            Self::NamesByName => "an object whose members are arrays of distinct strings",
            Self::Schema => "a schema: an object or a boolean",
            Self::Schemas => "an array with at least one schema",
            Self::Items => "a schema or an array with at least one schema",
            Self::Dependencies => "an object whose members are schemas or arrays of distinct strings",
        }
    }
}

/// An integer from 0 to 2^64 - 1, also when it is written with a fraction of zero.
pub(super) fn count(value: &Value) -> Option<u64> {
    if let Some(whole) = value.as_u64() {
        return Some(whole);
    }
    let text = value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0)?;
    format!("{text:.0}").parse().ok()
}

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

fn is_types(value: &Value) -> bool {
    match value {
        Value::String(name) => TYPES.contains(&name.as_str()),
        Value::Array(names) => {
            !names.is_empty() && is_names(value) && names.iter().all(|name| name.is_string() && is_types(name))
        }
        _ => false,
    }
}

fn is_names(value: &Value) -> bool {
    let Some(names) = value.as_array().and_then(|items| items.iter().map(Value::as_str).collect::<Option<Vec<_>>>())
    else {
        return false;
    };
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    distinct.len() == names.len()
}

/// The keyword of this name, as the dialect has it.
pub(super) fn keyword(name: &str, dialect: Dialect) -> Option<&'static Keyword> {
    rows(name).find(|keyword| keyword.dialects.contains(&dialect))
}

/// The dialects that have a keyword of this name.
pub(super) fn dialects(name: &str) -> impl Iterator<Item = Dialect> {
    Dialect::ALL.into_iter().filter(move |dialect| keyword(name, *dialect).is_some())
}

pub(super) fn names(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().filter(move |keyword| keyword.dialects.contains(&dialect)).map(|keyword| keyword.name)
}

fn rows(name: &str) -> impl Iterator<Item = &'static Keyword> {
    let first = KEYWORDS.partition_point(|keyword| keyword.name < name);
    KEYWORDS.iter().skip(first).take_while(move |keyword| keyword.name == name)
}

/// Annotations say nothing about values, so that every dialect may have those of the latest.
const fn row(name: &'static str, about: About, shape: Shape) -> Keyword {
    during(name, about, shape, Draft4..=Draft202012)
}

const fn since(name: &'static str, about: About, shape: Shape, first: Dialect) -> Keyword {
    during(name, about, shape, first..=Draft202012)
}

const fn during(name: &'static str, about: About, shape: Shape, dialects: RangeInclusive<Dialect>) -> Keyword {
    Keyword { name, dialects, about, shape }
}

/// Sorted by name. `definitions` and `$defs` are the older and the newer name of the same thing: a place for schemas
/// that others refer to, in whatever dialect.
static KEYWORDS: [Keyword; 66] = {
    use About::{Anything, Arrays, Numbers, Objects, Strings};
    use Shape::{
        Anchor, Any, Boolean, Choice, Count, Dependencies, Dialect, Format, Id, Items, List, Members, Names,
        NamesByName, Number, Pattern, PatternMembers, Positive, Reference, Schema, Schemas, Text, Types, Vocabulary,
    };
    [
        since("$anchor", Anything, Anchor, Draft201909),
        row("$comment", Anything, Text),
        row("$defs", Anything, Members),
        since("$dynamicAnchor", Anything, Anchor, Draft202012),
        since("$dynamicRef", Anything, Reference, Draft202012),
        since("$id", Anything, Id, Draft6),
        during("$recursiveAnchor", Anything, Boolean, Draft201909..=Draft201909),
        during("$recursiveRef", Anything, Reference, Draft201909..=Draft201909),
        row("$ref", Anything, Reference),
        row("$schema", Anything, Dialect),
        since("$vocabulary", Anything, Vocabulary, Draft201909),
        during("additionalItems", Arrays, Schema, Draft4..=Draft201909),
        row("additionalProperties", Objects, Schema),
        row("allOf", Anything, Schemas),
        row("anyOf", Anything, Schemas),
        since("const", Anything, Any, Draft6),
        since("contains", Arrays, Schema, Draft6),
        since("contentEncoding", Strings, Text, Draft7),
        since("contentMediaType", Strings, Text, Draft7),
        since("contentSchema", Strings, Schema, Draft201909),
        row("default", Anything, Any),
        row("definitions", Anything, Members),
        during("dependencies", Objects, Dependencies, Draft4..=Draft7),
        since("dependentRequired", Objects, NamesByName, Draft201909),
        since("dependentSchemas", Objects, Members, Draft201909),
        row("deprecated", Anything, Boolean),
        row("description", Anything, Text),
        since("else", Anything, Schema, Draft7),
        row("enum", Anything, Choice),
        row("examples", Anything, List),
        during("exclusiveMaximum", Numbers, Boolean, Draft4..=Draft4),
        since("exclusiveMaximum", Numbers, Number, Draft6),
        during("exclusiveMinimum", Numbers, Boolean, Draft4..=Draft4),
        since("exclusiveMinimum", Numbers, Number, Draft6),
        row("format", Anything, Format),
        during("id", Anything, Id, Draft4..=Draft4),
        since("if", Anything, Schema, Draft7),
        during("items", Arrays, Items, Draft4..=Draft201909),
        since("items", Arrays, Schema, Draft202012),
        since("maxContains", Arrays, Count, Draft201909),
        row("maxItems", Arrays, Count),
        row("maxLength", Strings, Count),
        row("maxProperties", Objects, Count),
        row("maximum", Numbers, Number),
        since("minContains", Arrays, Count, Draft201909),
        row("minItems", Arrays, Count),
        row("minLength", Strings, Count),
        row("minProperties", Objects, Count),
        row("minimum", Numbers, Number),
        row("multipleOf", Numbers, Positive),
        row("not", Anything, Schema),
        row("oneOf", Anything, Schemas),
        row("pattern", Strings, Pattern),
        row("patternProperties", Objects, PatternMembers),
        since("prefixItems", Arrays, Schemas, Draft202012),
        row("properties", Objects, Members),
        since("propertyNames", Objects, Schema, Draft6),
        row("readOnly", Anything, Boolean),
        row("required", Objects, Names),
        since("then", Anything, Schema, Draft7),
        row("title", Anything, Text),
        row("type", Anything, Types),
        since("unevaluatedItems", Arrays, Schema, Draft201909),
        since("unevaluatedProperties", Objects, Schema, Draft201909),
        row("uniqueItems", Arrays, Boolean),
        row("writeOnly", Anything, Boolean),
    ]
};

#[cfg(test)]
mod tests {
    use super::{Dialect, KEYWORDS, dialects, keyword};

    #[test]
    fn every_keyword_is_found_in_its_dialects_and_in_no_other() {
        assert!(KEYWORDS.is_sorted_by(|one, other| one.name <= other.name));
        for row in &KEYWORDS {
            for dialect in Dialect::ALL {
                let found = keyword(row.name, dialect).filter(|found| std::ptr::eq(*found, row));
                assert_eq!(found.is_some(), row.dialects.contains(&dialect), "{} {dialect}", row.name);
            }
        }
        assert!(keyword("minProps", Dialect::Draft7).is_none());
    }

    #[test]
    fn dialects_have_the_keywords_of_their_time() {
        use Dialect::{Draft4, Draft6, Draft7, Draft201909, Draft202012};
        for (name, expected) in [
            ("id", &[Draft4][..]),
            ("$id", &[Draft6, Draft7, Draft201909, Draft202012]),
            ("dependencies", &[Draft4, Draft6, Draft7]),
            ("additionalItems", &[Draft4, Draft6, Draft7, Draft201909]),
            ("$recursiveRef", &[Draft201909]),
            ("prefixItems", &[Draft202012]),
            ("if", &[Draft7, Draft201909, Draft202012]),
            ("$defs", &Dialect::ALL),
            ("deprecated", &Dialect::ALL),
        ] {
            assert_eq!(dialects(name).collect::<Vec<_>>(), expected, "{name}");
        }
    }
}
