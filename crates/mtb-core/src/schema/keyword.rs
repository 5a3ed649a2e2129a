use serde_json::Value;

/// A keyword of JSON Schema 2020-12.
pub(super) struct Keyword {
    pub(super) name: &'static str,
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
    /// An integer that is not negative.
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
    pub(super) fn refuses(self, value: &Value) -> Option<&'static str> {
        let fits = match self {
            Self::Any => true,
            Self::Text | Self::Format | Self::Pattern | Self::Reference | Self::Id | Self::Anchor | Self::Dialect => {
                value.is_string()
            }
            Self::Boolean => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Count => count(value).is_some(),
            Self::Number => value.is_number(),
            Self::Positive => value.as_f64().is_some_and(|number| number > 0.0),
            Self::Vocabulary | Self::Members | Self::PatternMembers => value.is_object(),
            Self::Types => is_types(value),
            Self::Choice => value.as_array().is_some_and(|items| !items.is_empty()),
            Self::Names => is_names(value),
            Self::NamesByName => value.as_object().is_some_and(|members| members.values().all(is_names)),
            Self::Schema => value.is_object() || value.is_boolean(),
            Self::Schemas => value.as_array().is_some_and(|items| !items.is_empty()),
        };
        if fits { None } else { Some(self.expectation()) }
    }

    const fn expectation(self) -> &'static str {
        match self {
            Self::Any => "any value",
            Self::Text | Self::Format | Self::Pattern | Self::Reference | Self::Id | Self::Anchor | Self::Dialect => {
                "a string"
            }
            Self::Boolean => "a boolean",
            Self::List => "an array",
            Self::Count => "an integer that is not negative",
            Self::Number => "a number",
            Self::Positive => "a number greater than 0",
            Self::Vocabulary => "an object",
            Self::Members | Self::PatternMembers => "an object of schemas",
            Self::Types => {
                "one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`, or an array of distinct ones"
            }
            Self::Choice => "an array with at least one value",
            Self::Names => "an array of distinct strings",
            Self::NamesByName => "an object whose members are arrays of distinct strings",
            Self::Schema => "a schema: an object or a boolean",
            Self::Schemas => "an array with at least one schema",
        }
    }
}

/// An integer that is not negative, also when it is written with a fraction of zero.
pub(super) fn count(value: &Value) -> Option<u64> {
    if let Some(whole) = value.as_u64() {
        return Some(whole);
    }
    let text = value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0)?;
    format!("{text}").parse().ok()
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

pub(super) fn keyword(name: &str) -> Option<&'static Keyword> {
    KEYWORDS.binary_search_by(|keyword| keyword.name.cmp(name)).ok().and_then(|index| KEYWORDS.get(index))
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|keyword| keyword.name)
}

const fn row(name: &'static str, about: About, shape: Shape) -> Keyword {
    Keyword { name, about, shape }
}

/// Sorted by name. `definitions` is the older name of `$defs`, which the meta-schema of 2020-12 still declares.
const KEYWORDS: [Keyword; 58] = {
    use About::{Anything, Arrays, Numbers, Objects, Strings};
    use Shape::{
        Anchor, Any, Boolean, Choice, Count, Dialect, Format, Id, List, Members, Names, NamesByName, Number, Pattern,
        PatternMembers, Positive, Reference, Schema, Schemas, Text, Types, Vocabulary,
    };
    [
        row("$anchor", Anything, Anchor),
        row("$comment", Anything, Text),
        row("$defs", Anything, Members),
        row("$dynamicAnchor", Anything, Anchor),
        row("$dynamicRef", Anything, Reference),
        row("$id", Anything, Id),
        row("$ref", Anything, Reference),
        row("$schema", Anything, Dialect),
        row("$vocabulary", Anything, Vocabulary),
        row("additionalProperties", Objects, Schema),
        row("allOf", Anything, Schemas),
        row("anyOf", Anything, Schemas),
        row("const", Anything, Any),
        row("contains", Arrays, Schema),
        row("contentEncoding", Strings, Text),
        row("contentMediaType", Strings, Text),
        row("contentSchema", Strings, Schema),
        row("default", Anything, Any),
        row("definitions", Anything, Members),
        row("dependentRequired", Objects, NamesByName),
        row("dependentSchemas", Objects, Members),
        row("deprecated", Anything, Boolean),
        row("description", Anything, Text),
        row("else", Anything, Schema),
        row("enum", Anything, Choice),
        row("examples", Anything, List),
        row("exclusiveMaximum", Numbers, Number),
        row("exclusiveMinimum", Numbers, Number),
        row("format", Strings, Format),
        row("if", Anything, Schema),
        row("items", Arrays, Schema),
        row("maxContains", Arrays, Count),
        row("maxItems", Arrays, Count),
        row("maxLength", Strings, Count),
        row("maxProperties", Objects, Count),
        row("maximum", Numbers, Number),
        row("minContains", Arrays, Count),
        row("minItems", Arrays, Count),
        row("minLength", Strings, Count),
        row("minProperties", Objects, Count),
        row("minimum", Numbers, Number),
        row("multipleOf", Numbers, Positive),
        row("not", Anything, Schema),
        row("oneOf", Anything, Schemas),
        row("pattern", Strings, Pattern),
        row("patternProperties", Objects, PatternMembers),
        row("prefixItems", Arrays, Schemas),
        row("properties", Objects, Members),
        row("propertyNames", Objects, Schema),
        row("readOnly", Anything, Boolean),
        row("required", Objects, Names),
        row("then", Anything, Schema),
        row("title", Anything, Text),
        row("type", Anything, Types),
        row("unevaluatedItems", Arrays, Schema),
        row("unevaluatedProperties", Objects, Schema),
        row("uniqueItems", Arrays, Boolean),
        row("writeOnly", Anything, Boolean),
    ]
};

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, keyword};

    #[test]
    fn every_keyword_is_found() {
        assert!(KEYWORDS.is_sorted_by(|one, other| one.name < other.name));
        assert!(KEYWORDS.iter().all(|row| keyword(row.name).is_some_and(|found| found.name == row.name)));
        assert!(keyword("minProps").is_none());
    }
}
