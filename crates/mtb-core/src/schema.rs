mod allowance;
mod backtracking;
mod close;
mod closest;
mod content;
mod decode;
#[cfg(feature = "schemars")]
mod derived;
mod dialect;
mod document;
mod engine;
#[cfg(test)]
mod engine_suite;
mod explain;
mod foreign;
mod format;
mod hold;
mod innermost;
mod issue;
mod keyword;
mod limits;
mod number;
mod overrides;
mod pattern;
mod problem;
mod read;
mod source;
mod strict;

use std::fmt;
use std::sync::Arc;

use jsonschema::Validator;
use serde_json::Value;

use crate::digest::Digest;
use crate::json::Limits;
use crate::json::canonical::CanonicalJson;
use crate::pointer::KeepPointer;
use backtracking::Backtracking;
use innermost::innermost;

pub use allowance::{Allowances, UnknownArguments};
pub use decode::decode;
pub use dialect::Dialect;
pub use issue::{Issue, MAX_ISSUES};
pub use limits::{
    MAX_BACKTRACKED_BYTES, MAX_BACKTRACKED_MATCHES, MAX_PATTERN_STEPS, MAX_SCHEMA_BYTES, MAX_SCHEMA_CHAIN,
    MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS,
};
pub use problem::SchemaProblem;
pub use source::SchemaSource;

/// What a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaRole {
    /// Arguments: the root is an object.
    Arguments,
    /// A structured result.
    Output,
}

/// A compiled strict schema of any [`Dialect`] of JSON Schema. Cheap to clone.
///
/// Nothing is coerced, no default is applied, formats are checked, and nothing is ever fetched.
///
/// Patterns are regular expressions of ECMA-262 with flag `u`, and what is declared keeps that meaning: `\d`, `\w` and `\b`
/// know ASCII only, `\s` is the white space of ECMA-262, `.` stops at each of its line ends and `$` matches at the end of
/// the text alone. What only other dialects have is refused (`\A`, `(?i)`, `(?P<n>…)`, `a++`, `[[:alpha:]]`, modifiers of
/// ES2025 among it), and so is what readers disagree about, such as `a{,3}`, or a back-reference to a group that may hold
/// nothing. Escapes like `\-` and a lone `{`, which flag `u` forbids, are taken for the character. Patterns without
/// look-around, back-references and `\b` take linear time; the others are bounded by [`MAX_PATTERN_STEPS`],
/// [`MAX_BACKTRACKED_BYTES`] and [`MAX_BACKTRACKED_MATCHES`], and past a bound the value is refused, also under `not`.
///
/// ```
/// use mtb_core::{Schema, SchemaRole, SchemaSource};
/// use serde_json::json;
///
/// let source = SchemaSource::value(json!({
///     "type": "object",
///     "properties": {"copies": {"type": "integer"}},
///     "additionalProperties": false,
/// }));
/// let schema = Schema::compile(&source, SchemaRole::Arguments).unwrap();
/// assert_eq!(schema.validate(&json!({"copies": 3})), Ok(()));
///
/// let issues = schema.validate(&json!({"copies": "3"})).unwrap_err();
/// assert_eq!(issues[0].path, "/copies");
/// assert_eq!(issues[0].message, "must be an integer, not a string");
/// ```
#[derive(Clone)]
pub struct Schema(Arc<Compiled>);

struct Compiled {
    text: String,
    checked: strict::Checked,
    validator: Validator,
    backtracking: Backtracking,
    identity: Digest,
}

impl Schema {
    /// Checks and compiles.
    ///
    /// # Errors
    /// Every problem of the schema, sorted by its place: a dialect, keyword or format that is not known, a keyword
    /// that cannot apply to the declared type or holds a value of another kind, a pattern that is no regular
    /// expression of ECMA-262 or that the engine does not take, a reference that leads out of the document or nowhere, a required property that nothing declares or that is
    /// forbidden, bounds that no value fits, a root that is no object, a type that JSON cannot carry, and a schema past
    /// the limits ([`MAX_SCHEMA_BYTES`], [`MAX_SCHEMA_DEPTH`], [`MAX_SUBSCHEMAS`]).
    pub fn compile(source: &SchemaSource, role: SchemaRole) -> Result<Self, Vec<SchemaProblem>> {
        let read = read::read(source)?;
        let dialect = strict::dialect(&read.value, &source.allowances);
        let read = close::close(read, dialect.as_ref().ok().copied(), source, role)?;
        let (text, identity) = (read.text.clone(), identity(&read.value, &read.text));
        let checked = source.judge(strict::check(read, dialect, &source.allowances, role))?;
        let validator = checked.checks.compile(&checked.document.root).map_err(|error| {
            let remedy = format!("write it as JSON Schema {} asks", checked.document.dialect);
            vec![SchemaProblem::new(innermost(&error).instance_path().as_str(), "does not compile", remedy)]
        })?;
        let backtracking = Backtracking::of(&checked);
        Ok(Self(Arc::new(Compiled { text, checked, validator, backtracking, identity })))
    }

    /// The schema as clients see it: as it was declared, on one line, and closed where [`UnknownArguments::Refuse`]
    /// says so.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The dialect it is read in.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.0.checked.document.dialect
    }

    /// The schema as it is enforced: without the keywords that are allowed and mean nothing.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0.checked.document.root
    }

    /// What it holds that nothing checks, because the host allows it.
    #[must_use]
    pub fn allowances(&self) -> &Allowances {
        &self.0.checked.allowances
    }

    /// A digest of the schema, equal whatever the order of its members and the spaces between its tokens.
    #[must_use]
    pub fn identity(&self) -> Digest {
        self.0.identity
    }

    /// Whether a value that fits may hold something at this pointer.
    ///
    /// The answer is `false` where a pointer can find nothing that is declared. An object that declares properties
    /// but leaves `additionalProperties` out accepts others too; these count as not held, because a misspelt pointer
    /// is what this question is there to catch.
    #[must_use]
    pub fn may_hold(&self, pointer: &KeepPointer) -> bool {
        let segments: Vec<_> = pointer.segments().collect();
        hold::may_hold(&self.0.checked.document, &self.0.checked.checks, &segments)
    }

    /// Checks a value.
    ///
    /// # Errors
    /// At most [`MAX_ISSUES`] issues, none of which holds a value: in the order in which the schema's text declares
    /// the properties, else in the order of `required`, else by name; undeclared properties come after declared ones.
    pub fn validate(&self, value: &Value) -> Result<(), Vec<Issue>> {
        self.0.backtracking.check(value).map_err(|issue| vec![issue])?;
        if self.0.validator.is_valid(value) {
            return Ok(());
        }
        Err(explain::explain(&self.0.checked.document, &self.0.checked.checks, &self.0.validator, value))
    }
}

fn identity(value: &Value, text: &str) -> Digest {
    let limits = Limits { depth: MAX_SCHEMA_DEPTH, nodes: MAX_SCHEMA_BYTES, string_bytes: MAX_SCHEMA_BYTES };
    CanonicalJson::from_value(value, &limits)
        .map_or_else(|_| Digest::of(text.as_bytes()), |canonical| canonical.digest())
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Schema({})", self.0.identity)
    }
}
